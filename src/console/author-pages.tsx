import { AuditTable } from "../access/audit-pages.tsx"
import { linkPath, paths, workspaceOf } from "../access/paths.ts"
import {
  type Account,
  type AuthorFacts,
  type AuthorSort,
  accountBodyOf,
  authorCallDays,
  authorSorts,
  type Suspension,
} from "../accounts/account.ts"
import { setSuspended } from "../accounts/account-operations.ts"
import {
  addConfirmedChange,
  isToBeSent,
  NoteField,
  noteIn,
  SendButton,
} from "../people/confirm-pages.tsx"
import { inviteAuthor } from "../people/invitation-operations.ts"
import { invitationLink } from "../people/person-email-operations.ts"
import { createSignInLink, removeTwoFactor } from "../people/sign-in-operations.ts"
import { may, type PageApp, type PageContext, type View } from "../platform/pages/context.ts"
import type { Column } from "../platform/pages/data-table.tsx"
import {
  ButtonLink,
  displayName,
  Fact,
  isolateDirection,
  LinkBox,
  type LinkOnce,
  Pill,
  QuietLink,
  RelativeTime,
} from "../platform/pages/elements.tsx"
import { addList, readByOffset } from "../platform/pages/list.tsx"
import { formatTimestamp } from "../platform/time.ts"
import { findAuthor } from "./context.ts"
import { ConsolePage, nameOfAuthor, pageOf } from "./frame.tsx"
import type { ConsoleServices } from "./services.ts"

export function addAuthorsRoutes(app: PageApp, services: ConsoleServices): void {
  const { authorSearch, now } = services

  addList(app, {
    path: paths.authors,
    file: "authors",
    // E-mail addresses must not be in URLs.
    isPrivate: true,
    open(c, { text, sort }) {
      const view = c.var.view
      const texts = view.texts.authors
      const order: AuthorSort =
        authorSorts.find((each) => each === sort.replace(/^-/, "")) ?? authorSorts[0]
      const isDescending = sort === "" || sort.startsWith("-")
      return {
        columns: authorColumns(view),
        read: (after, rowsMax) =>
          readByOffset(after, rowsMax, async (offset) => {
            const at = formatTimestamp(now())
            const query = { text, sort: order, isDescending, at, offset, rowsMax }
            const { authors, total } = await authorSearch.search(query)
            return { rows: authors, total }
          }),
        search: texts.search,
        linkOf: ({ id }: AuthorFacts) => paths.author(id),
        empty: text === "" ? texts.none : view.texts.lists.none,
        page: pageOf(view, texts.title),
      }
    },
  })

  app.get(`${paths.authors}/:id`, (c) => showAuthor(c, services, null))
  addActionRoutes(app, services)
}

function authorColumns(view: View): readonly Column<AuthorFacts>[] {
  const { authors: texts, columns, items, keys, sales, settings } = view.texts
  return [
    {
      head: texts.author,
      isWide: true,
      value: ({ fullName, username }) => displayName(fullName, username),
    },
    {
      head: settings.profile.username,
      priority: 2,
      sort: "name",
      value: ({ username }) => username,
    },
    { head: settings.profile.email, on: "csv", value: ({ email }) => email },
    {
      head: columns.state,
      value: (author) => texts[stateOfAuthor(author)],
      cell: (author) => <AuthorState view={view} author={author} />,
    },
    {
      ...linkColumn(view, texts.requests, "calls", logOfWeek),
      sort: "calls",
    },
    linkColumn(view, sales.title, "purchases", ({ username }) => workspaceOf(username).sales),
    {
      ...linkColumn(view, items.title, "items", ({ username }) => workspaceOf(username).items),
      priority: 3,
    },
    {
      ...linkColumn(view, keys.console.title, "keys", ({ username }) => workspaceOf(username).keys),
      priority: 3,
    },
    {
      head: texts.lastSeen,
      kind: "time",
      sort: "seen",
      priority: 2,
      value: ({ lastSeenAt }) => lastSeenAt,
    },
  ]
}

/** The days of the request counts. */
const logOfWeek = ({ username }: Pick<AuthorFacts, "username">) =>
  `${workspaceOf(username).log}?days=${authorCallDays}`

