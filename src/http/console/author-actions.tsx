/** Each change is asked for on a page of its own, and is in the audit. */
import { type Account, accountBodyOf } from "../../domain/catalogue/account.ts"
import type { StoredKey } from "../../domain/keys/api-key.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import { resumeAccount, suspendAccount } from "../../operations/catalogue/accounts.ts"
import { revokeKey } from "../../operations/keys/change-key.ts"
import { findOwnKey } from "../../operations/keys/find-key.ts"
import { recordAccountEvent } from "../../operations/record-event.ts"
import { inviteAuthor } from "../../operations/sign-in/invitation.ts"
import { keepNote } from "../../operations/sign-in/keep-note.ts"
import { createSignInLink } from "../../operations/sign-in/sign-in.ts"
import type { PasswordAsk } from "../pages/ask-password.ts"
import { isolate, shownName } from "../pages/parts/values.tsx"
import { linkPath } from "../pages/paths.ts"
import {
  type AuthorAction,
  authorActions,
  idOf,
  isPossible,
  linkNoteOf,
  type MadeLink,
} from "./author.tsx"
import {
  actorOf,
  type ConsoleApp,
  type ConsoleContext,
  type ConsoleView,
  viewOf,
} from "./frame/console-context.ts"
import { paths } from "./frame/console-paths.ts"
import type { ConsoleServices } from "./frame/services.ts"
import { ConfirmChangePage, passwordAskOf, refusePassword } from "./security.tsx"

export function addAuthorActionRoutes(app: ConsoleApp, services: ConsoleServices): void {
  const { accounts, keys, operatorReads, usage, now, publicUrl } = services
  const actingAs = (c: ConsoleContext) => ({ ...services, actor: actorOf(c) })

  async function findAuthor(c: ConsoleContext): Promise<Account | null> {
    const id = idOf(c)
    return id === null ? null : accounts.find(id)
  }

  const keepLink = (c: ConsoleContext, { id }: Account, link: MadeLink) =>
    keepNote(services, linkNoteOf(c, id), JSON.stringify(link))

  const perform: Readonly<
    Record<AuthorAction, (c: ConsoleContext, account: Account) => Promise<void>>
  > = {
    async invite(c, account) {
      const { token, expiresAt } = await inviteAuthor(
        { ...actingAs(c), invitations: services.authorInvitations },
        account,
      )
      await keepLink(c, account, { kind: "invite", url: `${publicUrl}/invite/${token}`, expiresAt })
    },
    async "sign-in-link"(c, account) {
      const { token, expiresAt } = await createSignInLink(actingAs(c), account)
      await recordAccountEvent(actingAs(c), account, "sign_in_link")
      const url = `${publicUrl}${linkPath}/${token}`
      await keepLink(c, account, { kind: "sign-in-link", url, expiresAt })
    },
    suspend: (c, account) => suspendAccount(actingAs(c), account),
    resume: (c, account) => resumeAccount(actingAs(c), account),
  }

  for (const action of authorActions) {
    const isPossibleFor = async ({ id }: Account) =>
      isPossible(action, await operatorReads.findSuspension(id))

    app.get(`${paths.authors}/:id/${action}`, async (c) => {
      const account = await findAuthor(c)
      if (account === null) return c.notFound()
      if (!(await isPossibleFor(account))) return c.redirect(paths.author(account.id), 303)
      const password = passwordAskOf(c, services)
      return c.html(
        <AuthorActionPage view={viewOf(c)} account={account} action={action} password={password} />,
      )
    })

    app.post(`${paths.authors}/:id/${action}`, async (c) => {
      const account = await findAuthor(c)
      if (account === null) return c.notFound()
      const password = await refusePassword(c, services)
      if (password !== null) {
        return c.html(
          <AuthorActionPage
            view={viewOf(c)}
            account={account}
            action={action}
            password={password}
          />,
          422,
        )
      }
      // Sent twice, or after another operator did it: there is nothing left to do.
      if (await isPossibleFor(account)) await perform[action](c, account)
      return c.redirect(`${paths.author(account.id)}?done=${action}`, 303)
    })
  }

  async function findKey(c: ConsoleContext) {
    const id = idOf(c)
    return id === null ? null : findOwnKey(keys, id, c.req.param("key") ?? "")
  }
  const revokePath = `${paths.authors}/:id/keys/:key/revoke`

  async function renderRevoke(c: ConsoleContext, key: StoredKey, password: PasswordAsk) {
    const used = await usage.findByKey(key.id, formatTimestamp(now()))
    return (
      <RevokeAuthorKeyPage
        view={viewOf(c)}
        keyOf={key}
        callsLastDay={used?.callsLastDay ?? 0}
        password={password}
      />
    )
  }

  app.get(revokePath, async (c) => {
    const key = await findKey(c)
    if (key === null) return c.notFound()
    return c.html(await renderRevoke(c, key, passwordAskOf(c, services)))
  })

  app.post(revokePath, async (c) => {
    const key = await findKey(c)
    if (key === null) return c.notFound()
    const password = await refusePassword(c, services)
    if (password !== null) return c.html(await renderRevoke(c, key, password), 422)
    await revokeKey(services.keyServices(actorOf(c)), key)
    return c.redirect(`${paths.author(key.accountId)}?done=revoke`, 303)
  })
}

type ActionProps = Readonly<{
  view: ConsoleView
  account: Account
  action: AuthorAction
  password: PasswordAsk
}>

const AuthorActionPage = ({ view, account, action, password }: ActionProps) => {
  const texts = view.texts.author.actions[action]
  const name = shownName(accountBodyOf(account).name.full_name, account.username)
  return (
    <ConfirmChangePage
      view={view}
      title={texts.title(isolate(name))}
      submit={texts.submit}
      isDangerous={action === "suspend"}
      back={paths.author(account.id)}
      password={password}
    >
      <p>{texts.text}</p>
    </ConfirmChangePage>
  )
}

type KeyProps = Readonly<{
  view: ConsoleView
  keyOf: StoredKey
  callsLastDay: number
  password: PasswordAsk
}>

const RevokeAuthorKeyPage = ({ view, keyOf, callsLastDay, password }: KeyProps) => {
  const words = view.words.keys.revoke
  return (
    <ConfirmChangePage
      view={view}
      title={words.title(isolate(keyOf.name))}
      submit={words.submit}
      isDangerous
      back={paths.author(keyOf.accountId)}
      password={password}
    >
      <p>{view.texts.author.revoke(isolate(keyOf.username), callsLastDay)}</p>
    </ConfirmChangePage>
  )
}
