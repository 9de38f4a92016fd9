import type { Account } from "../../domain/catalog/account.ts"
import type { Assertion, Registration } from "../../domain/sign-in/passkey.ts"
import type { Person } from "../../domain/sign-in/person.ts"
import { DomainError } from "../../domain/values/error.ts"
import { trimWhitespace } from "../../domain/values/text.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import type { Needs } from "../operation.ts"
import type { Notifying } from "../person-emails.ts"
import { type Recording, recordPersonEvent } from "../record-event.ts"
import {
  areSuspended,
  reportRejectedSignIn,
  type SessionStart,
  type SignedIn,
  startSession,
  type Visit,
} from "./session-operations.ts"

type Passkeys = Needs<"passkeys" | "passkeyVerifier">

const nameUnitsMax = 100

/** Returns false for an invalid response, a registered passkey, and beyond `passkeysMax`. */
export async function addPasskey(
  services: Passkeys & Recording & Notifying,
  person: Person,
  registration: Registration & Readonly<{ name: string }>,
  account: Account | null,
): Promise<boolean> {
  const { passkeys, passkeyVerifier, now } = services
  const credential = passkeyVerifier.readRegistration(registration)
  if (credential === null) return false
  const name = trimWhitespace(registration.name.slice(0, nameUnitsMax).toWellFormed())
  const created = { createdAt: formatTimestamp(now()), lastUsedAt: null }
  const passkey = { ...credential, ...created, personId: person.id, name }
  const isAdded = await passkeys.insert(passkey)
  if (isAdded) await recordPersonEvent(services, person, "passkey_added", account)
  return isAdded
}

export async function removePasskey(
  services: Recording & Notifying & Needs<"passkeys">,
  person: Person,
  id: string,
  account: Account | null,
): Promise<void> {
  if ((await services.passkeys.remove(person.id, id)) === 0) return
  await recordPersonEvent(services, person, "passkey_removed", account)
}

/**
 * Without a name, a password or a code. Unknown passkeys and all invalid responses are the same rejection. Throws
 * `account_suspended` only after a correct response.
 */
export async function signInByPasskey(
  services: Passkeys & SessionStart & Needs<"people" | "operators" | "throttle" | "onSignIn">,
  assertion: Assertion,
  from: Visit,
): Promise<SignedIn> {
  const { passkeys, passkeyVerifier, people, operators, throttle, now } = services
  const { id } = assertion
  const passkey = await passkeys.find(id)
  const person = passkey && (await people.find(passkey.personId))
  const source = { name: id, ipRange: from.ipRange }
  return reportRejectedSignIn(services, { ...source, name: person?.name ?? null }, async () => {
    const result = await throttle.attempt(source, async () => {
      if (passkey === null || person === null) return null
      const verified = passkeyVerifier.verifyAssertion(passkey, assertion)
      if (verified === null || !(await throttle.useOnce(verified.challenge))) return null
      if (!(await passkeys.use(id, verified.counter, formatTimestamp(now())))) return null
      const isOperator = (await operators.find(person.id)) !== null
      if (!isOperator && areSuspended(await people.listMemberships(person.id))) return "suspended"
      return startSession(services, person, null, { ...from, isByPasskey: true })
    })
    if (result === "suspended") throw new DomainError("account_suspended")
    return result
  })
}
