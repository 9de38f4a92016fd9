import {
  type AuditKind,
  auditActions,
  auditKinds,
  type ListedAuditEvent,
} from "../../domain/sign-in/audit-event.ts"
import { trimWhitespace } from "../../domain/values/text.ts"
import { formatTimestamp, type Timestamp } from "../../domain/values/time/timestamp.ts"
import { CopyPreviousButton } from "../pages/components/copy-button.tsx"
import {
  type ChosenRange,
  paramsOfRange,
  parseListRange,
  RangeNav,
} from "../pages/components/date-range.tsx"
import { Field, QuietButton } from "../pages/components/form-fields.tsx"
import {
  displayName,
  isolateDirection,
  NamedLink,
  RelativeTime,
} from "../pages/components/formatted-values.tsx"
import { CsvLink, QuietLink, Table } from "../pages/components/panels-and-tables.tsx"
import {
  type CsvColumn,
  csvTimestamp,
  pagesByCursor,
  pagesInMemory,
  sendCsv,
} from "../pages/csv.ts"
import type { PageTexts } from "../pages/translations/texts.ts"
import {
  type ConsoleApp,
  type ConsoleContext,
  type ConsoleView,
  viewOf,
} from "./layout/console-context.ts"
import { type ChosenAuthor, ConsolePage } from "./layout/console-layout.tsx"
import { paths } from "./layout/console-paths.ts"
import type { ConsoleServices } from "./layout/console-services.ts"
import { CodeButton, ShowCodeForm } from "./layout/list-components.tsx"

const pageEvents = 50

export function addAuditRoutes(app: ConsoleApp, services: ConsoleServices): void {
  const { accounts, audit, now } = services
  async function readFilter(c: ConsoleContext) {
    const query = readQuery(c, formatTimestamp(now()))
    const { username, kind, action, range } = query
    const account = username === "" ? null : await accounts.findByUsername(username)
    const isUnknown = username !== "" && account === null
    const filter = {
      accountId: account?.id ?? null,
      kind,
      ...(action !== null && { action }),
      ...(range !== null && { range }),
    }
    return { ...query, account, isUnknown, filter }
  }
  app.get(paths.auditCsv({}), async (c) => {
    const { filter, isUnknown } = await readFilter(c)
    const read = (before: number | null, rowsMax: number) => audit.list(filter, before, rowsMax)
    const pages = isUnknown ? pagesInMemory([]) : pagesByCursor(read, ({ id }) => id)
    return sendCsv(c, "audit", csvColumns(viewOf(c)), pages)
  })

  app.get(paths.audit, async (c) => {
    const { before, filter, ...query } = await readFilter(c)
    // One more row than shown, to know whether older events exist.
    const events = query.isUnknown ? [] : await audit.list(filter, before, pageEvents + 1)
    return c.html(
      <AuditPage
        view={viewOf(c)}
        {...query}
        events={events.slice(0, pageEvents)}
        hasOlder={events.length > pageEvents}
      />,
    )
  })
}

function readQuery(c: ConsoleContext, at: Timestamp) {
  const text = (name: string) => trimWhitespace(c.req.query(name) ?? "")
  const [subject, named] = text("kind").split(".")
  const kind: AuditKind | null = auditKinds.find((each) => each === subject) ?? null
  const action = kind && (auditActions[kind].find((each) => each === named) ?? null)
  const before = /^\d{1,15}$/.test(text("before")) ? Number(text("before")) : null
  const { days, from, to } = c.req.query()
  const isAll = !days && !from && !to
  const range = isAll ? null : parseListRange({ days, from, to }, at)
  return { username: text("account"), kind, action, range, before }
}

type Props = Readonly<{
  view: ConsoleView
  username: string
  account: ChosenAuthor | null
  kind: AuditKind | null
  /** Null for all actions of this kind. */
  action: string | null
  range: ChosenRange | null
  /** Whether no account has this username. */
  isUnknown: boolean
  events: readonly ListedAuditEvent[]
  hasOlder: boolean
}>

