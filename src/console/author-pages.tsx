import { AuditTable, NoteField, noteIn } from "../access/audit-pages.tsx"
import { may } from "../access/page-view.ts"
import { linkPath, paths, workspaceOf } from "../access/paths.ts"
import {
  type Account,
  type AuthorFacts,
  type AuthorSearch,
  type AuthorSort,
  accountBodyOf,
  authorCallDays,
  authorSorts,
  type Suspension,
} from "../accounts/account.ts"
import { findAuthor, setSuspended } from "../accounts/account-operations.ts"
import { inviteAuthor } from "../people/invitation-operations.ts"
import { isToBeSent, SendButton } from "../people/operator-pages.tsx"
import type { PeoplePageServices } from "../people/page-app.tsx"
import { invitationLink } from "../people/person-email-operations.ts"
import { removeTwoFactor } from "../people/security-operations.ts"
import { createSignInLink } from "../people/sign-in-operations.ts"
import { addConfirmedChange } from "../platform/pages/confirm.tsx"
import {
  currentView,
  inView,
  Page,
  type PageApp,
  type PageContext,
} from "../platform/pages/context.ts"
import { type Column, column } from "../platform/pages/data-table.tsx"
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
import { noticeTexts } from "../platform/pages/layout.tsx"
import { addList, readByOffset } from "../platform/pages/list.tsx"
import { currentLocale, t } from "../platform/t.ts"
import { formatTimestamp } from "../platform/time.ts"

type AuthorServices = PeoplePageServices & Readonly<{ authorSearch: AuthorSearch }>

export function addAuthorPages(app: PageApp, services: AuthorServices): void {
  addList(app, {
    path: paths.authors,
    file: "authors",
    // E-mail addresses must not be in URLs.
    isPrivate: true,
    open(_, { text, sort }) {
      const order: AuthorSort =
        authorSorts.find((each) => each === sort.replace(/^-/, "")) ?? authorSorts[0]
      const isDescending = sort === "" || sort.startsWith("-")
      return {
        columns: authorColumns(),
        read: (after, rowsMax) =>
          readByOffset(after, rowsMax, async (offset) => {
            const at = formatTimestamp(services.now())
            const query = { text, sort: order, isDescending, at, offset, rowsMax }
            const { authors, total } = await services.authorSearch.search(query)
            return { rows: authors, total }
          }),
        search: t("Name, e-mail or username"),
        linkOf: ({ id }: AuthorFacts) => paths.author(id),
        empty:
          text === ""
            ? t("No authors yet. Import them with “pazar import FILE”.")
            : t("No results match this filter."),
        page: (list) => <Page title={t("Authors")}>{list}</Page>,
      }
    },
  })

  app.get(`${paths.authors}/:id`, (c) => showAuthor(c, services, null))
  for (const action of authorActions) addAuthorAction(app, services, action)
}

function authorColumns(): readonly Column<AuthorFacts>[] {
  return [
    column(t("Author"), ({ fullName, username }) => displayName(fullName, username), {
      isWide: true,
    }),
    column(t("Username"), ({ username }) => username, { priority: 2, sort: "name" }),
    column(t("E-mail"), ({ email }) => email, { on: "csv" }),
    column(t("Status"), (author) => t(authorStateTexts[findState(author)]), {
      cell: (author) => <AuthorState author={author} />,
    }),
    { ...linkColumn(t("Requests, 7 days"), "calls", logOfWeek), sort: "calls" },
    linkColumn(t("Sales"), "purchases", ({ username }) => workspaceOf(username).sales),
    {
      ...linkColumn(t("Items"), "items", ({ username }) => workspaceOf(username).items),
      priority: 3,
    },
    {
      ...linkColumn(t("Keys"), "keys", ({ username }) => workspaceOf(username).keys),
      priority: 3,
    },
    column(t("Last active"), ({ lastSeenAt }) => lastSeenAt, {
      kind: "time",
      sort: "seen",
      priority: 2,
    }),
  ]
}

