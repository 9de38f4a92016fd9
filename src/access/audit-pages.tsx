import { Page, type PageApp, type PageContext } from "../platform/pages/context.ts"
import { csvTimestamp } from "../platform/pages/csv.ts"
import { type Column, column, DataTable } from "../platform/pages/data-table.tsx"
import { allDays, FilterRange, parseListRange } from "../platform/pages/date-range.tsx"
import {
  displayName,
  Field,
  formatDay,
  isolateDirection,
  NamedLink,
  PostForm,
} from "../platform/pages/elements.tsx"
import { addList, cutPage, FilterSelect } from "../platform/pages/list.tsx"
import { type PlainKey, t } from "../platform/t.ts"
import { trimWhitespace } from "../platform/text.ts"
import { dayAfter, formatTimestamp, type Timestamp } from "../platform/time.ts"
import { type ActorKind, actorKinds } from "./actor.ts"
import {
  type AuditStore,
  auditActions,
  auditKinds,
  type ListedAuditEvent,
  noteUnitsMax,
} from "./audit-event.ts"
import { paths, workspaceOf } from "./paths.ts"

type AuditPageServices = Readonly<{
  audit: AuditStore
  accounts: Readonly<{ findByUsername(username: string): Promise<Readonly<{ id: number }> | null> }>
  operators: Readonly<{ list(): Promise<readonly Readonly<{ name: string }>[]> }>
  now: () => Date
}>

