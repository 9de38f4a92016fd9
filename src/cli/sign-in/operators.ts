/** `pazar operator`: those who sign in to the console. */
import type { Invited } from "../../operations/sign-in/invitation.ts"
import {
  createOperator,
  removeOperator,
  requireOperator,
  resetOperatorPassword,
  resetPasswordAndFactor,
} from "../../operations/sign-in/operators/manage-operator.ts"
import type { App } from "../../server/app.ts"
import { type CommandContext, createCommand, flag, jsonOnly, openApp } from "../frame/command.ts"
import { readFirstLine } from "../frame/input.ts"
import { report, writeList } from "../frame/output.ts"
import { readLinkBase } from "../frame/server-address.ts"

const create = createCommand({
  name: "operator create",
  positionals: ["NAME"],
  options: { link: flag, json: flag },
  summary: "make an operator, who signs in to the console",
  help: `The password is the first line of standard input, so that no list of processes shows it:

  printf '%s' "$PASSWORD" | pazar operator create NAME

It has 10 characters or more, and is not among the passwords that are guessed first. The console is at
/console; without an operator that path does not exist.

  --link  read no password; print a link by which the operator chooses one, once, within seven days
  --json  print {"name"}, and with --link also "url" and "expires_at"`,
  async run({ positionals: [name], values }, context) {
    const password = values.link ? null : await readFirstLine(context)
    await using app = await openApp(context)
    const link = await linkFor(context, app, await createOperator(app.services, name, password))
    await reportLink(context, values.json, name, link, `The operator ${name} is made.`)
  },
})

type Link = Readonly<{ url: string; expiresAt: string }>

/** Null where a password was set instead. */
async function linkFor(
  context: CommandContext,
  app: App,
  invited: Invited | null,
): Promise<Link | null> {
  if (invited === null) return null
  const url = `${await readLinkBase(context, app)}/console/invite/${invited.token}`
  return { url, expiresAt: invited.expiresAt }
}

async function reportLink(
  context: CommandContext,
  isJson: boolean,
  name: string,
  link: Link | null,
  done: string,
): Promise<void> {
  if (link !== null && !isJson) await context.write(`${link.url}\n`)
  await report(context, isJson, { name, ...link }, done)
}

const list = createCommand({
  name: "operator list",
  options: jsonOnly,
  summary: "list the operators",
  async run({ values }, context) {
    await using app = await openApp(context)
    await writeList(context, values.json, [await app.store.operators.list()], {
      toObject({ name, createdAt, hasPassword, hasSecondFactor, lastSeenAt }) {
        return { name, createdAt, password: hasPassword, totp: hasSecondFactor, lastSeenAt }
      },
      header: ["NAME", "CREATED", "PASSWORD", "SECOND FACTOR", "LAST SEEN"],
      toCells({ name, createdAt, hasPassword, hasSecondFactor, lastSeenAt }) {
        const password = hasPassword ? "set" : "not yet"
        return [name, createdAt, password, hasSecondFactor ? "on" : "off", lastSeenAt ?? ""]
      },
      none: "There are no operators: make one with `pazar operator create NAME`.",
    })
  },
})

const password = createCommand({
  name: "operator password",
  positionals: ["NAME"],
  options: { link: flag, "remove-totp": flag, json: flag },
  summary: "set an operator's password, read from standard input",
  help: `As for \`operator create\`. A new password ends every session of the operator.

  --link         read no password; print a link by which the operator chooses one. The old password works
                 until the link is used, but with --remove-totp it ends at once, and with it every session
  --remove-totp  also take the second factor away, for an operator who lost phone and recovery codes
  --json         print {"name"}, and with --link also "url" and "expires_at"`,
  async run({ positionals: [name], values }, context) {
    const password = values.link ? null : await readFirstLine(context)
    await using app = await openApp(context)
    const operator = await requireOperator(app.store.operators, name)
    const reset = values["remove-totp"] ? resetPasswordAndFactor : resetOperatorPassword
    const link = await linkFor(context, app, await reset(app.services, operator, password))
    const done = link === null ? `The password of ${name} is set.` : `The link is for ${name}.`
    await reportLink(context, values.json, name, link, done)
  },
})

const remove = createCommand({
  name: "operator remove",
  positionals: ["NAME"],
  options: jsonOnly,
  summary: "remove an operator and end their sessions",
  help: `The operator's actions stay in the audit. Without any operator the console does not exist.`,
  async run({ positionals: [name], values }, context) {
    await using app = await openApp(context)
    await removeOperator(app.services, await requireOperator(app.store.operators, name))
    await report(context, values.json, { name }, `The operator ${name} is removed.`)
  },
})

export const operatorCommands = [create, list, password, remove]
