/** A small database with two authors, and the services of an operation, on a clock that tests set. */
import { expect } from "bun:test"
import { rmSync } from "node:fs"
import { join } from "node:path"
import type { AuditAction, AuditEventOf } from "../../../src/access/audit-event.ts"
import { tokens } from "../../../src/access/token.ts"
import type { Account } from "../../../src/accounts/account.ts"
import { requireAccount } from "../../../src/accounts/account-operations.ts"
import { createKeyCache } from "../../../src/keys/authenticate-operations.ts"
import { createKeyCipher, type StoredKey } from "../../../src/keys/key.ts"
import { issueKey, type KeyOptions } from "../../../src/keys/key-operations.ts"
import { unlimited } from "../../../src/keys/rate-limits.ts"
import { findInvited } from "../../../src/people/invitation-operations.ts"
import { createPasskeyVerifier } from "../../../src/people/passkey.ts"
import { createPasswordHasher } from "../../../src/people/password.ts"
import type { Person } from "../../../src/people/person.ts"
import { hideExpired } from "../../../src/people/session.ts"
import {
  findOrCreateOwner,
  type SignedIn,
  startSession,
} from "../../../src/people/sign-in-operations.ts"
import { createCodeThrottle, createSignInThrottle } from "../../../src/people/sign-in-throttle.ts"
import { createPendingSignIns, createTwoFactorCipher } from "../../../src/people/two-factor.ts"
import type { Caller } from "../../../src/platform/ip-range.ts"
import { createClock } from "../clock.ts"
import { lowestCost, temporaryFolder } from "../program.ts"
import { createSqlite } from "./create-stores.ts"
import { accountRecord, itemRecord, put } from "./store-records.ts"

export const homeIpRange = "192.0.2.0/24"
export const smallStoreUrl = "https://api.example.com"

const actor = { kind: "author", name: "ada", ipRange: homeIpRange } as const
export const caller: Caller = { address: () => "192.0.2.1" }

export type SmallStore = Awaited<ReturnType<typeof openSmallStore>>

export async function openSmallStore() {
  const folder = temporaryFolder()
  const store = await createSqlite(join(folder, "pazar.db"))
  const clock = createClock()
  const body = (name: string) => JSON.stringify({ username: name, email: `${name}@example.com` })
  await put(store, accountRecord("ada", body("ada")), accountRecord("bob", body("bob")))
  await put(store, itemRecord("ada", 1), itemRecord("ada", 2, true), itemRecord("bob", 3))
  const keyCipher = createKeyCipher(new Uint8Array(32).fill(7))
  const knownKeys = createKeyCache({ ...store, keyCipher, nowMs: () => performance.now() })
  const throttling = { failures: store.signInFailures, digest: tokens.digest, now: clock.now }
  const services = {
    ...store,
    sessions: hideExpired(store.sessions, clock.now),
    keys: { ...store.keys, ...knownKeys.changes },
    now: clock.now,
    actor: { ...actor, role: "owner" } as const,
    tokens,
    keyCipher,
    keyCache: knownKeys,
    limits: unlimited,
    hasher: createPasswordHasher(lowestCost),
    onSignIn: async () => {},
    notices: null,
    throttle: createSignInThrottle(throttling),
    codeThrottle: createCodeThrottle(throttling),
    twoFactorCipher: createTwoFactorCipher(new Uint8Array(32).fill(7)),
    pendingSignIns: createPendingSignIns(new Uint8Array(32).fill(7)),
    passkeyVerifier: createPasskeyVerifier(new Uint8Array(32).fill(7), smallStoreUrl, clock.now),
  }
  const ada: Account = await requireAccount(store.accounts, "ada")
  const bob: Account = await requireAccount(store.accounts, "bob")
  return {
    services,
    clock,
    ada,
    bob,
    issue: (options: Partial<KeyOptions> = {}) =>
      issueKey(services, ada, {
        kind: "sk",
        name: "Shop",
        itemIds: null,
        expiresAt: null,
        ...options,
      }),
    /** The name of the person or the account that a link invites, or null if the link is invalid. */
    invited: async (token: string) => (await findInvited(services, token))?.invitation.name ?? null,
    ownerOf: (account: Account): Promise<Person> => findOrCreateOwner(services, account),
    /** Signs the owner in. */
    async enter(account: Account, device = ""): Promise<SignedIn> {
      const owner = await findOrCreateOwner(services, account)
      const password = await store.passwords.find(owner.id)
      const hash = password ?? "a hash of nothing"
      if (password === null) await store.passwords.put(owner.id, hash)
      const signedIn = await startSession(services, owner, hash, { ipRange: homeIpRange, device })
      if (signedIn === null) throw new Error("not let in")
      return signedIn
    },
    async find(keyId: string): Promise<StoredKey> {
      const key = await store.keys.find(keyId)
      if (key === null) throw new Error(`no key ${keyId}`)
      return key
    },
    keyEvent: (keyId: string, action: AuditAction<"key">, at: string): AuditEventOf<"key"> => ({
      id: expect.any(Number),
      at,
      actor,
      kind: "key",
      action,
      account: { id: ada.id, username: "ada" },
      subjectId: keyId,
      subjectName: "Shop",
      count: 1,
    }),
    events: async () =>
      (await store.audit.list({ accountId: ada.id, kind: "key" }, null, 100)).toReversed(),
    async close() {
      await store.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** The error of a promise as text, for comparing errors. */
export const rejectionOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "not rejected",
    (error) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error)),
  )