export const AuditPage = (props: Props) => {
  const { view, username, account, kind, action, range, isUnknown, events, hasOlder } = props
  const chosen = { account: username, kind: [kind, action].filter(Boolean).join(".") }
  const days = range === null ? {} : paramsOfRange(range)
  const query = { ...chosen, ...days }
  const texts = view.texts.audit
  return (
    <ConsolePage view={view} title={texts.title} author={account}>
      <p>{texts.intro}</p>
      <form method="get" action={paths.audit} class="filter" role="search">
        {Object.entries(days).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <Field
          name="account"
          label={texts.username}
          type="search"
          value={username}
          maxlength={255}
          error={isUnknown ? texts.unknown : null}
        />
        <div class="field">
          <label for="kind">{texts.kind}</label>
          <select id="kind" name="kind">
            <option value="">{texts.everything}</option>
            {auditKinds.map((each) => (
              <optgroup label={texts.kinds[each]}>
                <option value={each} selected={each === chosen.kind}>
                  {texts.allOf(texts.kinds[each])}
                </option>
                {Object.entries(texts.actions[each]).map(([name, text]) => (
                  <option value={`${each}.${name}`} selected={`${each}.${name}` === chosen.kind}>
                    {text}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        </div>
        <QuietButton>{texts.filter}</QuietButton>
      </form>
      <RangeNav
        view={view}
        range={range}
        others={[{ text: view.texts.sales.anyTime, params: {}, isChosen: range === null }]}
        linkTo={(params) => paths.auditAt({ ...chosen, ...params })}
      />
      {events.length === 0 ? (
        <p class="empty">
          {username === "" && kind === null && range === null ? texts.none : texts.noMatch}
        </p>
      ) : (
        <>
          <AuditTable view={view} events={events} />
          <p>
            <CsvLink view={view} path={paths.auditCsv(query)} />
          </p>
        </>
      )}
      {hasOlder && (
        <nav class="pager" aria-label={texts.title}>
          <span class="actions">
            <QuietLink
              href={paths.auditAt({ ...query, before: String(events.at(-1)?.id) })}
              rel="next"
            >
              {texts.older}
            </QuietLink>
          </span>
        </nav>
      )}
    </ConsolePage>
  )
}

type AuditTableProps = Readonly<{
  view: ConsoleView
  events: readonly ListedAuditEvent[]
  isOfOne?: boolean
}>

export const AuditTable = ({ view, events, isOfOne = false }: AuditTableProps) => {
  const texts = view.texts.audit
  return (
    <>
      <ShowCodeForm view={view} />
      <Table
        rows={events}
        columns={[
          { head: view.texts.log.when, cell: ({ at }) => <RelativeTime view={view} at={at} /> },
          {
            head: texts.who,
            cell: ({ actor }) => (
              <>
                {describeActor(texts, actor, isolateDirection)}{" "}
                <span class="hint mono">{actor.ipRange}</span>
              </>
            ),
          },
          {
            head: view.texts.settings.activity.what,
            cell: (event) => (
              <>
                {describeAction(texts, event)}{" "}
                {event.isByFeed !== undefined && (
                  <span class="hint">{texts.feedState(event.isByFeed, event.kind)}</span>
                )}
                {event.note !== undefined && (
                  <div>
                    <q>
                      <bdi>{event.note}</bdi>
                    </q>
                  </div>
                )}
              </>
            ),
          },
          {
            head: texts.subject,
            cell: (event) => (
              <>
                {describeMany(texts, event) ?? <bdi>{event.subjectName}</bdi>}{" "}
                <SubjectId event={event} />{" "}
                {(event.kind === "key" || event.kind === "purchase") && (
                  <CopyPreviousButton view={view} />
                )}
              </>
            ),
          },
          ...(isOfOne
            ? []
            : [{ head: view.texts.authors.author, class: "name", cell: AccountCell }]),
        ]}
      />
    </>
  )
}

const SubjectId = ({ event: { kind, subjectId } }: Readonly<{ event: ListedAuditEvent }>) => {
  if (kind === "purchase") return <CodeButton code={subjectId} />
  const path =
    kind === "key" ? paths.key(subjectId) : kind === "item" ? paths.item(Number(subjectId)) : null
  return path === null ? (
    <span class="hint mono clamp">{subjectId}</span>
  ) : (
    <span class="hint mono">
      <a href={path}>{subjectId}</a>
    </span>
  )
}

function describeActor(
  texts: PageTexts["audit"],
  { kind, name }: ListedAuditEvent["actor"],
  show: (name: string) => string,
): string {
  return kind === "operator" && name === "" ? texts.somebody : texts.actors[kind](show(name))
}

function csvColumns({
  texts: { audit, authors, purchases },
  texts,
}: ConsoleView): readonly CsvColumn<ListedAuditEvent>[] {
  return [
    { head: texts.lists.csv.inUtc(texts.log.when), cell: ({ at }) => csvTimestamp(at) },
    { head: audit.who, cell: ({ actor }) => describeActor(audit, actor, (name) => name) },
    { head: texts.columns.ipRange, cell: ({ actor }) => actor.ipRange },
    { head: texts.settings.activity.what, cell: (event) => describeAction(audit, event) },
    { head: audit.subject, cell: (event) => describeMany(audit, event) ?? event.subjectName },
    { head: texts.items.id, cell: ({ subjectId }) => subjectId },
    { head: authors.author, cell: ({ account }) => account?.username ?? null },
    { head: purchases.refunds.note, cell: ({ note }) => note ?? null },
  ]
}

/** Deleted accounts have no page. */
const AccountCell = ({ account }: Pick<ListedAuditEvent, "account">) => {
  if (account === null) return <span>–</span>
  const name = displayName(account.username, "–")
  return account.id === null ? (
    <bdi>{name}</bdi>
  ) : (
    <NamedLink href={paths.author(account.id)} name={name} />
  )
}

/** Null for a single event: its subject is shown instead. */
function describeMany(texts: PageTexts["audit"], { subjectId, action, count }: ListedAuditEvent) {
  const many: Readonly<Record<string, (n: number) => string>> = texts.many
  return subjectId === "" || count > 1 ? many[action]?.(count) : null
}

function describeAction({ actions }: PageTexts["audit"], { kind, action }: ListedAuditEvent) {
  const ofKind: Readonly<Record<string, string>> = actions[kind]
  return ofKind[action] ?? action
}
