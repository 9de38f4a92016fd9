import { ConsolePage } from "../console/frame.tsx"
import type { ConsoleServices } from "../console/services.ts"
import type { PageApp, View } from "../platform/pages/context.ts"
import { type Column, csvTimestamp, DataTable } from "../platform/pages/data-table.tsx"
import { allDays, FilterRange, parseListRange } from "../platform/pages/date-range.tsx"
import { displayName, formatDay, isolateDirection, NamedLink } from "../platform/pages/elements.tsx"
import { PostForm } from "../platform/pages/form-fields.tsx"
import { addList, cutPage, FilterSelect } from "../platform/pages/list.tsx"
import { dayAfter, formatTimestamp, type Timestamp } from "../platform/time.ts"
import { type ActorKind, actorKinds } from "./actor.ts"
import { auditActions, auditKinds, type ListedAuditEvent } from "./audit-event.ts"
import { paths, workspaceOf } from "./paths.ts"

export function addAuditRoutes(app: PageApp, services: ConsoleServices): void {
  const { accounts, audit, operators, now } = services

  addList(app, {
    path: paths.audit,
    file: "audit",
    filterNames: ["account", "kind", "actor", "days", "from", "to"],
    async open(c, { filters }) {
      const view = c.var.view
      const at = formatTimestamp(now())
      const { account: username, kind, actor, days, from, to } = filters
      const account = username === "" ? null : await accounts.findByUsername(username)
      const isAll = days === allDays || [days, from, to].every((each) => each === "")
      const range = isAll ? null : parseListRange({ days, from, to }, at)
      const filter = {
        accountId: account?.id ?? null,
        ...parseKind(kind),
        ...parseActor(actor),
        ...(range !== null && { range }),
      }
      const names = (await operators.list()).map(({ name }) => name)
      return {
        columns: auditColumns(view, account !== null),
        async read(after, rowsMax) {
          if (username !== "" && account === null) return { rows: [], next: null }
          const before = /^\d{1,15}$/.test(after ?? "") ? Number(after) : null
          const events = await audit.list(filter, before, rowsMax + 1)
          return cutPage(events, rowsMax, ({ id }) => String(id))
        },
        groupOf: (event) => dayOf(view, event, at),
        filters: (
          <>
            {username !== "" && <input type="hidden" name="account" value={username} />}
            <FilterSelect
              name="actor"
              label={view.texts.audit.who}
              every={view.texts.audit.anybody}
              options={actorOptions(view, names)}
              chosen={actor}
            />
            <FilterSelect
              name="kind"
              label={view.texts.audit.what}
              every={view.texts.audit.everything}
              options={kindOptions(view)}
              chosen={kind}
            />
            <FilterRange view={view} range={range} hasAllDays />
          </>
        ),
        empty: view.texts.lists.none,
        page: (list) => (
          <ConsolePage view={view} title={view.texts.audit.title}>
            <ShowCodeForm view={view} />
            {list}
          </ConsolePage>
        ),
      }
    },
  })
}

/** `key`, or with an action `key.revoked`. */
function parseKind(text: string) {
  const [subject, named] = text.split(".")
  const kind = auditKinds.find((each) => each === subject) ?? null
  const action = kind && auditActions[kind].find((each) => each === named)
  return { kind, ...(action && { action }) }
}

/** `operator`, or with a name `operator:ada`. */
function parseActor(text: string) {
  const [, kind, name] = /^([a-z]+)(?::(.*))?$/s.exec(text) ?? []
  const found = actorKinds.find((each) => each === kind)
  return found && { actor: { kind: found, ...(name !== undefined && { name }) } }
}

type Option = readonly [value: string, text: string]

const indent = (text: string) => `\u00a0\u00a0${text}`

const kindOptions = ({ texts: { audit } }: View) =>
  auditKinds.flatMap((kind): readonly Option[] => [
    [kind, audit.kinds[kind]],
    ...Object.entries(audit.actions[kind]).map(
      ([action, text]): Option => [`${kind}.${action}`, indent(text)],
    ),
  ])

function actorOptions({ texts: { audit, authors } }: View, operators: readonly string[]) {
  const { operator, token, feed } = audit.kinds
  const command = audit.actors.command("")
  const names = { operator, author: authors.title, command, token, feed }
  const people = operators.map((name): Option => [`operator:${name}`, indent(name)])
  return actorKinds.flatMap((kind): readonly Option[] => [
    [kind, names[kind]],
    ...(kind === "operator" ? people : []),
  ])
}

function dayOf({ texts, locale }: View, event: ListedAuditEvent, now: Timestamp): string {
  const day = event.at.slice(0, 10)
  if (day === now.slice(0, 10)) return texts.range.last(1)
  return dayAfter(day) === now.slice(0, 10) ? texts.audit.yesterday : formatDay(day, locale)
}