export function addAuditPages(app: PageApp, services: AuditPageServices): void {
  const { accounts, audit, operators, now } = services

  addList(app, {
    path: paths.audit,
    file: "audit",
    filterNames: ["account", "kind", "actor", "days", "from", "to"],
    async open(_, { filters }) {
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
        columns: auditColumns(account !== null),
        async read(after, rowsMax) {
          if (username !== "" && account === null) return { rows: [], next: null }
          const before = /^\d{1,15}$/.test(after ?? "") ? Number(after) : null
          const events = await audit.list(filter, before, rowsMax + 1)
          return cutPage(events, rowsMax, ({ id }) => String(id))
        },
        groupOf: (event) => describeDay(event, at),
        filters: (
          <>
            {username !== "" && <input type="hidden" name="account" value={username} />}
            <FilterSelect
              name="actor"
              label={t("Who")}
              every={t("Anyone")}
              options={actorOptions(names)}
              chosen={actor}
            />
            <FilterSelect
              name="kind"
              label={t("Action")}
              every={t("All actions")}
              options={kindOptions()}
              chosen={kind}
            />
            <FilterRange range={range} hasAllDays />
          </>
        ),
        empty: t("No results match this filter."),
        page: (list) => (
          <Page title={t("Audit log")}>
            <ShowCodeForm />
            {list}
          </Page>
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

const kindOptions = () =>
  auditKinds.flatMap((kind): readonly Option[] => [
    [kind, t(auditKindTexts[kind])],
    ...Object.entries(auditActionTexts[kind]).map(
      ([action, text]): Option => [`${kind}.${action}`, indent(t(text))],
    ),
  ])

function actorOptions(operators: readonly string[]) {
  const names = {
    operator: t("Operators"),
    author: t("Authors"),
    command: t("Command line"),
    token: t("Operator tokens"),
    feed: t("Imports"),
  }
  const people = operators.map((name): Option => [`operator:${name}`, indent(name)])
  return actorKinds.flatMap((kind): readonly Option[] => [
    [kind, names[kind]],
    ...(kind === "operator" ? people : []),
  ])
}

function describeDay(event: ListedAuditEvent, now: Timestamp): string {
  const day = event.at.slice(0, 10)
  if (day === now.slice(0, 10)) return t("Today")
  return dayAfter(day) === now.slice(0, 10) ? t("Yesterday") : formatDay(day)
}

export const AuditTable = ({
  events,
  isOfOne = false,
}: Readonly<{ events: readonly ListedAuditEvent[]; isOfOne?: boolean }>) => {
  const [, ...columns] = auditColumns(isOfOne)
  return (
    <>
      <ShowCodeForm />
      <DataTable
        rows={events}
        columns={[{ head: t("When"), kind: "time", value: ({ at }) => at }, ...columns]}
        empty={t("No events yet.")}
      />
    </>
  )
}

/** The days of the list are in UTC, so its times are too. */
function auditColumns(isOfOne: boolean): readonly Column<ListedAuditEvent>[] {
  const author: Column<ListedAuditEvent> = {
    head: t("Author"),
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
    column(t("{head} (UTC)", { head: t("When") }), ({ at }) => csvTimestamp(at), {
      cell: ({ at }) => <time datetime={at}>{at.slice(11, 19)}</time>,
    }),
    column(t("Who"), ({ actor }) => describeActor(actor, (name) => name), {
      cell: ({ actor }) => describeActor(actor, isolateDirection),
    }),
    column(t("Action"), ({ kind, action }) => {
      const texts: Readonly<Record<string, PlainKey>> = auditActionTexts[kind]
      const text = texts[action]
      return text === undefined ? action : t(text)
    }),
    column(
      t("Subject"),
      (event) => [event.subjectName || event.subjectId, describeMany(event)].join(" ").trim(),
      { isWide: true, cell: (event) => <Subject event={event} /> },
    ),
    column(t("ID"), ({ subjectId }) => subjectId, { on: "csv" }),
    column(t("Note"), ({ note }) => note ?? null, { on: "csv" }),
    ...(isOfOne ? [] : [author]),
    column(t("IP range"), ({ actor }) => actor.ipRange, { priority: 3 }),
  ]
}

const showCodeId = "show-code"

/** One form for all these buttons of a page. */
const ShowCodeForm = () => <PostForm action={paths.purchases} id={showCodeId} />

const Subject = ({ event }: Readonly<{ event: ListedAuditEvent }>) => (
  <>
    {event.subjectId !== "" && <SubjectLink {...event} />} {describeMany(event)}{" "}
    {event.isByFeed !== undefined && (
      <span class="hint" title={describeFeedState(event.isByFeed, event.kind)}>
        {describeFeedState(event.isByFeed, event.kind)}
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
  { kind, name }: Readonly<{ kind: ActorKind; name: string }>,
  show: (name: string) => string,
) => (kind === "operator" && name === "" ? t("Unknown") : t(actorTexts[kind], { name: show(name) }))

/** How often it happened, or to how many. Empty for one event. */
function describeMany({ subjectId, action, count }: ListedAuditEvent): string {
  const text = new Map(Object.entries(manyTexts)).get(action)
  return text !== undefined && (subjectId === "" || count > 1) ? t(text, { n: count }) : ""
}

/** The submitted note. Empty on the confirmation page. */
export const noteIn = (c: PageContext) =>
  c.req.method === "POST"
    ? trimWhitespace(c.get("form").text("note").slice(0, noteUnitsMax).toWellFormed())
    : ""

export const NoteField = ({ c }: { c: PageContext }) => (
  <Field
    name="note"
    label={t("Note")}
    value={noteIn(c)}
    hint={t("Only operators see the note, here and in the audit log.")}
    maxlength={noteUnitsMax}
    autocomplete="off"
  />
)

const auditKindTexts = {
  key: "Keys",
  account: "Accounts",
  person: "People",
  item: "Items",
  purchase: "Purchases",
  operator: "Operators",
  feed: "Imports",
  token: "Operator tokens",
  signing_key: "Signing keys",
  webhook: "Webhooks",
} as const

const auditActionTexts = {
  key: {
    created: "Key created",
    revealed: "Key revealed",
    renamed: "Key renamed",
    replaced: "Key rotated",
    revoked: "Key revoked",
  },
  account: {
    invited: "Invitation created",
    sign_in_link: "Sign-in link created",
    member_owner: "Member: owner",
    member_developer: "Member: developer",
    member_support: "Member: support",
    member_removed: "Member removed",
    suspended: "Suspended # action",
    resumed: "Resumed",
    feed_word: "State changed by import",
  },
  person: {
    email: "E-mail address changed",
    password: "Password set",
    invited: "Link to a new password created",
    removed: "Person deleted",
    rejected: "Rejected: not allowed",
    passkey_added: "Passkey added",
    passkey_removed: "Passkey removed",
    second_factor_on: "2FA enabled",
    second_factor_off: "2FA disabled",
    identity_connected: "Single sign-on connected",
    identity_removed: "Single sign-on disconnected",
  },
  item: {
    moved: "Item moved to another author",
    key_revoked: "Previous author’s key revoked for an item",
    site_limit: "Site limit set",
  },
  purchase: {
    refunded: "Marked as refunded",
    refund_taken_back: "Refund undone",
    feed_word: "State changed by import",
    site_released: "Site released",
    site_restored: "Release undone",
    site_limit: "Site limit set",
  },
  operator: {
    invited: "Operator invited",
    removed: "Operator deleted",
    role_admin: "Role set to admin",
    role_support: "Role set to support",
    role_viewer: "Role set to viewer",
    second_factor_required: "2FA required for operators",
    second_factor_optional: "2FA made optional for operators",
    signed_in: "Operator sign-in",
    sign_in_failed: "Operator sign-in failed",
    sign_in_slowed: "Operator sign-in rate limited",
    rejected: "Rejected: not allowed",
  },
  feed: { pushed: "Records pushed", keys: "Keys imported" },
  token: { created: "Token created", replaced: "Token rotated", removed: "Token deleted" },
  signing_key: { rotated: "Signing key rotated", removed: "Compromised signing key removed" },
  webhook: {
    created: "Webhook created",
    changed: "Webhook updated",
    revealed: "Webhook secret revealed",
    replaced: "Webhook secret rotated",
    turned_off: "Webhook disabled",
    turned_on: "Webhook enabled",
    redelivered: "Webhook event redelivered",
    removed: "Webhook deleted",
  },
} as const

const actorTexts = {
  author: "{name}",
  operator: "Operator {name}",
  command: "Command line",
  token: "Token {name}",
  feed: "Import {name}",
} as const

/** The imported state before an operator override, or the new one. */
function describeFeedState(isByFeed: boolean, kind: string): string {
  if (kind === "account")
    return isByFeed ? t("Imported state: suspended") : t("Imported state: not suspended")
  return isByFeed ? t("Imported state: refunded") : t("Imported state: not refunded")
}

/** How often, or of how many. */
const manyTexts = {
  signed_in: "{n time|times}",
  sign_in_failed: "{n time|times}",
  rejected: "{n time|times}",
  redelivered: "{n time|times}",
  sign_in_slowed: "{n time|times}",
  invited: "{n invitation|invitations}",
  pushed: "{n record|records}",
  keys: "{n key|keys}",
} as const
