import type { Child } from "hono/jsx"
import { type AccountBody, accountBodyOf } from "../../domain/catalog/account.ts"
import { shownUrl } from "../../domain/events/endpoint.ts"
import type { KeyDates } from "../../domain/keys/api-key.ts"
import {
  failedRequestDays,
  type LoggedRequest,
  listInactiveKeyUse,
  sumCalls,
} from "../../domain/usage/failed-requests.ts"
import { callsOf, errorsOf } from "../../domain/usage/outcome.ts"
import { daysShown, type UsageDay, usageDays } from "../../domain/usage/usage.ts"
import {
  daySeconds,
  daysBefore,
  formatTimestamp,
  lastRange,
  secondsAfter,
  type Timestamp,
} from "../../domain/values/time/timestamp.ts"
import { listCrowdedCodes } from "../../operations/catalog/site-operations.ts"
import { listAutoDisabled } from "../../operations/events/endpoint-operations.ts"
import { readAccountEndpoint } from "../api/read-account-endpoint.ts"
import { type AuthorApp, type AuthorContext, viewOf, visitorOf } from "../pages/author-context.ts"
import { type ChosenRange, parseRange } from "../pages/components/date-range.tsx"
import {
  Day,
  displayName,
  formatMoney,
  isolateDirection,
  SentenceWithTime,
  Stat,
} from "../pages/components/formatted-values.tsx"
import { JsonBlock, renderApiResponse } from "../pages/components/json-block.tsx"
import { Panel } from "../pages/components/panels-and-tables.tsx"
import { dayCsvColumns, RequestsPanel } from "../pages/components/usage-chart.tsx"
import { WorkspacePage } from "../pages/components/workspace-layout.tsx"
import { pagesInMemory, sendCsv } from "../pages/csv.ts"
import {
  isUsedSinceRotation,
  type KeyFacts,
  listKeyFacts,
  listKeys,
  looksShipped,
} from "../pages/key-facts.ts"
import {
  keysPath,
  type LogFilter,
  newKeyPath,
  newValidationKeyPath,
  pathOfKey,
  pathOfLog,
  webhooksPath,
} from "../pages/paths.ts"
import type { PageTexts } from "../pages/translations/texts.ts"
import type { View } from "../pages/view.ts"
import { pathOfEndpoint } from "../pages/webhooks/webhook-pages.tsx"
import type { WorkspaceServices } from "../pages/workspace-services.ts"
import { CheckButton, CheckForm } from "./site-limits-panel.tsx"

export function addOverviewRoutes(app: AuthorApp, services: WorkspaceServices): void {
  const { failedRequests, itemSearch, usage, now } = services

  /** Inactive keys count, too: a finished step stays finished. */
  async function firstStepsOf(
    keys: readonly KeyDates[],
    days: readonly UsageDay[],
  ): Promise<FirstSteps> {
    const hasRequests =
      days.some((day) => callsOf(day) > 0) ||
      (await usage.listLastUses(keys.map(({ id }) => id))).length > 0
    return {
      create: keys.length > 0,
      call: hasRequests,
      ship: keys.some(({ kind }) => kind === "vk"),
    }
  }

  const rangeOf = (c: AuthorContext) => parseRange(c.req.query(), formatTimestamp(now()), usageDays)

  app.get(usageCsvPath, async (c) => {
    const view = viewOf(c)
    const days = await usage.listByDay(visitorOf(c).account.id, rangeOf(c))
    return sendCsv(c, "usage", dayCsvColumns(view, view.texts.overview.groups), pagesInMemory(days))
  })

  app.get("/workspace", async (c) => {
    const { account } = visitorOf(c)
    const view = viewOf(c)
    const at = formatTimestamp(now())
    const [last, range] = [lastRange(at, daysShown), rangeOf(c)]
    const isDefaultRange = range.from === last.from && range.to === last.to
    const reading = usage.listByDay(account.id, last)
    const [items, keys, recent, days, log, crowded, endpoints] = await Promise.all([
      itemSearch.count(account.id),
      listKeys(services, account.id),
      reading,
      isDefaultRange ? reading : usage.listByDay(account.id, range),
      failedRequests.list(account.id, at),
      listCrowdedCodes(services, account.id, crowdedCodesMax),
      services.endpoints.list(account.id),
    ])
    const live = await listKeyFacts(services, keys.ids.slice(0, keys.live.length))
    return c.html(
      <OverviewPage
        view={view}
        account={accountBodyOf(account)}
        accountJson={await renderApiResponse(readAccountEndpoint, account, view.locale)}
        items={items}
        recent={recent}
        range={range}
        days={days}
        activeKeys={live.length}
        shippableKeys={live.filter(({ key }) => key.kind === "vk").length}
        testKeys={live.filter(({ key }) => key.kind === "tk").length}
        steps={await firstStepsOf([...keys.live, ...keys.ended], recent)}
        attention={[
          ...listAutoDisabled(endpoints).map(({ id, url }) => ({
            sentence: () => view.texts.webhooks.attention(isolateDirection(shownUrl(url))),
            at: null,
            action: view.texts.webhooks.see,
            path: pathOfEndpoint(webhooksPath, id),
          })),
          ...listUsedInactiveKeys(view.texts.keyPages.inactiveRequests, log, daysBefore(at, 1)),
          ...crowded.map(({ code, sites, limit }) => ({
            sentence: () => view.texts.sites.many(code, sites, limit),
            at: null,
            code,
          })),
          ...listAttention(view.texts.overview, live, now()),
        ]}
      />,
    )
  })
}

