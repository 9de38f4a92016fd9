import { may } from "../access/page-view.ts"
import { routes } from "../access/paths.ts"
import { itemBodyOf } from "../items/item.ts"
import {
  isUsedSinceRotation,
  type KeyFacts,
  type KeyPageServices,
  listKeyFacts,
  listKeys,
  looksShipped,
} from "../keys/key-facts.tsx"
import { withQuery } from "../platform/http/parameters.ts"
import { currentView, Page, type PageApp, type PageContext } from "../platform/pages/context.ts"
import { pagesInMemory, sendCsv } from "../platform/pages/csv.ts"
import { type Column, column, DataTable } from "../platform/pages/data-table.tsx"
import {
  type ChosenRange,
  paramsOfRange,
  parseRange,
  RangeBar,
} from "../platform/pages/date-range.tsx"
import {
  displayName,
  isolateDirection,
  Panel,
  QuietLink,
  SentenceWithTime,
  Tiles,
} from "../platform/pages/elements.tsx"
import { currentLocale, t } from "../platform/t.ts"
import {
  daySeconds,
  daysBefore,
  daysOf,
  formatTimestamp,
  lastRange,
  secondsAfter,
  type Timestamp,
} from "../platform/time.ts"
import { saleIdOf } from "../purchases/sale.ts"
import type { PurchasePageServices } from "../purchases/sale-pages.tsx"
import { listCrowdedCodes } from "../purchases/site-operations.ts"
import { dayColumns, RequestsChart } from "../usage/request-chart.tsx"
import { failureColumns } from "../usage/request-pages.tsx"
import {
  callsOf,
  type ErrorRise,
  errorsOf,
  type FailureGroup,
  filterLog,
  findErrorRise,
  groupFailures,
  type KeyCalls,
  type LoggedRequest,
  listBusiestKeys,
  listInactiveKeyUse,
  type OutcomeCalls,
  riseComparedDays,
  sumCalls,
  summarizeDays,
  summarizeUsage,
  type UsageSummary,
  withDaysBefore,
  withoutTestKeys,
} from "../usage/usage.ts"
import { endpointPath } from "../webhooks/delivery-pages.tsx"
import { listAutoDisabled } from "../webhooks/endpoint-operations.ts"
import type { WebhookPageServices } from "../webhooks/endpoint-pages.tsx"
import { type Endpoint, shownUrl } from "../webhooks/webhook.ts"

type OverviewServices = KeyPageServices & PurchasePageServices & WebhookPageServices

const rowsShown = 5
const crowdedCodesMax = 3

export function addOverviewPages(app: PageApp, services: OverviewServices): void {
  app.get(routes.home, (c) => showOverview(c, services))

  app.get(`${routes.home}/usage.csv`, async (c) => {
    const range = parseRange(c.req.query(), formatTimestamp(services.now()))
    const counts = await services.usage.list(c.var.account.id, range, null)
    const days = summarizeDays(range, withoutTestKeys(counts))
    return sendCsv(c, "usage", dayColumns(), pagesInMemory(days))
  })
}

async function showOverview(c: PageContext, services: OverviewServices): Promise<Response> {
  const { usage } = services
  const { id } = c.var.account
  const { paths } = currentView()
  const at = formatTimestamp(services.now())
  const range = parseRange(c.req.query(), at)
  const all = withDaysBefore(range)
  const [counts, log, keys] = await Promise.all([
    usage.list(id, all, null),
    services.failedRequests.list(id, at),
    listKeys(services, id),
  ])
  const uses = await usage.listLastUses(keys.ids)
  const days = summarizeDays(all, withoutTestKeys(counts))
  const counted = withoutTestKeys(counts).filter(({ day }) => day >= range.from)
  const summary = summarizeUsage(range, days)
  const isUsed = uses.length > 0 || days.some((day) => callsOf(day) > 0)
  // Inactive keys count, too: a finished step stays finished.
  const isShipped = [...keys.live, ...keys.ended].some(({ kind }) => kind === "vk")
  return c.html(
    <Page
      title={t("Overview")}
      action={<QuietLink href={paths.check}>{t("Check a code")}</QuietLink>}
    >
      {may("secrets") && (
        <FirstStepsPanel done={{ create: keys.ids.length > 0, call: isUsed, ship: isShipped }} />
      )}
      <AttentionPanel attention={await listAttention(services, id, { at, log, keys })} />
      {isUsed && (
        <>
          <RangeBar range={range} />
          <UsageTiles range={range} {...summary} />
          <Panel id="calls" title={t("Requests")}>
            <RequestsChart
              range={range}
              logPath={paths.log}
              days={summary.days}
              csvPath={`${paths.home}/usage.csv`}
            />
          </Panel>
          <div class="pair">
            <TopErrors
              range={range}
              groups={groupFailures(counted, filterLog(log, range, null)).slice(0, rowsShown)}
            />
            <BusiestKeys range={range} keys={listBusiestKeys(counted, rowsShown)} />
          </div>
        </>
      )}
    </Page>,
  )
}

