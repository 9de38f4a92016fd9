import type { Account, AuthorFacts } from "../../domain/catalog/account.ts"
import type { Endpoint } from "../../domain/events/endpoint.ts"
import type { ListedAuditEvent } from "../../domain/sign-in/audit-event.ts"
import type { Suspension } from "../../domain/usage/operator-reads.ts"
import { formatTimestamp, type Timestamp } from "../../domain/values/time/timestamp.ts"
import { setSuspended } from "../../operations/catalog/account-operations.ts"
import { findOwnKey, revokeKey } from "../../operations/keys/key-operations.ts"
import { authorLink, inviteAuthor } from "../../operations/sign-in/invitation-operations.ts"
import { createSignInLink, removeAuthorTwoFactor } from "../../operations/sign-in/sign-in.ts"
import { DataTable } from "../pages/components/data-table.tsx"
import {
  CopyButton,
  Fact,
  isolateDirection,
  Panel,
  QuietLink,
  RelativeTime,
  SentenceWithTime,
} from "../pages/components/elements.tsx"
import { addFailureLists, readFailures } from "../pages/components/failed-requests.tsx"
import { requestsOfWeek } from "../pages/components/keys.tsx"
import { RequestsChart } from "../pages/components/usage-chart.tsx"
import { linkPath } from "../pages/paths.ts"
import { endpointColumns, pathOfEndpoint } from "../pages/webhooks/webhook-pages.tsx"
import { AuditTable } from "./audit-page.tsx"
import { AuthorState } from "./authors-page.tsx"
import {
  addConfirmedChange,
  isToBeSent,
  NoteField,
  noteIn,
  SendButton,
} from "./layout/confirm-change.tsx"
import {
  actorOf,
  type ConsoleApp,
  type ConsoleContext,
  type ConsoleView,
  may,
  viewOf,
} from "./layout/console-context.ts"
import { ConsolePage, nameOfAuthor } from "./layout/console-layout.tsx"
import { paths } from "./layout/console-paths.ts"
import type { ConsoleServices } from "./layout/console-services.ts"
import { findAuthor, parseAccountId } from "./layout/find-author.ts"

const eventsShown = 10

const idOf = (c: ConsoleContext) => parseAccountId(c.req.param("id") ?? "")

export function addAuthorRoutes(app: ConsoleApp, services: ConsoleServices): void {
  app.get(`${paths.authors}/:id`, (c) => showAuthor(c, services, null))
}

