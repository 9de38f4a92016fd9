import { routes } from "../access/paths.ts"
import { itemBodyOf } from "../items/item.ts"
import {
  isUsedSinceRotation,
  type KeyFacts,
  listKeyFacts,
  listKeys,
  looksShipped,
} from "../keys/key-table.tsx"
import { withQuery } from "../platform/http/query.ts"
import { may, type PageApp, type View } from "../platform/pages/context.ts"
import { type Column, DataTable, pagesInMemory, sendCsv } from "../platform/pages/data-table.tsx"
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
import { WorkspacePage } from "../platform/pages/layout.tsx"
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
import { listCrowdedCodes } from "../purchases/site-operations.ts"
import { groupColumns } from "../usage/failed-requests.tsx"
import { dayColumns, RequestsChart } from "../usage/request-chart.tsx"
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
import { pathOfEndpoint } from "../webhooks/delivery-pages.tsx"
import { type Endpoint, shownUrl } from "../webhooks/endpoint.ts"
import { listAutoDisabled } from "../webhooks/endpoint-operations.ts"
import type { WorkspaceServices } from "./services.ts"

const rowsShown = 5
const crowdedCodesMax = 3

export function addOverviewRoutes(app: PageApp, services: WorkspaceServices): void {
  const { failedRequests, items, usage, now } = services

  app.get(`${routes.home}/usage.csv`, async (c) => {
    const range = parseRange(c.req.query(), formatTimestamp(now()))
    const counts = await usage.list(c.var.account.id, range, null)
    const days = summarizeDays(range, withoutTestKeys(counts))
    return sendCsv(c, "usage", dayColumns(c.var.view), pagesInMemory(days))
  })

  app.get(routes.home, async (c) => {
    const { id } = c.var.account
    const { view } = c.var
    const at = formatTimestamp(now())
    const range = parseRange(c.req.query(), at)
    const [all, recent] = [withDaysBefore(range), lastRange(at, riseComparedDays)]
    const [counts, compared, log, keys, crowded, endpoints] = await Promise.all([
      usage.list(id, all, null),
      usage.list(id, recent, null),
      failedRequests.list(id, at),
      listKeys(services, id),
      listCrowdedCodes(services, id, crowdedCodesMax),
      services.endpoints.list(id),
    ])
    const days = summarizeDays(all, withoutTestKeys(counts))
    const counted = withoutTestKeys(counts).filter(({ day }) => day >= range.from)
    const live = await listKeyFacts(services, keys.ids.slice(0, keys.live.length))
    const uses = await usage.listLastUses(keys.ids)
    const rise = findErrorRise(summarizeDays(recent, withoutTestKeys(compared)))
    const crowdedNames = await Promise.all(
      crowded.map(async ({ itemId }) => {
        const item = await items.find(id, itemId)
        return displayName(item === null ? "" : itemBodyOf(item).name, itemId)
      }),
    )
    const texts = view.texts.overview
    const summary = summarizeUsage(range, days)
    const shown = { view, range }
    const steps = {
      create: keys.ids.length > 0,
      call: uses.length > 0 || days.some((day) => callsOf(day) > 0),
      // Inactive keys count, too: a finished step stays finished.
      ship: [...keys.live, ...keys.ended].some(({ kind }) => kind === "vk"),
    }
    const maySetUp = may(view, "read_setup")
    const attention = [
      ...(maySetUp ? listWebhookProblems(view, endpoints) : []),
      ...(rise === null ? [] : [describeRise(view, rise)]),
      ...crowded.map(({ code, sites, limit, ...sale }, index) => ({
        sentence: () =>
          view.texts.sites.many(isolateDirection(crowdedNames[index] ?? ""), code, sites, limit),
        action: view.texts.check.title,
        path: `${view.paths.check}/${saleIdOf({ code, ...sale })}`,
      })),
      ...(maySetUp ? listUsedInactiveKeys(view, log, daysBefore(at, 1)) : []),
      ...(maySetUp ? listKeyProblems(view, live, now()) : []),
    ]
    return c.html(
      <WorkspacePage
        view={view}
        title={texts.title}
        action={<QuietLink href={view.paths.check}>{view.texts.check.title}</QuietLink>}
      >
        {may(view, "secrets") && <FirstStepsPanel view={view} steps={steps} />}
        <AttentionPanel view={view} attention={attention} />
        {steps.call && (
          <>
            <RangeBar {...shown} />
            <UsageTiles {...shown} {...summary} />
            <Panel id="calls" title={texts.requests}>
              <RequestsChart
                {...shown}
                logPath={view.paths.log}
                days={summary.days}
                csvPath={`${view.paths.home}/usage.csv`}
              />
            </Panel>
            <div class="pair">
              <TopErrors
                {...shown}
                groups={groupFailures(counted, filterLog(log, range, null)).slice(0, rowsShown)}
              />
              <BusiestKeys {...shown} keys={listBusiestKeys(counted, rowsShown)} />
            </div>
          </>
        )}
      </WorkspacePage>,
    )
  })
}