/** The days of the request counts. */
const logOfWeek = ({ username }: Pick<AuthorFacts, "username">) =>
  `${workspaceOf(username).log}?days=${authorCallDays}`

const linkColumn = (
  head: string,
  name: "calls" | "purchases" | "items" | "keys",
  linkTo: (author: AuthorFacts) => string,
): Column<AuthorFacts> => ({
  head,
  kind: "number",
  value: (author) => author[name],
  cell: (author) =>
    author[name] === 0 ? (
      "0"
    ) : (
      <a href={linkTo(author)}>{author[name].toLocaleString(currentLocale())}</a>
    ),
})

function findState({ isSuspended, hasPassword, isInvited, lastSeenAt }: AuthorFacts) {
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

export const AuthorState = ({ author }: { author: AuthorFacts }) => {
  const state = findState(author)
  return <Pill tone={tones[state]}>{t(authorStateTexts[state])}</Pill>
}

const eventsShown = 10

/** `link` was just created: it is shown once. */
async function showAuthor(c: PageContext, services: AuthorServices, link: CreatedLink | null) {
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
  // The form has another path; a change of language must open this page.
  const view = {
    ...currentView(),
    path: paths.author(accountId),
    ...(link !== null && { notice: t(noticeTexts[link.kind]) }),
  }
  const actions = authorActions.filter(
    (action) =>
      isAvailable(action, suspension, hasFactor) && may(action === "invite" ? "invite" : "manage"),
  )
  return inView(view, () =>
    c.html(
      <Page
        title={nameAuthor(account)}
        heading={<bdi>{nameAuthor(account)}</bdi>}
        action={
          <ButtonLink href={workspaceOf(author.username).home}>{t("Open workspace")}</ButtonLink>
        }
      >
        {link !== null && (
          <LinkBox link={link} sentence={(when) => t(linkTexts[link.kind], { when })} />
        )}
        <section class="panel">
          <Facts {...{ author, suspension, note, hasFactor }} />
          {actions.length > 0 && (
            <p class="actions">
              {actions.map((action) => (
                <QuietLink href={`${paths.author(accountId)}/${action}`} data-dialog>
                  {t(authorActionTexts[action].submit)}
                </QuietLink>
              ))}
            </p>
          )}
        </section>
        <section class="panel" aria-labelledby="audit-title">
          <div class="head">
            <h2 id="audit-title">{t("Audit log")}</h2>
            <a href={paths.auditOf(author.username)}>{t("All events # audit")}</a>
          </div>
          <AuditTable events={events} isOfOne />
        </section>
      </Page>,
    ),
  )
}

const nameAuthor = ({ body, username }: Account) =>
  displayName(accountBodyOf({ body }).name.full_name, username)

type FactsProps = Readonly<{
  author: AuthorFacts
  suspension: Suspension
  note: string | undefined
  hasFactor: boolean
}>

const Facts = ({ author, suspension, note, hasFactor }: FactsProps) => {
  const pages = workspaceOf(author.username)
  const linkCount = (n: number, href: string) => (
    <a href={href}>{n.toLocaleString(currentLocale())}</a>
  )
  return (
    <dl class="facts">
      <Fact name={t("Status")} value={<AuthorState author={author} />} />
      <Fact name={t("Suspended by import")} value={suspension.isByFeed ? t("Yes") : t("No")} />
      <Fact
        name={t("Suspended by an operator")}
        value={suspension.isByOperator ? t("Yes") : t("No")}
      />
      {suspension.isByOperator && note !== undefined && (
        <Fact name={t("Note")} value={<bdi>{note}</bdi>} />
      )}
      <Fact name={t("Username")} class="mono" value={<bdi>{author.username}</bdi>} />
      <Fact name={t("E-mail")} value={<bdi>{author.email}</bdi>} />
      <Fact
        name={t("Two-factor authentication (2FA)")}
        value={hasFactor ? t("Enabled") : t("Disabled")}
      />
      <Fact name={t("Requests, 7 days")} value={linkCount(author.calls, logOfWeek(author))} />
      <Fact name={t("Items")} value={linkCount(author.items, pages.items)} />
      <Fact name={t("Keys")} value={linkCount(author.keys, pages.keys)} />
      <Fact name={t("Sales")} value={linkCount(author.purchases, pages.sales)} />
      <Fact name={t("Last active")} value={<RelativeTime at={author.lastSeenAt} />} />
    </dl>
  )
}

async function findOwnerWithFactor(
  { people, twoFactor, passkeys }: AuthorServices,
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

function addAuthorAction(app: PageApp, services: AuthorServices, action: AuthorAction): void {
  const isPossible = async ({ id }: Account) =>
    isAvailable(
      action,
      await services.accounts.findSuspension(id),
      (await findOwnerWithFactor(services, id)) !== null,
    )

  addConfirmedChange(app, {
    path: `${paths.authors}/:id/${action}`,
    find: (c) => findAuthor(services, c.req.param("id")),
    findRedirect: async (account) =>
      (await isPossible(account)) ? null : paths.author(account.id),
    confirm(account, c) {
      const { title, text, submit } = authorActionTexts[action]
      const mayBeSent = services.mailing !== null && accountBodyOf(account).email !== ""
      return {
        title: t(title, { name: isolateDirection(nameAuthor(account)) }),
        text: t(text),
        submit: t(submit),
        isDangerous: action === "suspend" || action === "remove-factor",
        back: paths.author(account.id),
        fields: (action === "suspend" || action === "resume") && <NoteField c={c} />,
        others: action === "invite" && mayBeSent && <SendButton />,
      }
    },
    async apply(c, account) {
      // Submitted twice, or another operator was faster: nothing to do.
      const link = (await isPossible(account)) ? await perform(action, c, services, account) : null
      if (link !== null && link !== "sent") return showAuthor(c, services, link)
      const done = link === "sent" ? "link_sent" : action
      return c.redirect(`${paths.author(account.id)}?done=${done}`, 303)
    },
  })
}

/** Returns the created link; "sent" if it was sent by e-mail. */
async function perform(
  action: AuthorAction,
  c: PageContext,
  services: AuthorServices,
  account: Account,
) {
  const { mailing, publicUrl } = services
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

const authorStateTexts = {
  active: "Active",
  invited: "Invited",
  noPassword: "No password",
  suspended: "Suspended",
} as const

const linkTexts = {
  invite:
    "Send this link to the author. It works once, until {when}. This page shows it for five minutes, or until you create another link.",
  "sign-in-link": "This link signs the author in, once, until {when}.",
} as const

const authorActionTexts = {
  invite: {
    title: "Invite {name}",
    text: "Creates a link that works once within seven days. The author sets a password with it, which ends the author's sessions and other links.",
    submit: "Create invitation",
  },
  "sign-in-link": {
    title: "Sign-in link for {name}",
    text: "Creates a link that works once within two minutes and signs in without a password. It requires a code if the author uses 2FA. Whoever opens it acts as this author.",
    submit: "Create sign-in link",
  },
  "remove-factor": {
    title: "Remove 2FA of {name}",
    text: "For an author who lost both phone and recovery codes. The password or a link is then enough to sign in. Make sure that the request is from the author.",
    submit: "Remove 2FA",
  },
  suspend: {
    title: "Suspend {name}",
    text: "All keys of this author are rejected within a second, so products cannot validate purchases with them. Sessions end and sign-ins are rejected. No data is deleted. This override takes precedence over imports until an operator resumes the author.",
    submit: "Suspend",
  },
  resume: {
    title: "Resume {name}",
    text: "The author's keys are accepted again within a second, and the author can sign in. A later import can suspend the author again.",
    submit: "Resume",
  },
} as const
