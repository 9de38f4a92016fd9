import { expect, test } from "bun:test"
import type { ChangedKeys } from "../domain/keys/api-key.ts"
import type { SigningKey } from "../domain/keys/signing-key.ts"
import { StoreUnavailable } from "../domain/store.ts"
import { createSigningKeyVault } from "../secrets/vaults.ts"
import { createKnownSigningKeys, createSigningKeyMaker } from "./signing.ts"

const vault = createSigningKeyVault(new Uint8Array(32).fill(7))
const { createPair } = createSigningKeyMaker(vault)
const createCurrent = (): SigningKey => ({
  ...createPair(),
  state: "current",
  endorsements: [],
  createdAt: "2026-06-15T12:00:00Z",
  retiredUntil: null,
})

/** A store whose keys a test exchanges, and how often it was asked. */
function open(first: readonly SigningKey[] = [createCurrent()]) {
  const state = { keys: first, reads: 0, fault: null as Error | null }
  let tell: (changed: ChangedKeys) => void = () => {}
  const known = createKnownSigningKeys({
    signingKeys: {
      async list() {
        state.reads += 1
        if (state.fault !== null) throw state.fault
        return state.keys
      },
    },
    keyChanges: {
      watch(onChange) {
        tell = onChange
      },
      catchUp: () => true,
    },
    vault,
  })
  const signerId = async () => (await known.read()).signer.keyId
  return { state, known, signerId, tell: (changed: ChangedKeys) => tell(changed) }
}

test("the store is asked once, and then the keys are there without waiting", async () => {
  const { state, known, signerId } = open()
  expect(await signerId()).toBe(state.keys[0]?.id ?? "")
  expect(known.read()).not.toBeInstanceOf(Promise)
  expect(state.reads).toBe(1)
})

test("a change of our keys is taken over, and one of other keys costs nothing", async () => {
  const { state, signerId, tell } = open()
  const [old] = state.keys
  await signerId()
  const next = createCurrent()
  state.keys = [next]
  tell(["key_1"])
  expect(await signerId()).toBe(old?.id ?? "")
  tell([old?.id ?? ""])
  expect(await signerId()).toBe(next.id)
  tell("all")
  expect(await signerId()).toBe(next.id)
  expect(state.reads).toBe(3)
})

test("a change during the query is not missed", async () => {
  const { state, known, tell } = open()
  const reading = known.read()
  tell(["key_1"])
  await reading
  state.keys = [createCurrent()]
  expect((await known.read()).signer.keyId).toBe(state.keys[0]?.id ?? "")
})

test("a store that cannot be asked leaves the known keys in use", async () => {
  const { state, signerId, tell } = open()
  const id = await signerId()
  state.fault = new StoreUnavailable("away")
  tell("all")
  expect(await signerId()).toBe(id)
  state.fault = null
  state.keys = [createCurrent()]
  expect(await signerId()).toBe(state.keys[0]?.id ?? "")
})

test("without known keys such a store is unavailable, and so is one without keys", async () => {
  const lost = open()
  lost.state.fault = new StoreUnavailable("away")
  await expect(lost.signerId()).rejects.toThrow("away")
  await expect(open([]).signerId()).rejects.toThrow("run `pazar migrate`")
})