/** A problem and a link to its solution. `at` is the timestamp in the sentence, if any. */
type Attention = Readonly<{
  sentence(when: string): string
  at?: Timestamp | null
  action: string
  path: string
}>

function listWebhookProblems(
  { paths, texts: { webhooks: texts } }: View,
  endpoints: readonly Endpoint[],
): readonly Attention[] {
  const failing = endpoints.filter((each) => each.disabled === null && each.failingSince !== null)
  return [...listAutoDisabled(endpoints), ...failing].map(({ id, url, disabled, failingSince }) => {
    const name = isolateDirection(shownUrl(url))
    return {
      sentence: (when) => (disabled ? texts.attention(name) : texts.failing(name, when)),
      at: disabled ? null : failingSince,
      action: texts.see,
      path: pathOfEndpoint(paths.webhooks, id),
    }
  })
}

function describeRise(view: View, { range, rate, rateBefore }: ErrorRise): Attention {
  const texts = view.texts.overview
  return {
    sentence: () => texts.errorRise(percent(view, rate), percent(view, rateBefore)),
    action: texts.seeErrors,
    path: withQuery(view.paths.log, { kind: "errors", ...range }),
  }
}

const soonSeconds = 14 * daySeconds

function listKeyProblems(view: View, keys: readonly KeyFacts[], now: Date): readonly Attention[] {
  const { paths, texts: all } = view
  const texts = all.overview
  const soon = secondsAfter(now, soonSeconds)
  return keys.flatMap((facts) => {
    const { key, state, usage } = facts
    const problems: Attention[] = []
    const see = { action: texts.seeKey, path: paths.key(key.id) }
    if (isUsedSinceRotation(facts, formatTimestamp(now))) {
      problems.push({ sentence: () => texts.stillUsed(key.name), ...see })
    }
    // A rotated key is meant to expire.
    if (state === "active" && looksShipped(facts)) {
      problems.push({
        sentence: () => texts.shipped(key.name, usage?.ipRanges ?? 0),
        ...(may(view, "secrets")
          ? { action: texts.start.ship.action, path: paths.newValidationKey }
          : see),
      })
    }
    if (state === "active" && key.expiresAt !== null && key.expiresAt < soon) {
      const sentence = (when: string) => texts.expires(key.name, when)
      problems.push({ sentence, at: key.expiresAt, ...see })
    }
    return problems
  })
}

function listUsedInactiveKeys(
  { paths, texts }: View,
  log: readonly LoggedRequest[],
  since: Timestamp,
): readonly Attention[] {
  const { attention, see } = texts.keyPages.inactiveRequests
  const names = new Map(log.map(({ keyId, name }) => [keyId, name]))
  return [...listInactiveKeyUse(log)]
    .filter(([, ipRanges]) => ipRanges.some(({ lastAt }) => lastAt >= since))
    .map(([keyId, ipRanges]) => ({
      sentence: () => attention(names.get(keyId) ?? "", sumCalls(ipRanges)),
      action: see,
      path: `${paths.key(keyId)}#still-called`,
    }))
}

type Props = Readonly<{ view: View; range: ChosenRange }>

const percent = ({ locale }: View, rate: number, options = {}) =>
  rate.toLocaleString(locale, { style: "percent", maximumFractionDigits: 1, ...options })

const successRateOf = (calls: OutcomeCalls) => calls.ok / callsOf(calls)

const UsageTiles = ({ view, range, calls, before }: Props & UsageSummary) => {
  const texts = view.texts.overview.tiles
  const days = daysOf(range).length
  const format = (n: number) => n.toLocaleString(view.locale)
  const linkTo = (kind: string) => withQuery(view.paths.log, { kind, ...paramsOfRange(range) })
  const changeOf = (change: number) =>
    texts.change(percent(view, change, { signDisplay: "exceptZero" }), days)
  const changeFrom = (now: number, earlier: number) =>
    earlier === 0 ? texts.noneBefore(days) : changeOf(now / earlier - 1)
  const errors = errorsOf(calls)
  const parts = texts.parts(format(calls.clientErrors), format(calls.serverErrors))
  const all = callsOf(calls)
  const tiles = [
    { label: texts.requests, value: format(all), note: changeFrom(all, callsOf(before)) },
    {
      label: texts.successRate,
      value: all === 0 ? "–" : percent(view, successRateOf(calls)),
      note:
        all > 0 && callsOf(before) > 0
          ? changeOf(successRateOf(calls) - successRateOf(before))
          : texts.noneBefore(days),
    },
    {
      label: texts.codes,
      value: format(calls.invalidCodes),
      note: changeFrom(calls.invalidCodes, before.invalidCodes),
      path: linkTo("codes"),
    },
    {
      label: texts.errors,
      value: format(errors),
      note: `${parts} · ${changeFrom(errors, errorsOf(before))}`,
      path: linkTo("errors"),
    },
  ]
  return <Tiles tiles={tiles} />
}