const linkColumn = (
  { locale }: View,
  head: string,
  name: "calls" | "purchases" | "items" | "keys",
  linkTo: (author: AuthorFacts) => string,
): Column<AuthorFacts> => ({
  head,
  kind: "number",
  value: (author) => author[name],
  cell: (author) =>
    author[name] === 0 ? "0" : <a href={linkTo(author)}>{author[name].toLocaleString(locale)}</a>,
})

function stateOfAuthor({ isSuspended, hasPassword, isInvited, lastSeenAt }: AuthorFacts) {
  if (isSuspended) return "suspended"
  if (hasPassword || lastSeenAt !== null) return "active"
  return isInvited ? "invited" : "noPassword"
}

const tones = {
  suspended: "danger",
  invited: "plain",
  noPassword: "plain",
  active: "good",
} as const

export const AuthorState = ({ view, author }: { view: View; author: AuthorFacts }) => {
  const state = stateOfAuthor(author)
  return <Pill tone={tones[state]}>{view.texts.authors[state]}</Pill>
}

const eventsShown = 10

/** `link` was just created: it is shown once. */
async function showAuthor(c: PageContext, services: ConsoleServices, link: CreatedLink | null) {
  const { authorSearch, accounts, audit, now } = services
  const account = await findAuthor(services, c.req.param("id"))
  const author = account && (await authorSearch.find(account.id, formatTimestamp(now())))
  if (account === null || author === null) return c.notFound()
  const accountId = author.id
  const events = await audit.list({ accountId, kind: null }, null, eventsShown)
  const suspension = await accounts.findSuspension(accountId)
  const suspended = { accountId, kind: "account", action: "suspended" } as const
  const [{ note = undefined } = {}] = await audit.list(suspended, null, 1)
  const hasFactor = (await findOwnerWithFactor(services, accountId)) !== null
  const { texts: all, notice } = c.var.view
  const shown = { notice: link === null ? notice : all.notices[link.kind] }
  // The form has another path; a change of language must open this page.
  const view = { ...c.var.view, ...shown, path: paths.author(accountId) }
  const pages = workspaceOf(author.username)
  const { authors: texts, columns, items, keys, purchases, sales, settings, twoFactor } = view.texts
  const { yes, no } = view.texts.words
  const count = (n: number, href: string) => <a href={href}>{n.toLocaleString(view.locale)}</a>
  const actions = authorActions.filter(
    (action) =>
      isAvailable(action, suspension, hasFactor) &&
      may(view, action === "invite" ? "invite" : "manage"),
  )
  return c.html(
    <ConsolePage
      view={view}
      title={nameOfAuthor(account)}
      heading={<bdi>{nameOfAuthor(account)}</bdi>}
      action={<ButtonLink href={pages.home}>{view.texts.landing.open}</ButtonLink>}
    >
      {link !== null && <LinkBox view={view} link={link} sentence={texts.links[link.kind]} />}
      <section class="panel">
        <dl class="facts">
          <Fact name={columns.state} value={<AuthorState view={view} author={author} />} />
          <Fact name={texts.suspendedByShop} value={suspension.isByFeed ? yes : no} />
          <Fact name={texts.suspendedByOperator} value={suspension.isByOperator ? yes : no} />
          {suspension.isByOperator && note !== undefined && (
            <Fact name={purchases.refunds.note} value={<bdi>{note}</bdi>} />
          )}
          <Fact
            name={settings.profile.username}
            class="mono"
            value={<bdi>{author.username}</bdi>}
          />
          <Fact name={settings.profile.email} value={<bdi>{author.email}</bdi>} />
          <Fact name={twoFactor.title} value={hasFactor ? twoFactor.enabled : twoFactor.disabled} />
          <Fact name={texts.requests} value={count(author.calls, logOfWeek(author))} />
          <Fact name={items.title} value={count(author.items, pages.items)} />
          <Fact name={keys.console.title} value={count(author.keys, pages.keys)} />
          <Fact name={sales.title} value={count(author.purchases, pages.sales)} />
          <Fact name={texts.lastSeen} value={<RelativeTime view={view} at={author.lastSeenAt} />} />
        </dl>
        {actions.length > 0 && (
          <p class="actions">
            {actions.map((action) => (
              <QuietLink href={`${paths.author(accountId)}/${action}`} data-dialog>
                {texts.actions[action].submit}
              </QuietLink>
            ))}
          </p>
        )}
      </section>
      <section class="panel" aria-labelledby="audit-title">
        <div class="head">
          <h2 id="audit-title">{view.texts.audit.title}</h2>
          <a href={paths.auditOf(author.username)}>{texts.allEvents}</a>
        </div>
        <AuditTable view={view} events={events} isOfOne />
      </section>
    </ConsolePage>,
  )
}

