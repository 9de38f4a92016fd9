import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { createPublicKey, verify } from "node:crypto"
import { createClock } from "../../tests/harness/clock.ts"
import { rejectionOf } from "../../tests/harness/stores/small-store.ts"
import type { AuditEvent } from "../access/audit-event.ts"
import {
  createSigningKeyCipher,
  createSigningKeyMaker,
  dateSigningKeys,
  type SigningKey,
  type SigningKeyStore,
} from "./signing-key.ts"
import {
  createSigningKeys,
  removeCompromisedKey,
  rotateSigningKey,
  type SigningKeyServices,
} from "./signing-key-operations.ts"

const keyCipher = createSigningKeyCipher(new Uint8Array(32).fill(7))

/** A store in memory, because these tests cover only the rules. */
function createStore(): SigningKeyStore {
  let stored: readonly SigningKey[] = []
  return {
    list: async () => stored,
    async replaceAll(expectedIds, keys) {
      if (stored.map(({ id }) => id).join() !== expectedIds.join()) return false
      stored = keys
      return true
    },
  }
}

let clock: ReturnType<typeof createClock>
let services: SigningKeyServices
const recorded: AuditEvent[] = []
beforeEach(async () => {
  clock = createClock()
  services = {
    signingKeys: createStore(),
    signingKeyMaker: createSigningKeyMaker(keyCipher),
    now: clock.now,
    audit: { insert: async (...events) => void recorded.push(...events), tally: async () => {} },
    actor: { kind: "operator", name: "ada", role: "admin", ipRange: "192.0.2.0/24" },
  }
  recorded.length = 0
  await createSigningKeys(services)
})
/** Every remaining endorsement is valid and by a known key. */
const publicKeys = new Map<string, string>()
afterEach(async () => {
  for (const { id, endorsements } of await list()) {
    for (const { by, sig } of endorsements) {
      const x = publicKeys.get(by) ?? ""
      const key = createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x } })
      const text = Buffer.from(`pazar-key:${id}`)
      expect(verify(null, text, key, Buffer.from(sig, "base64url"))).toBe(true)
    }
  }
})

async function list(): Promise<readonly SigningKey[]> {
  const keys = await services.signingKeys.list()
  for (const { id, publicKey } of keys) publicKeys.set(id, publicKey)
  return keys
}
const idsByState = async () => (await list()).map(({ id, state }) => `${state} ${id}`)
const endorsersOf = async (id: string) =>
  (await list()).find((key) => key.id === id)?.endorsements.map(({ by }) => by)

async function firstTwo(): Promise<[string, string]> {
  const [current, next] = await list()
  return [current?.id ?? "", next?.id ?? ""]
}

test("the first two are a current key without endorsement and a next one that it endorses", async () => {
  const [current, next] = await firstTwo()
  expect(await idsByState()).toEqual([`current ${current}`, `next ${next}`])
  expect([await endorsersOf(current), await endorsersOf(next)]).toEqual([[], [current]])
  await createSigningKeys(services)
  expect(await firstTwo()).toEqual([current, next])
})

test("a rotation promotes the next key and retires the current one", async () => {
  const [current, next] = await firstTwo()
  const keys = await rotateSigningKey(services)
  const created = keys[1]?.id ?? ""
  expect(keys.map(({ id, state }) => [id, state])).toEqual([
    [next, "current"],
    [created, "next"],
    [current, "retired"],
  ])
  expect(await endorsersOf(created)).toEqual([next])
  expect(await endorsersOf(next)).toEqual([current])
})

test("a rotation is recorded with its actor and the key that signs now", async () => {
  const [current = null] = await rotateSigningKey(services)
  const { actor } = services
  const event = { kind: "signing_key", actor, account: null, subjectName: "", count: 1 }
  const at = clock.at()
  const rotated = { ...event, at, action: "rotated", subjectId: current?.id }
  expect<unknown>(recorded).toEqual([rotated])
  await removeCompromisedKey(services, current?.id ?? "")
  expect<unknown>(recorded).toEqual([rotated, { ...rotated, action: "removed" }])
})

test("each key has the times at which it became the current key and was retired", async () => {
  const times = [clock.at()]
  for (let rotation = 0; rotation < 3; rotation += 1) {
    clock.forward(3_600)
    times.push(clock.at())
    await rotateSigningKey(services)
  }
  const [first, second, third, fourth] = times
  const dated = dateSigningKeys(await list())
  expect<unknown>(dated.map((key) => [key.state, key.signsSince, key.retiredAt])).toEqual([
    ["current", fourth, null],
    ["next", null, null],
    ["retired", third, fourth],
    ["retired", second, third],
    ["retired", first, second],
  ])
})

test("retired keys are kept, so that a product that pins the first can follow the endorsements", async () => {
  const pinned = (await firstTwo())[0]
  for (let rotation = 0; rotation < 4; rotation += 1) await rotateSigningKey(services)
  const keys = await list()
  let known = keys.filter(({ id }) => id === pinned)
  for (const _ of keys) {
    known = keys.filter(({ id, endorsements }) =>
      known.some((each) => each.id === id || endorsements.some(({ by }) => by === each.id)),
    )
  }
  expect(known).toEqual([...keys])
  expect(keys).toHaveLength(6)
})

describe("a compromised key is removed immediately, with every endorsement it gave:", () => {
  test("the current one, replaced by the next one", async () => {
    const [current, next] = await firstTwo()
    const [promoted, created, ...rest] = await removeCompromisedKey(services, current)
    expect([promoted?.id, promoted?.state, created?.state, rest]).toEqual([
      next,
      "current",
      "next",
      [],
    ])
    expect(await endorsersOf(next)).toEqual([])
    expect(await endorsersOf(created?.id ?? "")).toEqual([next])
  })

  test("the next one, replaced by a new one", async () => {
    const [current, next] = await firstTwo()
    const [stored, created, ...rest] = await removeCompromisedKey(services, next)
    expect([stored?.id, stored?.state, created?.state, rest]).toEqual([
      current,
      "current",
      "next",
      [],
    ])
    expect(created?.id).not.toBe(next)
    expect(await endorsersOf(created?.id ?? "")).toEqual([current])
  })

  test("a retired one", async () => {
    const [first] = await firstTwo()
    const [current, next] = await rotateSigningKey(services)
    await removeCompromisedKey(services, first)
    expect(await idsByState()).toEqual([`current ${current?.id}`, `next ${next?.id}`])
    expect(await endorsersOf(current?.id ?? "")).toEqual([])
  })
})

test("an impossible change is rejected and changes nothing", async () => {
  const before = await list()
  expect(await rejectionOf(removeCompromisedKey(services, "nobody"))).toMatch(
    /^UserError: .*\bnobody\b/,
  )
  const slower: SigningKeyServices = {
    ...services,
    signingKeys: { ...services.signingKeys, list: async () => before.slice(0, 1) },
  }
  expect(await rejectionOf(rotateSigningKey(slower))).toStartWith("UserError: ")
  expect(await rejectionOf(rotateSigningKey({ ...services, signingKeys: createStore() }))).toMatch(
    /^UserError: .*`pazar migrate`/,
  )
  expect(await list()).toEqual(before)
})
