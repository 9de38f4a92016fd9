import { commandLine } from "../../domain/sign-in/audit-event.ts"
import { requireAccount } from "../../operations/catalogue/require-account.ts"
import { inviteAuthor } from "../../operations/sign-in/invite-account.ts"
import { type InvitedAccount, inviteAccounts } from "../../operations/sign-in/invite-accounts.ts"
import { tokens } from "../../secrets/sign-in/tokens.ts"
import type { App } from "../../server/app.ts"
import { type CommandContext, createCommand, UsageError } from "../frame/command.ts"
import { readLinkBase } from "../frame/server-address.ts"
import { createTable } from "../frame/table.ts"
import { withApp } from "../frame/with-app.ts"

export const accountInvite = createCommand({
  name: "account invite",
  positionals: ["[USERNAME]"],
  options: {
    all: { type: "boolean" },
    "without-password": { type: "boolean" },
    json: { type: "boolean" },
  },
  summary: "print a link by which an author chooses a password",
  help: `A link works once, for seven days. It starts with PAZAR_PUBLIC_URL, or without it with the address of
the server that runs on this machine, else of HOST and PORT, with a warning.

--all invites every account that is not suspended, and with --without-password only those that have no
password yet. Links that were made before go on working. With --json each line is one object with username,
url and expires_at, written as the links are made.`,
  async run({ positionals: [username], values }, context) {
    if (values.all && username !== undefined) throw new UsageError("--all takes no USERNAME.")
    if (!values.all && values["without-password"])
      throw new UsageError("--without-password needs --all.")
    if (!values.all && username === undefined)
      throw new UsageError("Missing USERNAME, or --all for every account.")
    await withApp(context, async (app) => {
      const base = await readLinkBase(context, app)
      const toLink = ({ username, token, expiresAt }: InvitedAccount): Link => ({
        username,
        url: `${base}/invite/${token}`,
        expires_at: expiresAt,
      })
      if (username !== undefined) {
        const link = toLink(await inviteOne(app, username))
        return context.write(values.json ? renderJson([link]) : `${link.url}\n`)
      }
      const whom = values["without-password"] ? "without password" : "all"
      const render = createTable(context.terminal, ["USERNAME", "EXPIRES", "LINK"])
      let invited = 0
      const services = { ...app.store, tokens, now: app.now, actor: commandLine }
      for await (const page of inviteAccounts(services, whom)) {
        const links = page.map(toLink)
        await context.write(values.json ? renderJson(links) : render(links.map(toRow)))
        invited += links.length
        context.showProgress(`${invited.toLocaleString("en")} invited`)
      }
      return tellEnd(context, invited)
    })
    return 0
  },
})

type Link = Readonly<{ username: string; url: string; expires_at: string }>

async function inviteOne({ store, now }: App, username: string): Promise<InvitedAccount> {
  const account = await requireAccount(store.accounts, username)
  const services = { ...store, tokens, now, actor: commandLine }
  return { username, ...(await inviteAuthor(services, account)) }
}

const renderJson = (links: readonly Link[]) =>
  links.map((link) => `${JSON.stringify(link)}\n`).join("")

const toRow = ({ username, url, expires_at }: Link) => [username, expires_at, url]

function tellEnd({ showProgress, tell }: CommandContext, invited: number): void {
  showProgress("")
  if (invited === 0) tell("There is no account to invite.")
}