async function findOwnerWithFactor(
  { people, twoFactor, passkeys }: Pick<ConsoleServices, "people" | "twoFactor" | "passkeys">,
  accountId: number,
) {
  const owner = await people.findOwner(accountId)
  if (owner === null) return null
  const hasFactor = (await twoFactor.find(owner.id)) !== null
  return hasFactor || (await passkeys.list(owner.id)).length > 0 ? owner : null
}

const authorActions = ["invite", "sign-in-link", "remove-factor", "suspend", "resume"] as const
type AuthorAction = (typeof authorActions)[number]

/** An operator can suspend an author whom an import has suspended, so that later imports do not resume the author. */
function isAvailable(
  action: AuthorAction,
  { isByFeed, isByOperator }: Suspension,
  hasFactor: boolean,
): boolean {
  if (action === "remove-factor") return hasFactor
  if (action === "suspend") return !isByOperator
  return (action === "resume") === (isByFeed || isByOperator)
}

type CreatedLink = LinkOnce & Readonly<{ kind: "invite" | "sign-in-link" }>

function addActionRoutes(app: PageApp, services: ConsoleServices): void {
  const { mailing, accounts, publicUrl } = services

  /** Returns the created link; "sent" if it was sent by e-mail. */
  async function perform(action: AuthorAction, c: PageContext, account: Account) {
    const acting = { ...services, actor: c.var.actor }
    if (action === "invite") {
      const linkOf = (token: string) => invitationLink(publicUrl, token)
      const inviting = { ...acting, linkOf, mailing: isToBeSent(c) ? mailing : null }
      const { token, expiresAt, isSent } = await inviteAuthor(inviting, account)
      return isSent ? "sent" : { kind: action, url: linkOf(token), expiresAt }
    }
    if (action === "sign-in-link") {
      const { token, expiresAt } = await createSignInLink(acting, account)
      return { kind: action, url: `${publicUrl}${linkPath}/${token}`, expiresAt }
    }
    if (action === "remove-factor") {
      const owner = await findOwnerWithFactor(services, account.id)
      if (owner !== null) await removeTwoFactor(acting, owner, account)
    } else await setSuspended(acting, account, action === "suspend", noteIn(c))
    return null
  }

  for (const action of authorActions) {
    const isPossibleFor = async ({ id }: Account) =>
      isAvailable(
        action,
        await accounts.findSuspension(id),
        (await findOwnerWithFactor(services, id)) !== null,
      )

    addConfirmedChange(app, services, {
      Layout: ConsolePage,
      path: `${paths.authors}/:id/${action}`,
      find: (c) => findAuthor(services, c.req.param("id")),
      findRedirect: async (account) =>
        (await isPossibleFor(account)) ? null : paths.author(account.id),
      confirm(view, account, c) {
        const texts = view.texts.authors.actions[action]
        return {
          ...texts,
          title: texts.title(isolateDirection(nameOfAuthor(account))),
          isDangerous: action === "suspend" || action === "remove-factor",
          back: paths.author(account.id),
          fields: (action === "suspend" || action === "resume") && <NoteField c={c} />,
          others: action === "invite" && mailing && accountBodyOf(account).email !== "" && (
            <SendButton view={view} />
          ),
        }
      },
      async apply(c, account) {
        // Submitted twice, or another operator was faster: nothing to do.
        const link = (await isPossibleFor(account)) ? await perform(action, c, account) : null
        if (link !== null && link !== "sent") return showAuthor(c, services, link)
        const done = link === "sent" ? "link_sent" : action
        return c.redirect(`${paths.author(account.id)}?done=${done}`, 303)
      },
    })
  }
}
