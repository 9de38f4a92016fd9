import * as shared from "../../pages/ask-password.ts"
import { type ConsoleContext, visitorOf } from "../frame/console-context.ts"
import type { ConsoleServices } from "../frame/services.ts"

export const passwordAskOf = (c: ConsoleContext, { now }: ConsoleServices) =>
  shared.passwordAskOf(visitorOf(c).session, now())

export function refusePassword(c: ConsoleContext, services: ConsoleServices) {
  const { operator, session } = visitorOf(c)
  const { passwords, sessions } = services.store.operatorSignIn
  return shared.refusePassword(c, { ...services, passwords, sessions }, operator, session)
}
