/** The requests of a key on its page, from the first one to those after its end. */
import { operationPaths } from "../contract/operation.ts"
import { withQuery } from "../platform/http/parameters.ts"
import { currentView, type PageContext } from "../platform/pages/context.ts"
import { pagesInMemory, sendCsv } from "../platform/pages/csv.ts"
import { column, DataTable } from "../platform/pages/data-table.tsx"
import { parseRange, RangeBar } from "../platform/pages/date-range.tsx"
import {
  Panel,
  QuietLink,
  RelativeTime,
  SentenceWithTime,
  Stat,
} from "../platform/pages/elements.tsx"
import { t } from "../platform/t.ts"
import { formatTimestamp } from "../platform/time.ts"
import { dayColumns, groupColumns, outcomeTexts, RequestsChart } from "../usage/request-chart.tsx"
import { InactiveKeyRequests, operationTexts } from "../usage/request-pages.tsx"
import {
  ipRangesMax,
  listInactiveKeyUse,
  summarizeDays,
  summarizeOperations,
  type UsageStore,
} from "../usage/usage.ts"
import type { StoredKey } from "./key.ts"
import { type KeyFacts, type KeyPageServices, sumRequests } from "./key-facts.tsx"
import { createSamples, SamplesBlock } from "./samples.tsx"

type Props = Readonly<{ facts: KeyFacts }>

export const KeyRequests = ({ facts: { usage } }: Props) => (
  <>
    <Stat label={t("Last used")}>
      <RelativeTime at={usage?.lastUsedAt ?? null} />
    </Stat>
    <Stat label={t("Last 7 days")}>
      {t("{n request|requests}", { n: sumRequests(usage, 7) })},{" "}
      {t("{n IP range|IP ranges}", { n: usage?.ipRanges ?? 0 })}
    </Stat>
  </>
)

/** Test codes work with test keys only, so the author replaces this with a purchase code. */
const codePlaceholder = "PASTE_A_REAL_CODE"

/** The simplest request that a key of this kind can send. */
export const QuickStart = ({
  facts,
  secret,
  baseUrl,
}: Props & Readonly<{ secret: string; baseUrl: string }>) => {
  const view = currentView()
  const isValidation = facts.key.kind === "vk"
  const path = operationPaths[isValidation ? "validate_purchase" : "read_account"]
  const settings = { baseUrl, secret, locale: view.locale, purchaseCode: codePlaceholder }
  return (
    <Panel id="start" title={t("Try it now")}>
      <p>
        {isValidation
          ? t(
              "Replace {placeholder} with one of your purchase codes, then run the sample. Test codes work with test keys only.",
              { placeholder: codePlaceholder },
            )
          : t(
              "Ready to run: paste the curl command into a terminal, the other samples into a file.",
            )}
      </p>
      <SamplesBlock
        id="first-call"
        title={t("Try it now")}
        samples={createSamples(path, settings)}
      />
      <FirstRequest facts={facts} />
      <p>
        <QuietLink href={view.paths.keys}>{t("Done")}</QuietLink>
      </p>
    </Panel>
  )
}

/** The script reloads this part until the first request arrives. Without script, the visitor uses the link. */
export const FirstRequest = ({ facts: { key, usage } }: Props) => {
  const at = usage?.lastUsedAt ?? null
  const path = currentView().paths.key(key.id)
  return (
    <div
      role="status"
      id="first-request"
      data-refresh={at === null ? `${path}/first-call` : undefined}
    >
      {at === null ? (
        <p class="notice">
          {t("Waiting for your first request…")} <a href={path}>{t("Check now")}</a>
        </p>
      ) : (
        <p class="notice good">
          <SentenceWithTime
            at={at}
            sentence={(when) => t("First request received: {when}.", { when })}
          />
        </p>
      )}
    </div>
  )
}

const readRange = (c: PageContext, now: Date) => parseRange(c.req.query(), formatTimestamp(now))

/** The IP ranges that still use an inactive key. */
export async function renderCallers({ failedRequests, now }: KeyPageServices, key: StoredKey) {
  const log = await failedRequests.list(key.accountId, formatTimestamp(now()))
  return (
    <InactiveKeyRequests
      requestsPath={withQuery(currentView().paths.log, { key: key.id })}
      ipRanges={listInactiveKeyUse(log).get(key.id) ?? []}
    />
  )
}

export async function renderUse(
  c: PageContext,
  { usage, now }: KeyPageServices,
  { key, usage: used }: KeyFacts,
) {
  if (used === null) {
    return (
      <Panel id="calls" title={t("Requests")}>
        <p class="hint">{t("No requests yet.")}</p>
      </Panel>
    )
  }
  const { paths } = currentView()
  const range = readRange(c, now())
  const counts = await usage.list(key.accountId, range, key.id)
  const ipRanges = await usage.listIpRanges(key.id, formatTimestamp(now()))
  const days = summarizeDays(range, counts)
  const operations = summarizeOperations(counts)
  return (
    <>
      <Panel id="calls" title={t("Requests")}>
        <RangeBar range={range} />
        <RequestsChart
          {...{ range, days }}
          logPath={paths.log}
          csvPath={`${paths.key(key.id)}/usage.csv`}
          keyId={key.id}
        />
        {operations.length > 1 && (
          <>
            <h3>{t("By operation")}</h3>
            <DataTable
              rows={operations}
              columns={[
                {
                  head: t("Operation"),
                  isWide: true,
                  value: ({ operation }) => t(operationTexts[operation]),
                },
                ...groupColumns(outcomeTexts),
              ]}
            />
          </>
        )}
      </Panel>
      <IpRanges ipRanges={ipRanges} />
    </>
  )
}

const openIpRanges = 8

type IpRangesProps = Readonly<{ ipRanges: Awaited<ReturnType<UsageStore["listIpRanges"]>> }>

const IpRanges = ({ ipRanges }: IpRangesProps) => {
  const n = ipRanges.length
  const more = ipRanges.slice(openIpRanges)
  const table = (rows: typeof ipRanges) => (
    <DataTable
      rows={rows}
      columns={[
        column(t("IP range"), ({ ipRange }) => ipRange, { kind: "code" }),
        column(t("Last request"), ({ lastDay }) => lastDay, { kind: "day" }),
      ]}
    />
  )
  return (
    <Panel id="ip-ranges" title={t("Who uses this key?")}>
      {n === 0 ? (
        <p class="hint">{t("No requests this week.")}</p>
      ) : (
        <>
          <p>
            {n < ipRangesMax
              ? t("Used from {n IP range|IP ranges} this week.", { n })
              : t("Used from at least {n IP range|IP ranges} this week.", { n })}
          </p>
          {table(ipRanges.slice(0, openIpRanges))}
          {more.length > 0 && (
            <details>
              <summary>{t("Show {n} more", { n: more.length })}</summary>
              {table(more)}
            </details>
          )}
        </>
      )}
    </Panel>
  )
}

export async function sendUsage(
  c: PageContext,
  { usage, now }: KeyPageServices,
  { key }: KeyFacts,
) {
  const range = readRange(c, now())
  const days = summarizeDays(range, await usage.list(key.accountId, range, key.id))
  return sendCsv(c, "usage", dayColumns(), pagesInMemory(days))
}