const TopErrors = ({
  view,
  range,
  groups,
}: Props & Readonly<{ groups: readonly FailureGroup[] }>) => {
  const texts = view.texts.overview
  const params = paramsOfRange(range)
  return (
    <Panel id="errors" title={texts.topErrors}>
      <DataTable
        view={view}
        rows={groups}
        columns={groupColumns(view, null)}
        linkOf={({ reason }) => withQuery(view.paths.log, { error: reason, ...params })}
        empty={texts.noErrors}
      />
      {groups.length > 0 && (
        <p>
          <a href={withQuery(view.paths.log, params)}>{texts.allErrors}</a>
        </p>
      )}
    </Panel>
  )
}

const BusiestKeys = ({ view, range, keys }: Props & Readonly<{ keys: readonly KeyCalls[] }>) => {
  const { columns, overview: texts } = view.texts
  return (
    <Panel id="keys" title={texts.busiestKeys}>
      <DataTable
        view={view}
        rows={keys}
        empty={texts.noRequests}
        columns={[
          {
            head: columns.name,
            isWide: true,
            value: ({ keyId, name }) => displayName(name, keyId),
          },
          { head: columns.requests, kind: "number", value: callsOf },
          {
            head: texts.tiles.successRate,
            kind: "number",
            value: (calls) => percent(view, successRateOf(calls)),
          },
          { head: texts.tiles.errors, kind: "number", value: errorsOf },
        ]}
        {...(may(view, "read_setup") && {
          linkOf: ({ keyId }: KeyCalls) => withQuery(view.paths.key(keyId), paramsOfRange(range)),
        })}
      />
    </Panel>
  )
}

/** More are behind a disclosure, to keep the chart on the first screen. */
const openMax = 4

type AttentionProps = Readonly<{ view: View; attention: readonly Attention[] }>

const AttentionPanel = ({ view, attention }: AttentionProps) => {
  const { home, overview } = view.texts
  if (attention.length === 0) return null
  const rest = attention.slice(openMax)
  const columns: readonly Column<Attention>[] = [
    {
      head: home.problem,
      isWide: true,
      value: () => null,
      cell: ({ sentence, at }) =>
        at ? <SentenceWithTime {...{ view, at, sentence }} form="day" /> : sentence(""),
    },
    {
      head: home.solve,
      value: () => null,
      cell: ({ action, path }) => <QuietLink href={path}>{action}</QuietLink>,
    },
  ]
  return (
    <section class="panel tasks" aria-labelledby="attention">
      <h2 id="attention">{overview.attention}</h2>
      <DataTable view={view} columns={columns} rows={attention.slice(0, openMax)} />
      {rest.length > 0 && (
        <details>
          <summary>{overview.moreAttention(rest.length)}</summary>
          <DataTable view={view} columns={columns} rows={rest} />
        </details>
      )}
    </section>
  )
}

const stepNames = ["create", "call", "ship"] as const
type FirstSteps = Readonly<Record<(typeof stepNames)[number], boolean>>

/** Only the first open step is the main action. The panel is hidden when all steps are done. */
const FirstStepsPanel = ({ view, steps }: Readonly<{ view: View; steps: FirstSteps }>) => {
  const texts = view.texts.overview.start
  const { newKey, newValidationKey } = view.paths
  const paths = { create: newKey, call: "/docs", ship: newValidationKey }
  const next = stepNames.find((name) => !steps[name])
  if (next === undefined) return null
  return (
    <Panel id="start" title={texts.title}>
      <ol class="steps">
        {stepNames.map((name) => (
          <li class={steps[name] ? "done" : undefined}>
            <div>
              {steps[name] && <span class="visually-hidden">{texts.done} </span>}
              <strong>{texts[name].title}</strong>
              <p class="hint">{texts[name].text}</p>
            </div>
            {!steps[name] && (
              <a class={name === next ? "button" : "button quiet"} href={paths[name]}>
                {texts[name].action}
              </a>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  )
}