type AuditTableProps = Readonly<{
  view: View
  events: readonly ListedAuditEvent[]
  isOfOne?: boolean
}>

export const AuditTable = ({ view, events, isOfOne = false }: AuditTableProps) => {
  const [, ...columns] = auditColumns(view, isOfOne)
  return (
    <>
      <ShowCodeForm view={view} />
      <DataTable
        view={view}
        rows={events}
        columns={[
          { head: view.texts.columns.time, kind: "time", value: ({ at }) => at },
          ...columns,
        ]}
        empty={view.texts.audit.none}
      />
    </>
  )
}

/** The days of the list are in UTC, so its times are too. */
function auditColumns({ texts }: View, isOfOne: boolean): readonly Column<ListedAuditEvent>[] {
  const { audit } = texts
  const author: Column<ListedAuditEvent> = {
    head: texts.authors.author,
    priority: 3,
    value: ({ account }) => account?.username ?? null,
    /** Deleted accounts have no page. */
    cell({ account }) {
      if (account === null) return <span>–</span>
      const name = displayName(account.username, "–")
      if (account.id === null) return <bdi>{name}</bdi>
      return <NamedLink href={paths.author(account.id)} name={name} />
    },
  }
  return [
    {
      head: texts.lists.csv.inUtc(texts.columns.time),
      value: ({ at }) => csvTimestamp(at),
      cell: ({ at }) => <time datetime={at}>{at.slice(11, 19)}</time>,
    },
    {
      head: audit.who,
      value: ({ actor }) => describeActor(audit, actor, (name) => name),
      cell: ({ actor }) => describeActor(audit, actor, isolateDirection),
    },
    { head: audit.what, value: (event) => describeAction(audit, event) },
    {
      head: audit.subject,
      isWide: true,
      value: (event) =>
        [event.subjectName || event.subjectId, describeMany(audit, event)].join(" ").trim(),
      cell: (event) => <Subject audit={audit} event={event} />,
    },
    { head: texts.items.id, on: "csv", value: ({ subjectId }) => subjectId },
    { head: texts.purchases.refunds.note, on: "csv", value: ({ note }) => note ?? null },
    ...(isOfOne ? [] : [author]),
    { head: texts.columns.ipRange, priority: 3, value: ({ actor }) => actor.ipRange },
  ]
}

const showCodeId = "show-code"

/** One form for all these buttons of a page. */
const ShowCodeForm = ({ view }: Readonly<{ view: View }>) => (
  <PostForm view={view} action={paths.purchases} id={showCodeId} />
)

type Texts = View["texts"]["audit"]

const Subject = ({ audit, event }: Readonly<{ audit: Texts; event: ListedAuditEvent }>) => (
  <>
    {event.subjectId !== "" && <SubjectLink {...event} />} {describeMany(audit, event)}{" "}
    {event.isByFeed !== undefined && (
      <span class="hint" title={audit.feedState(event.isByFeed, event.kind)}>
        {audit.feedState(event.isByFeed, event.kind)}
      </span>
    )}{" "}
    {event.note !== undefined && (
      <q title={event.note}>
        <bdi>{event.note}</bdi>
      </q>
    )}
  </>
)

/** A code is in a button, because codes must not be in URLs. */
const SubjectLink = ({ kind, subjectId, subjectName, account }: ListedAuditEvent) => {
  const name = displayName(subjectName, subjectId)
  const workspace = account && workspaceOf(account.username)
  if (kind === "key" && workspace) return <NamedLink href={workspace.key(subjectId)} name={name} />
  if (kind === "item" && workspace)
    return <NamedLink href={`${workspace.items}/${subjectId}`} name={name} />
  if (kind !== "purchase") return <bdi>{name}</bdi>
  return (
    <>
      <button type="submit" class="link mono" form={showCodeId} name="q" value={subjectId}>
        {subjectId}
      </button>{" "}
      <bdi>{subjectName}</bdi>
    </>
  )
}

const describeActor = (
  texts: Texts,
  { kind, name }: Readonly<{ kind: ActorKind; name: string }>,
  show: (name: string) => string,
) => (kind === "operator" && name === "" ? texts.somebody : texts.actors[kind](show(name)))

/** How often it happened, or to how many. Empty for one event. */
function describeMany(texts: Texts, { subjectId, action, count }: ListedAuditEvent): string {
  const many: Readonly<Record<string, (n: number) => string>> = texts.many
  return (subjectId === "" || count > 1 ? many[action]?.(count) : null) ?? ""
}

function describeAction({ actions }: Texts, { kind, action }: ListedAuditEvent): string {
  const ofKind: Readonly<Record<string, string>> = actions[kind]
  return ofKind[action] ?? action
}
