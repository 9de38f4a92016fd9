import { memberRoles } from "../access/actor.ts"
import { noteUnitsMax } from "../access/audit-event.ts"
import { type Account, type AccountStore, accountBodyOf } from "../accounts/account.ts"
import { requireAccount, setSuspended } from "../accounts/account-operations.ts"
import type { ApiKeyStore } from "../keys/key.ts"
import {
  command,
  flag,
  jsonOnly,
  type OpenContext,
  option,
  UsageError,
} from "../platform/cli/command.ts"
import { createTable, toJson, writeList, writeRecord, writeResult } from "../platform/cli/output.ts"
import { checkUsernameOrAll, parseChoice, readFirstLine } from "../platform/cli/parse-options.ts"
import { UserError } from "../platform/error.ts"
import { formatCount, pluralize } from "../platform/text.ts"
import type { EventCipher } from "../webhooks/webhook.ts"
import { type InvitedAccount, inviteAccounts, inviteAuthor } from "./invitation-operations.ts"
import { invitationLink, recordPersonEvent } from "./person-email-operations.ts"
import { inviteMember } from "./person-operations.ts"
import { setPassword } from "./security-operations.ts"
import type { LinkMailing, PeopleCommandServices } from "./services.ts"
import { findOrCreateOwner } from "./sign-in-operations.ts"

type App = Readonly<{
  services: PeopleCommandServices & Readonly<{ keys: ApiKeyStore }>
  eventCipher: EventCipher
  createMailing(baseUrl: string): LinkMailing | null
  readLinkBaseUrl(): Promise<string>
}>

type Context = OpenContext<App>