/** A problem and a link to its solution. `at` is the timestamp in the sentence, if any. */
type Attention = Readonly<{
  sentence(when: string): string
  at?: Timestamp | null
  action: string
  path: string
}>

type AttentionSources = Readonly<{
  at: Timestamp
  log: readonly LoggedRequest[]
  keys: Awaited<ReturnType<typeof listKeys>>
}>

async function listAttention(
  services: OverviewServices,
  accountId: number,
  { at, log, keys }: AttentionSources,
): Promise<readonly Attention[]> {
  const recent = lastRange(at, riseComparedDays)
  const [compared, crowded, endpoints, live] = await Promise.all([
    services.usage.list(accountId, recent, null),
    listCrowdedCodes(services, accountId, crowdedCodesMax),
    services.endpoints.list(accountId),
    listKeyFacts(services, keys.ids.slice(0, keys.live.length)),
  ])
  const rise = findErrorRise(summarizeDays(recent, withoutTestKeys(compared)))
  const crowdedNames = await Promise.all(
    crowded.map(async ({ itemId }) => {
      const item = await services.items.find(accountId, itemId)
      return displayName(item === null ? "" : itemBodyOf(item).name, itemId)
    }),
  )
  const maySetUp = may("read_setup")
  return [
    ...(maySetUp ? listWebhookProblems(endpoints) : []),
    ...(rise === null ? [] : [describeRise(rise)]),
    ...crowded.map(({ code, sites, limit, ...sale }, index): Attention => {
      const item = isolateDirection(crowdedNames[index] ?? "")
      const text = t("{item}: the code {code} is active on {n site|sites}.", {
        item,
        code,
        n: sites,
      })
      return {
        sentence: () =>
          limit === null ? text : `${text} ${t("The site limit is {limit}.", { limit })}`,
        action: t("Check a code"),
        path: `${currentView().paths.check}/${saleIdOf({ code, ...sale })}`,
      }
    }),
    ...(maySetUp ? listUsedInactiveKeys(log, daysBefore(at, 1)) : []),
    ...(maySetUp ? listKeyProblems(live, services.now()) : []),
  ]
}

function listWebhookProblems(endpoints: readonly Endpoint[]): readonly Attention[] {
  const failing = endpoints.filter((each) => each.disabled === null && each.failingSince !== null)
  return [...listAutoDisabled(endpoints), ...failing].map((endpoint) => {
    const { url, disabled, failingSince } = endpoint
    const name = isolateDirection(shownUrl(url))
    return {
      sentence: (when) =>
        disabled
          ? t("The webhook {url} was disabled.", { url: name })
          : t("Deliveries to {url} have failed since {when}.", { url: name, when }),
      at: disabled ? null : failingSince,
      action: t("Show why"),
      path: endpointPath(endpoint),
    }
  })
}

function describeRise({ range, rate, rateBefore }: ErrorRise): Attention {
  return {
    sentence: () =>
      t("Error rate since yesterday: {rate}; in the week before: {before}.", {
        rate: percent(rate),
        before: percent(rateBefore),
      }),
    action: t("Show errors"),
    path: withQuery(currentView().paths.log, { kind: "errors", ...range }),
  }
}