const usageCsvPath = "/workspace/usage.csv"

/** The pages of the items list more. */
const crowdedCodesMax = 3

/** A problem and a link to its solution. `at` is the timestamp in the sentence, if any. */
type Attention = Readonly<{ sentence(when: string): string; at: Timestamp | null }> &
  Readonly<{ action: string; path: string } | { code: string }>

/** Keys that expire within this time need attention. */
const soonSeconds = 14 * daySeconds

function listAttention(
  texts: PageTexts["overview"],
  keys: readonly KeyFacts[],
  now: Date,
): readonly Attention[] {
  const soon = secondsAfter(now, soonSeconds)
  return keys.flatMap((facts) => {
    const { key, state, usage } = facts
    const problems: Attention[] = []
    const see = { action: texts.seeKey, path: pathOfKey(key.id) }
    if (isUsedSinceRotation(facts, formatTimestamp(now))) {
      problems.push({ sentence: () => texts.stillUsed(key.name), at: null, ...see })
    }
    // A rotated key is meant to expire.
    if (state === "active" && looksShipped(facts)) {
      const make = { action: texts.start.ship.action, path: newValidationKeyPath }
      problems.push({
        sentence: () => texts.shipped(key.name, usage?.ipRanges ?? 0),
        at: null,
        ...make,
      })
    }
    if (state === "active" && key.expiresAt !== null && key.expiresAt < soon) {
      problems.push({
        sentence: (when) => texts.expires(key.name, when),
        at: key.expiresAt,
        ...see,
      })
    }
    return problems
  })
}

/** Inactive keys with requests since `since`. */
function listUsedInactiveKeys(
  texts: PageTexts["keyPages"]["inactiveRequests"],
  log: readonly LoggedRequest[],
  since: Timestamp,
): readonly Attention[] {
  const names = new Map(log.map(({ keyId, keyName }) => [keyId, keyName]))
  return [...listInactiveKeyUse(log)]
    .filter(([, ipRanges]) => ipRanges.some(({ lastAt }) => lastAt >= since))
    .map(([keyId, ipRanges]) => ({
      sentence: () => texts.attention(names.get(keyId) ?? "", sumCalls(ipRanges)),
      at: null,
      action: texts.see,
      path: `${pathOfKey(keyId)}#still-called`,
    }))
}

type Props = FiguresProps &
  Readonly<{
    account: AccountBody
    accountJson: string
    items: Readonly<{ visible: number; hidden: number }>
    range: ChosenRange
    days: readonly UsageDay[]
    steps: FirstSteps
    attention: readonly Attention[]
  }>

const OverviewPage = (props: Props) => {
  const { view, account, accountJson, items, range, days, steps, attention } = props
  const { overview } = view.texts
  return (
    <WorkspacePage view={view} title={overview.title}>
      {steps.call && <Figures {...props} />}
      <FirstStepsPanel view={view} steps={steps} />
      <AttentionPanel view={view} attention={attention} />
      {steps.call && (
        <RequestsPanel
          view={view}
          range={range}
          days={days}
          path="/workspace"
          csvPath={usageCsvPath}
          log={{}}
        >
          <p class="hint">{overview.countedRequests}</p>
        </RequestsPanel>
      )}
      <Panel id="account" title={overview.account}>
        <p>
          <strong>
            <bdi>{displayName(account.name.full_name, account.username)}</bdi>
          </strong>
          <br />
          <span class="hint clamp">{account.profile.heading}</span>
        </p>
        <dl class="stats">
          <Stat label={overview.balance}>
            {formatMoney(account.balance, account.currency, view.locale)}
          </Stat>
          <Stat label={view.texts.items.title}>
            <a href="/workspace/items">{overview.itemCount(items.visible, items.hidden)}</a>
          </Stat>
          <Stat label={overview.registered}>
            <Day view={view} at={account.registered_at} />
          </Stat>
        </dl>
        <JsonBlock view={view} title={overview.asJson} json={accountJson} />
      </Panel>
    </WorkspacePage>
  )
}

