import type { Recording } from "../access/audit-operations.ts"
import type { Account } from "../accounts/account.ts"
import { trimWhitespace } from "../platform/text.ts"
import { formatTimestamp } from "../platform/time.ts"
import type { Assertion, Registration } from "./passkey.ts"
import type { Person } from "./person.ts"
import { type Notifying, recordPersonEvent } from "./person-email-operations.ts"
import type { PeopleServices } from "./services.ts"
import { reportRejectedSignIn } from "./session-operations.ts"
import type { Identified } from "./sign-in-operations.ts"

type Passkeys = Pick<PeopleServices, "passkeys" | "passkeyVerifier">

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
  services: Recording & Notifying & Pick<PeopleServices, "passkeys">,
  person: Person,
  id: string,
  account: Account | null,
): Promise<void> {
  if ((await services.passkeys.remove(person.id, id)) === 0) return
  await recordPersonEvent(services, person, "passkey_removed", account)
}

/** Without a name, a password or a code. Unknown passkeys and all invalid responses are the same rejection. */
export async function identifyByPasskey(
  services: Passkeys &
    Pick<PeopleServices, "people" | "passwords" | "throttle" | "onSignIn" | "now">,
  assertion: Assertion,
  ipRange: string,
): Promise<Identified> {
  const { passkeys, passkeyVerifier, people, passwords, throttle, now } = services
  const { id } = assertion
  const passkey = await passkeys.find(id)
  const person = passkey && (await people.find(passkey.personId))
  return reportRejectedSignIn(services, { name: person?.name ?? null, ipRange }, () =>
    throttle.attempt({ name: id, ipRange }, async () => {
      if (passkey === null || person === null) return null
      const verified = passkeyVerifier.verifyAssertion(passkey, assertion)
      if (verified === null || !(await throttle.useOnce(verified.challenge))) return null
      // Before it is used: a change of the password ends the sign-in.
      const passwordHash = await passwords.find(person.id)
      const isUsed = await passkeys.use(id, verified.counter, formatTimestamp(now()))
      return isUsed ? { person, passwordHash } : null
    }),
  )
}