const soonSeconds = 14 * daySeconds

function listKeyProblems(keys: readonly KeyFacts[], now: Date): readonly Attention[] {
  const { paths } = currentView()
  const soon = secondsAfter(now, soonSeconds)
  return keys.flatMap((facts) => {
    const { key, state, usage } = facts
    const problems: Attention[] = []
    const see = { action: t("Open the key"), path: paths.key(key.id) }
    if (isUsedSinceRotation(facts, formatTimestamp(now))) {
      problems.push({
        sentence: () =>
          t("“{name}” was rotated, but the old key was used in the last 24 hours.", {
            name: key.name,
          }),
        ...see,
      })
    }
    // A rotated key is meant to expire.
    if (state === "active" && looksShipped(facts)) {
      problems.push({
        sentence: () =>
          t(
            "“{name}” looks shipped in a product: it was used from {ipRanges IP range|IP ranges} this week.",
            { name: key.name, ipRanges: usage?.ipRanges ?? 0 },
          ),
        ...(may("secrets")
          ? { action: t("Create a validation key"), path: paths.newValidationKey }
          : see),
      })
    }
    if (state === "active" && key.expiresAt !== null && key.expiresAt < soon) {
      const sentence = (when: string) => t("“{name}” expires on {when}.", { name: key.name, when })
      problems.push({ sentence, at: key.expiresAt, ...see })
    }
    return problems
  })
}

function listUsedInactiveKeys(
  log: readonly LoggedRequest[],
  since: Timestamp,
): readonly Attention[] {
  const { paths } = currentView()
  const names = new Map(log.map(({ keyId, name }) => [keyId, name]))
  return [...listInactiveKeyUse(log)]
    .filter(([, ipRanges]) => ipRanges.some(({ lastAt }) => lastAt >= since))
    .map(([keyId, ipRanges]) => ({
      sentence: () =>
        t("“{name}” is inactive but still used: {calls request|requests} in the last 7 days.", {
          name: names.get(keyId) ?? "",
          calls: sumCalls(ipRanges),
        }),
      action: t("Show who uses it"),
      path: `${paths.key(keyId)}#still-called`,
    }))
}

const percent = (rate: number, options = {}) =>
  rate.toLocaleString(currentLocale(), { style: "percent", maximumFractionDigits: 1, ...options })

const successRate = (calls: OutcomeCalls) => calls.ok / callsOf(calls)

type RangeProps = Readonly<{ range: ChosenRange }>

const UsageTiles = ({ range, calls, before }: RangeProps & UsageSummary) => {
  const view = currentView()
  const days = daysOf(range).length
  const format = (n: number) => n.toLocaleString(view.locale)
  const linkTo = (kind: string) => withQuery(view.paths.log, { kind, ...paramsOfRange(range) })
  const describeChange = (change: number) =>
    t("{change} vs. {days day|days} before", {
      change: percent(change, { signDisplay: "exceptZero" }),
      days,
    })
  const compareWith = (now: number, earlier: number) =>
    earlier === 0
      ? t("none in the {days day|days} before", { days })
      : describeChange(now / earlier - 1)
  const errors = errorsOf(calls)
  const parts = t("{client} client, {server} server", {
    client: format(calls.clientErrors),
    server: format(calls.serverErrors),
  })
  const all = callsOf(calls)
  const tiles = [
    { label: t("Requests"), value: format(all), note: compareWith(all, callsOf(before)) },
    {
      label: t("Success rate"),
      value: all === 0 ? "–" : percent(successRate(calls)),
      note:
        all > 0 && callsOf(before) > 0
          ? describeChange(successRate(calls) - successRate(before))
          : t("none in the {days day|days} before", { days }),
    },
    {
      label: t("Invalid codes"),
      value: format(calls.invalidCodes),
      note: compareWith(calls.invalidCodes, before.invalidCodes),
      path: linkTo("codes"),
    },
    {
      label: t("Errors"),
      value: format(errors),
      note: `${parts} · ${compareWith(errors, errorsOf(before))}`,
      path: linkTo("errors"),
    },
  ]
  return <Tiles tiles={tiles} />
}

