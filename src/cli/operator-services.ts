/** Shared by the commands of operators: their services, and how a password or a link is given. */
import type { App } from "../app.ts"
import { readConfig } from "../config.ts"
import { commandLine } from "../domain/audit-event.ts"
import { httpUrl } from "../domain/ip-address.ts"
import type { Invited } from "../operations/invite-account.ts"
import type { NewPassword, OperatorManagement } from "../operations/manage-operator.ts"
import { createPasswordHasher } from "../secrets/password-hasher.ts"
import { tokens } from "../secrets/tokens.ts"
import type { CommandContext } from "./command.ts"
import { readFirstLine } from "./first-line.ts"

export const operatorServices = ({ store, now }: App): OperatorManagement => ({
  ...store,
  ...{ now, tokens, actor: commandLine, hasher: createPasswordHasher() },
})

export const readNewPassword = async (
  { readStandardInput }: CommandContext,
  isLink: boolean,
): Promise<NewPassword> => (isLink ? null : readFirstLine(readStandardInput()))

/** Prints the link, if one was made, and `done` on standard error. */
export async function reportOperator(
  context: CommandContext,
  isJson: boolean,
  name: string,
  invited: Invited | null,
  done: string,
): Promise<void> {
  const { publicUrl, host, port } = readConfig(context.env)
  const base = publicUrl ?? httpUrl(host, port)
  const link = invited && {
    url: `${base}/console/invite/${invited.token}`,
    expires_at: invited.expiresAt,
  }
  if (isJson) return context.write(`${JSON.stringify({ name, ...link })}\n`)
  if (link !== null) await context.write(`${link.url}\n`)
  context.tell(done)
}
