import { readConfig } from "../../config/config.ts"
import { commandLine } from "../../domain/sign-in/audit-event.ts"
import { createPasswordHasher } from "../../secrets/sign-in/password-hasher.ts"
import { tokens } from "../../secrets/sign-in/tokens.ts"
import * as composition from "../../server/app.ts"
import type { CommandContext } from "./command.ts"

/** Opens the database for one command: `await using app = await openApp(context)`. */
export async function openApp({ env }: Pick<CommandContext, "env">) {
  const app = await composition.openApp(readConfig(env))
  const { store, keyCipher, now } = app
  const hasher = createPasswordHasher()
  // The audit log names the command line as the actor.
  const services = { ...store, keyCipher, now, tokens, hasher, actor: commandLine }
  return { ...app, services, [Symbol.asyncDispose]: app.close }
}
