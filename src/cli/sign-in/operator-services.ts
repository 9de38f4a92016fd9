/** Shared by the commands of operators: their services, and how a password or a link is given. */

import { commandLine } from "../../domain/sign-in/audit-event.ts"
import type { Invited } from "../../operations/sign-in/invite-account.ts"
import type {
  NewPassword,
  OperatorManagement,
} from "../../operations/sign-in/operators/manage-operator.ts"
import { createPasswordHasher } from "../../secrets/sign-in/password-hasher.ts"
import { tokens } from "../../secrets/sign-in/tokens.ts"
import type { App } from "../../server/app.ts"
import type { CommandContext } from "../frame/command.ts"
import { readFirstLine } from "../frame/first-line.ts"
import { readLinkBase } from "../frame/server-address.ts"

export const operatorServices = ({ store, now }: App): OperatorManagement => ({
  ...store,
  ...{ now, tokens, actor: commandLine, hasher: createPasswordHasher() },
})

export const readNewPassword = async (
  { readStandardInput }: CommandContext,
  isLink: boolean,
): Promise<NewPassword> => (isLink ? null : readFirstLine(readStandardInput()))

type Link = Readonly<{ url: string; expires_at: string }>

/** Null where a password was set instead. */
export async function linkFor(
  context: CommandContext,
  app: App,
  invited: Invited | null,
): Promise<Link | null> {
  if (invited === null) return null
  const url = `${await readLinkBase(context, app)}/console/invite/${invited.token}`
  return { url, expires_at: invited.expiresAt }
}

/** Prints the link, if one was made, and `done` on standard error. */
export async function reportOperator(
  context: CommandContext,
  isJson: boolean,
  name: string,
  link: Link | null,
  done: string,
): Promise<void> {
  if (isJson) return context.write(`${JSON.stringify({ name, ...link })}\n`)
  if (link !== null) await context.write(`${link.url}\n`)
  context.tell(done)
}