export const commands = {
  "account list": command({
    options: jsonOnly,
    async run({ values }, context: Context) {
      await using app = await context.openApp()
      await writeList(context, values.json, readPages(app.services.accounts), {
        toObject: accountObject,
        header: ["USERNAME", "NAME", "E-MAIL", "REGISTERED", "STATE"],
        toCells(account) {
          const { name, email, registered_at } = accountBodyOf(account)
          const state = account.isSuspended ? "suspended" : ""
          return [account.username, name.full_name, email, registered_at, state]
        },
        none: "no accounts; import some with `pazar import FILE`",
      })
    },
  }),
  "account show": command({
    positionals: ["USERNAME"],
    options: jsonOnly,
    async run({ positionals: [username], values }, context: Context) {
      await using app = await context.openApp()
      const { accounts, keys } = app.services
      const found = await requireAccount(accounts, username)
      const { isByFeed, isByOperator } = await accounts.findSuspension(found.id)
      const by = { suspendedByFeed: isByFeed, suspendedByOperator: isByOperator }
      const account = accountBodyOf(found)
      await writeRecord(context, values.json, { ...accountObject(found), ...by }, [
        ["Username", username],
        ["Name", account.name.full_name],
        ["E-mail", account.email],
        ["Balance", `${account.balance} ${account.currency}`],
        ["Registered", account.registered_at],
        ["Heading", account.profile.heading],
        ["Keys", String((await keys.list(found.id)).length)],
        ["State", found.isSuspended ? "suspended" : "active"],
        ["Suspended by feed", isByFeed ? "yes" : "no"],
        ["Suspended by operator", isByOperator ? "yes" : "no"],
      ])
    },
  }),
  "account password": command({
    positionals: ["USERNAME"],
    help: `The command reads the password from the first line of standard input, so that it does not appear
in the process list:

  printf '%s' "$PASSWORD" | pazar account password USERNAME

It is that of the account's owner, who is created if there is none. A password has 12 to 256
characters. The name, the e-mail address and the 10,000 most common passwords are rejected. All
sessions, invitations and sign-in links of the owner become invalid.`,
    async run({ positionals: [username] }, context: Context) {
      const password = await readFirstLine(context)
      await using app = await context.openApp()
      const account = await requireAccount(app.services.accounts, username)
      const owner = await findOrCreateOwner(app.services, account)
      await setPassword(app.services, owner, password)
      await recordPersonEvent(app.services, owner, "password", account)
      context.printStderr(`set password of account ${username}`)
    },
  }),
  "account invite": command({
    positionals: ["[USERNAME]"],
    options: {
      role: option(
        "owner|developer|support",
        "invite a person to the team, with --email: owner: everything. developer: everything but people. support: sales, and releasing sites",
      ),
      email: option("ADDRESS", "of the person to invite to the team"),
      all: flag("invite every account that is not suspended"),
      "without-password": flag("with --all: only accounts without a password"),
      send: flag(
        "send the links by e-mail (PAZAR_SMTP_URL) and print only those of accounts without an e-mail address. A running server sends them",
      ),
      json: flag(
        'print one object per line: username, email (if known), url, expires_at; with --send also "sent", without url if it is true',
      ),
    },
    help: `Without --role, the link is for the account's owner, who sets a password. With --role and --email, it is
for a person who joins the team: a new one, or whoever is signed in and opens it.

A link is valid for seven days and can be used once. Earlier links stay valid until a password is
set. The base URL is PAZAR_PUBLIC_URL. If it is not set, it is the URL of the server on this machine,
or HOST and PORT with a warning.`,
    async run({ positionals: [username], values }, context: Context) {
      if (!values.all && values["without-password"])
        throw new UsageError("--without-password needs --all")
      const role = values.role === undefined ? null : parseChoice("role", memberRoles, values.role)
      const { email } = values
      if ((role === null) !== (email === undefined))
        throw new UsageError("--role and --email need each other")
      if (role !== null && values.all)
        throw new UsageError("--role invites a person to the team of one account; omit --all")
      checkUsernameOrAll(username, values.all)
      await using app = await context.openApp()
      const base = await app.readLinkBaseUrl()
      const linkOf = (token: string) => invitationLink(base, token)
      const mailing = values.send ? app.createMailing(base) : null
      if (values.send && mailing === null)
        throw new UserError("--send needs a mail server; set PAZAR_SMTP_URL")
      const services = { ...app.services, eventCipher: app.eventCipher, linkOf, mailing }
      const toLine = ({ token, expiresAt, isSent, ...invited }: InvitedAccount) => {
        const url = isSent ? {} : { url: linkOf(token) }
        return toJson({ ...invited, ...url, expiresAt, ...(values.send && { sent: isSent }) })
      }
      if (username !== undefined) {
        const account = await requireAccount(app.services.accounts, username)
        const invited =
          role === null || email === undefined
            ? await inviteAuthor(services, account)
            : { username, email, ...(await inviteMember(services, account, { email, role })) }
        if (values.json) return await context.write(toLine(invited))
        if (!invited.isSent) return await context.write(`${linkOf(invited.token)}\n`)
        return context.printStderr(`queued an e-mail to ${email ?? username}`)
      }
      const render = createTable(context.hasColors, ["USERNAME", "EXPIRES", "LINK"])
      let [total, sent] = [0, 0]
      const scope = values["without-password"] ? "without password" : "all"
      for await (const page of inviteAccounts(services, scope)) {
        const toRow = (each: InvitedAccount) => [each.username, each.expiresAt, linkOf(each.token)]
        const shown = page.filter(({ isSent }) => !isSent)
        if (values.json) await context.write(page.map(toLine).join(""))
        else if (shown.length > 0) await context.write(render(shown.map(toRow)))
        total += page.length
        sent += page.length - shown.length
        context.showProgress(`${formatCount(total)} invited`)
      }
      context.showProgress("")
      if (total === 0) context.printStderr("no accounts to invite")
      if (sent > 0) context.printStderr(`queued ${pluralize(sent, "e-mail")}`)
    },
  }),
  "account suspend": command({
    positionals: ["USERNAME"],
    options: {
      reason: option("TEXT", "shown in the console and the audit log, not to the author"),
      ...jsonOnly,
    },
    help: `Within a second, requests with its keys return 403 account_suspended, and its sessions end. Nothing
is deleted. This operator override takes precedence over the feed until \`account resume\`.`,
    async run({ positionals: [username], values }, context: Context) {
      const { reason = "" } = values
      if (reason.length > noteUnitsMax)
        throw new UsageError(`--reason has more than ${noteUnitsMax} characters`)
      await using app = await context.openApp()
      const account = await requireAccount(app.services.accounts, username)
      await setSuspended(app.services, account, true, reason)
      const state = { username, suspended: true }
      await writeResult(context, values.json, state, `suspended account ${username}`)
    },
  }),
  "account resume": command({
    positionals: ["USERNAME"],
    options: jsonOnly,
    help: `Its keys are valid again within a second. The command also ends a suspension by the feed, until the
feed sends "suspended":true again.`,
    async run({ positionals: [username], values }, context: Context) {
      await using app = await context.openApp()
      const account = await requireAccount(app.services.accounts, username)
      const { isByFeed } = await app.services.accounts.findSuspension(account.id)
      await setSuspended(app.services, account, false)
      const state = { username, suspended: false }
      await writeResult(context, values.json, state, `resumed account ${username}`)
      if (isByFeed) context.printStderr("the feed suspended this account and can suspend it again")
    },
  }),
}

const pageAccounts = 500

async function* readPages(accounts: AccountStore): AsyncGenerator<readonly Account[]> {
  let after = ""
  for (;;) {
    const page = await accounts.list(after, pageAccounts)
    const last = page.at(-1)
    if (last === undefined) return
    yield page
    after = last.username
  }
}

const accountObject = (account: Account) => ({
  ...accountBodyOf(account),
  suspended: account.isSuspended,
})