const TopErrors = ({
  range,
  groups,
}: RangeProps & Readonly<{ groups: readonly FailureGroup[] }>) => {
  const view = currentView()
  const params = paramsOfRange(range)
  return (
    <Panel id="errors" title={t("Failed requests by error")}>
      <DataTable
        rows={groups}
        columns={failureColumns(null)}
        linkOf={({ reason }) => withQuery(view.paths.log, { error: reason, ...params })}
        empty={t("No failed requests on these days.")}
      />
      {groups.length > 0 && (
        <p>
          <a href={withQuery(view.paths.log, params)}>{t("All failed requests")}</a>
        </p>
      )}
    </Panel>
  )
}

const BusiestKeys = ({ range, keys }: RangeProps & Readonly<{ keys: readonly KeyCalls[] }>) => (
  <Panel id="keys" title={t("Busiest keys")}>
    <DataTable
      rows={keys}
      empty={t("No requests on these days.")}
      columns={[
        { head: t("Name"), isWide: true, value: ({ keyId, name }) => displayName(name, keyId) },
        { head: t("Requests # column"), kind: "number", value: callsOf },
        {
          head: t("Success rate"),
          kind: "number",
          value: (calls) => percent(successRate(calls)),
        },
        { head: t("Errors"), kind: "number", value: errorsOf },
      ]}
      {...(may("read_setup") && {
        linkOf: ({ keyId }: KeyCalls) =>
          withQuery(currentView().paths.key(keyId), paramsOfRange(range)),
      })}
    />
  </Panel>
)

/** More are behind a disclosure, to keep the chart on the first screen. */
const openMax = 4

const AttentionPanel = ({ attention }: Readonly<{ attention: readonly Attention[] }>) => {
  if (attention.length === 0) return null
  const rest = attention.slice(openMax)
  const columns: readonly Column<Attention>[] = [
    column(t("Problem"), () => null, {
      isWide: true,
      cell: ({ sentence, at }) =>
        at ? <SentenceWithTime {...{ at, sentence }} form="day" /> : sentence(""),
    }),
    column(t("Solution"), () => null, {
      cell: ({ action, path }) => <QuietLink href={path}>{action}</QuietLink>,
    }),
  ]
  return (
    <section class="panel tasks" aria-labelledby="attention">
      <h2 id="attention">{t("Needs attention")}</h2>
      <DataTable columns={columns} rows={attention.slice(0, openMax)} />
      {rest.length > 0 && (
        <details>
          <summary>{t("{n} more", { n: rest.length })}</summary>
          <DataTable columns={columns} rows={rest} />
        </details>
      )}
    </section>
  )
}

const steps = [
  {
    name: "create",
    title: "Create a key # step",
    text: "Your code sends it with every request.",
    action: "Create a key",
  },
  {
    name: "call",
    title: "Send a request",
    text: "Run the sample on the page of your new key, or one from the docs with your key.",
    action: "Open the docs",
  },
  {
    name: "ship",
    title: "Ship a validation key",
    text: "It can only validate purchases, release sites and create download links, so it is safe inside a product.",
    action: "Create a validation key",
  },
] as const

type StepProps = Readonly<{ done: Readonly<Record<(typeof steps)[number]["name"], boolean>> }>

/** Only the first open step is the main action. The panel is hidden when all steps are done. */
const FirstStepsPanel = ({ done }: StepProps) => {
  const { newKey, newValidationKey } = currentView().paths
  const paths = { create: newKey, call: "/docs", ship: newValidationKey }
  const next = steps.find(({ name }) => !done[name])
  if (next === undefined) return null
  return (
    <Panel id="start" title={t("Get started")}>
      <ol class="steps">
        {steps.map(({ name, title, text, action }) => (
          <li class={done[name] ? "done" : undefined}>
            <div>
              {done[name] && <span class="visually-hidden">{t("Done:")} </span>}
              <strong>{t(title)}</strong>
              <p class="hint">{t(text)}</p>
            </div>
            {!done[name] && (
              <a class={name === next.name ? "button" : "button quiet"} href={paths[name]}>
                {t(action)}
              </a>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  )
}
