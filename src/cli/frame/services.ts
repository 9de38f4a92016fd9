import { commandLine } from "../../domain/sign-in/audit-event.ts"
import { createPasswordHasher } from "../../secrets/sign-in/password-hasher.ts"
import { tokens } from "../../secrets/sign-in/tokens.ts"
import type { App } from "../../server/app.ts"

/** What operations need from a command; the audit names the command line. */
export const servicesOf = ({ store, vault, now }: App) => ({
  ...store,
  vault,
  now,
  tokens,
  actor: commandLine,
  hasher: createPasswordHasher(),
})