async function showAuthor(
  c: ConsoleContext,
  services: ConsoleServices,
  link: CreatedLink | null,
): Promise<Response> {
  const { authorSearch, authorTwoFactor, endpoints, operatorReads, audit, now } = services
  const account = await findAuthor(services, c.req.param("id"))
  const author = account && (await authorSearch.find(account.id, formatTimestamp(now())))
  if (account === null || author === null) return c.notFound()
  const suspensions = { accountId: author.id, kind: "account", action: "suspended" } as const
  const [suspended] = await audit.list(suspensions, null, 1)
  const view = link === null ? viewOf(c) : viewOf(c, viewOf(c).texts.notices[link.kind])
  return c.html(
    <AuthorPage
      // The form has another path; a change of language must open this page.
      view={{ ...view, path: paths.author(author.id) }}
      account={account}
      author={author}
      suspension={await operatorReads.findSuspension(author.id)}
      suspensionNote={suspended?.note}
      hasTwoFactor={(await authorTwoFactor.find(author.id)) !== null}
      link={link}
      endpoints={await endpoints.list(author.id)}
      events={await audit.list({ accountId: author.id, kind: null }, null, eventsShown)}
    />,
  )
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

type CreatedLink = Readonly<{
  kind: "invite" | "sign-in-link"
  url: string
  expiresAt: Timestamp
}>

type Props = Readonly<{
  view: ConsoleView
  account: Account
  author: AuthorFacts
  suspension: Suspension
  suspensionNote: string | undefined
  hasTwoFactor: boolean
  link: CreatedLink | null
  endpoints: readonly Endpoint[]
  events: readonly ListedAuditEvent[]
}>

const AuthorPage = (props: Props) => {
  const { view, account, author, link, endpoints, events } = props
  const texts = view.texts.authors
  return (
    <ConsolePage view={view} title={nameOfAuthor(account)} author={account}>
      {link !== null && (
        <LinkBox view={view} link={link} sentence={view.texts.authors.links[link.kind]} />
      )}
      <section class="panel">
        <Facts {...props} />
        <Actions {...props} />
      </section>
      {endpoints.length > 0 && (
        <Panel id="webhooks-title" title={view.texts.webhooks.title}>
          <DataTable
            view={view}
            columns={endpointColumns(view)}
            rows={endpoints}
            linkOf={({ id }) => pathOfEndpoint(paths.authorWebhooks(author.id), id)}
          />
        </Panel>
      )}
      <section class="panel" aria-labelledby="audit-title">
        <div class="head">
          <h2 id="audit-title">{view.texts.audit.title}</h2>
          <a href={paths.auditOf(author.username)}>{texts.allEvents}</a>
        </div>
        <AuditTable view={view} events={events} isOfOne />
      </section>
    </ConsolePage>
  )
}

type LinkBoxProps = Readonly<{
  view: ConsoleView
  link: Pick<CreatedLink, "url" | "expiresAt">
  sentence: (when: string) => string
}>

export const LinkBox = ({ view, link, sentence }: LinkBoxProps) => (
  <section class="panel">
    <p>
      <SentenceWithTime view={view} at={link.expiresAt} form="datetime" sentence={sentence} />
    </p>
    <div class="secret">
      <code>{link.url}</code>
      <CopyButton view={view} text={link.url} />
    </div>
  </section>
)

const Facts = ({ view, author, suspension, suspensionNote, hasTwoFactor }: Props) => {
  const { authors, columns, items, keys, purchases, sales, settings, twoFactor } = view.texts
  const { yes, no } = view.texts.words
  const number = (n: number) => n.toLocaleString(view.locale)
  return (
    <dl class="facts">
      <Fact name={columns.state} value={<AuthorState view={view} author={author} />} />
      <Fact name={authors.suspendedByShop} value={suspension.isByFeed ? yes : no} />
      <Fact name={authors.suspendedByOperator} value={suspension.isByOperator ? yes : no} />
      {suspension.isByOperator && suspensionNote !== undefined && (
        <Fact name={purchases.refunds.note} value={<bdi>{suspensionNote}</bdi>} />
      )}
      <Fact name={settings.profile.username} class="mono" value={<bdi>{author.username}</bdi>} />
      <Fact name={settings.profile.email} value={<bdi>{author.email}</bdi>} />
      <Fact name={twoFactor.title} value={hasTwoFactor ? twoFactor.enabled : twoFactor.disabled} />
      <Fact name={authors.requests}>
        <a href={paths.authorWeek(author.id)}>{number(author.calls)}</a>
      </Fact>
      <Fact name={items.title}>
        <a href={paths.itemsOf(author.id)}>{number(author.items)}</a>
      </Fact>
      <Fact name={keys.console.title}>
        <a href={paths.keysOf(author.id)}>{number(author.keys)}</a>
      </Fact>
      <Fact name={sales.title}>
        <a href={paths.salesOf(author.id)}>{number(author.purchases)}</a>
      </Fact>
      <Fact name={authors.lastSeen} value={<RelativeTime view={view} at={author.lastSeenAt} />} />
    </dl>
  )
}

const Actions = ({ view, author, suspension, hasTwoFactor }: Props) => {
  const texts = view.texts.authors.actions
  const available = authorActions.filter(
    (action) =>
      isAvailable(action, suspension, hasTwoFactor) &&
      may(view, action === "invite" ? "invite" : "manage"),
  )
  if (available.length === 0) return null
  return (
    <p class="actions">
      {available.map((action) => (
        <QuietLink href={`${paths.author(author.id)}/${action}`} data-dialog>
          {texts[action].submit}
        </QuietLink>
      ))}
    </p>
  )
}

export function addAuthorActionRoutes(app: ConsoleApp, services: ConsoleServices): void {
  const { authorMailing, authorTwoFactor, keys, operatorReads, usage, now, publicUrl } = services
  const actingAs = (c: ConsoleContext) => ({ ...services, actor: actorOf(c) })

  const linkOf = (token: string) => authorLink(publicUrl, token)

  const perform: Readonly<
    Record<
      AuthorAction,
      (c: ConsoleContext, account: Account) => Promise<CreatedLink | "sent" | null>
    >
  > = {
    async invite(c, account) {
      const mailing = isToBeSent(c) ? authorMailing : null
      const { token, expiresAt, isSent } = await inviteAuthor(
        { ...actingAs(c), invitations: services.authorInvitations, linkOf, mailing },
        account,
      )
      return isSent ? "sent" : { kind: "invite", url: linkOf(token), expiresAt }
    },
    async "sign-in-link"(c, account) {
      const { token, expiresAt } = await createSignInLink(actingAs(c), account)
      const url = `${publicUrl}${linkPath}/${token}`
      return { kind: "sign-in-link", url, expiresAt }
    },
    async "remove-factor"(c, account) {
      await removeAuthorTwoFactor(actingAs(c), authorTwoFactor, account)
      return null
    },
    async suspend(c, account) {
      await setSuspended(actingAs(c), account, true, noteIn(c))
      return null
    },
    async resume(c, account) {
      await setSuspended(actingAs(c), account, false, noteIn(c))
      return null
    },
  }

  for (const action of authorActions) {
    const isPossibleFor = async ({ id }: Account) =>
      isAvailable(
        action,
        await operatorReads.findSuspension(id),
        (await authorTwoFactor.find(id)) !== null,
      )

    addConfirmedChange(app, services, {
      path: `${paths.authors}/:id/${action}`,
      find: (c) => findAuthor(services, c.req.param("id")),
      findRedirect: async (account) =>
        (await isPossibleFor(account)) ? null : paths.author(account.id),
      confirm(view, account, c) {
        const { title, text, submit } = view.texts.authors.actions[action]
        return {
          title: title(isolateDirection(nameOfAuthor(account))),
          text,
          submit,
          isDangerous: action === "suspend" || action === "remove-factor",
          back: paths.author(account.id),
          fields: (action === "suspend" || action === "resume") && <NoteField c={c} />,
          others: action === "invite" && authorMailing?.addressOf(account) && (
            <SendButton view={view} />
          ),
        }
      },
      async apply(c, account) {
        // Submitted twice, or another operator was faster: nothing to do.
        const link = (await isPossibleFor(account)) ? await perform[action](c, account) : null
        if (link !== null && link !== "sent") return showAuthor(c, services, link)
        const done = link === "sent" ? "link_sent" : action
        return c.redirect(`${paths.author(account.id)}?done=${done}`, 303)
      },
    })
  }

  addConfirmedChange(app, services, {
    path: `${paths.authors}/:id/keys/:key/revoke`,
    async find(c) {
      const id = idOf(c)
      return id === null ? null : findOwnKey(keys, id, c.req.param("key") ?? "")
    },
    async confirm({ texts }, key) {
      const used = await usage.findByKey(key.id, formatTimestamp(now()))
      return {
        title: texts.keys.revoke.title(isolateDirection(key.name)),
        text: texts.authors.revoke(isolateDirection(key.username), requestsOfWeek(used)),
        submit: texts.keys.confirm.submit.revoke,
        isDangerous: true,
        back: paths.author(key.accountId),
      }
    },
    async apply(c, key) {
      await revokeKey(services.keyServices(actorOf(c)), key)
      return c.redirect(`${paths.author(key.accountId)}?done=revoke`, 303)
    },
  })
}

export const addAuthorUseRoutes = (app: ConsoleApp, services: ConsoleServices): void =>
  addFailureLists(app, {
    groups: paths.authorTraffic(":id"),
    requests: paths.authorRequests(":id"),
    async open(c, filters) {
      const author = await findAuthor(services, c.req.param("id"))
      if (author === null) return null
      const view = viewOf(c)
      const groupsPath = paths.authorTraffic(author.id)
      const failures = await readFailures(services, author.id, filters)
      const { range } = failures
      const days = await services.usage.listByDay(author.id, range)
      return {
        failures,
        groupsPath,
        requestsPath: paths.authorRequests(author.id),
        pathOfKey: paths.key,
        title: view.texts.traffic.title,
        page: (title, content) => (
          <ConsolePage view={view} title={title} author={author}>
            {content}
          </ConsolePage>
        ),
        chart: <RequestsChart view={view} range={range} days={days} logPath={groupsPath} />,
      }
    },
  })