type FiguresProps = Readonly<{
  view: View
  /** The last 30 days. */
  recent: readonly UsageDay[]
  activeKeys: number
  shippableKeys: number
  testKeys: number
}>

/** Invalid codes are expected results, so they are counted apart from errors. */
const Figures = (props: FiguresProps) => {
  const { view, recent, activeKeys, shippableKeys, testKeys } = props
  const texts = view.texts.overview.figures
  const { tabs } = view.texts.log
  const total = recent.reduce((sum, day) => sum + callsOf(day), 0)
  const lastWeek = recent.slice(-failedRequestDays)
  const today = recent.at(-1)
  const requestsToday = today === undefined ? 0 : callsOf(today)
  const format = (n: number) => n.toLocaleString(view.locale)
  const linkTo = (show: LogFilter["show"] & string, calls: number) => (
    <a href={pathOfLog({ show })}>{format(calls)}</a>
  )
  const sumOf = (countIn: (day: UsageDay) => number) =>
    lastWeek.reduce((sum, day) => sum + countIn(day), 0)
  return (
    <dl class="figures">
      <Figure label={texts.today} value={format(requestsToday)} note={texts.todayNote(total)} />
      <Figure
        label={tabs.codes}
        value={linkTo(
          "codes",
          sumOf(({ invalidCodes }) => invalidCodes),
        )}
        note={texts.codesNote}
      />
      <Figure
        label={tabs.errors}
        value={linkTo("errors", sumOf(errorsOf))}
        note={texts.errorsNote}
      />
      <Figure
        label={texts.keys}
        value={<a href={keysPath}>{format(activeKeys)}</a>}
        note={texts.keysNote(shippableKeys, testKeys)}
      />
    </dl>
  )
}

const Figure = ({ label, value, note }: { label: string; value: Child; note: string }) => (
  <div>
    <dt>{label}</dt>
    <dd class="figure">{value}</dd>
    <dd class="hint">{note}</dd>
  </div>
)

type AttentionPanelProps = Readonly<{ view: View; attention: readonly Attention[] }>

/** More are behind a disclosure, to keep the chart on the first screen. */
const openMax = 4

const AttentionPanel = ({ view, attention }: AttentionPanelProps) => {
  const { overview } = view.texts
  if (attention.length === 0) return null
  const rest = attention.slice(openMax)
  return (
    <section class="attention" aria-labelledby="attention">
      <h2 id="attention">{overview.attention}</h2>
      <AttentionList view={view} attention={attention.slice(0, openMax)} />
      <CheckForm view={view} />
      {rest.length > 0 && (
        <details>
          <summary>{overview.moreAttention(rest.length)}</summary>
          <AttentionList view={view} attention={rest} />
        </details>
      )}
    </section>
  )
}

const AttentionList = ({ view, attention }: AttentionPanelProps) => (
  <ul class="plain-list">
    {attention.map(({ sentence, at, ...solution }) => (
      <li class="notice warning">
        {at === null ? (
          sentence("")
        ) : (
          <SentenceWithTime view={view} at={at} form="day" sentence={sentence} />
        )}{" "}
        {"code" in solution ? (
          <CheckButton view={view} code={solution.code} class="link" />
        ) : (
          <a href={solution.path}>{solution.action}</a>
        )}
      </li>
    ))}
  </ul>
)

type FirstSteps = Readonly<Record<keyof typeof stepPaths, boolean>>

const stepPaths = { create: newKeyPath, call: "/docs", ship: newValidationKeyPath } as const
const stepNames = ["create", "call", "ship"] as const

/** Only the first open step is the main action. The panel is hidden when all steps are done. */
const FirstStepsPanel = ({ view, steps }: { view: View; steps: FirstSteps }) => {
  const texts = view.texts.overview.start
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
              <a class={name === next ? "button" : "button quiet"} href={stepPaths[name]}>
                {texts[name].action}
              </a>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  )
}
