import { afterEach, beforeEach, expect, test } from "bun:test"
import { openSmallStore, type SmallStore } from "../../../tests/harness/stores/small-store.ts"
import type { Session } from "../../domain/sign-in/session.ts"
import { findShownKey, hideKey, listShownKeys, secretShownSeconds, showKey } from "./show-key.ts"

let small: SmallStore
let session: Session
beforeEach(async () => {
  small = await openSmallStore()
  session = (await small.enter(small.ada)).session
})
afterEach(() => small.close())

const show = (keyId: string, of = session) =>
  showKey(small.services, of, { keyId, shownOn: "key", isNew: true, replacedId: null })
/** As the list says it, and the look-up of each key too. */
async function shown(of = session): Promise<readonly string[]> {
  const listed = (await listShownKeys(small.services, of)).map(({ keyId }) => keyId)
  for (const keyId of ["key_1", "key_2"]) {
    const found = await findShownKey(small.services, of, keyId)
    expect(found?.keyId ?? null).toBe(listed.includes(keyId) ? keyId : null)
  }
  return listed
}

test("a key is shown with what is known of it, the newest first", async () => {
  const made = { keyId: "key_2", shownOn: "key", isNew: true, replacedId: "key_1" } as const
  const revealed = { keyId: "key_1", shownOn: "list", isNew: false, replacedId: null } as const
  await showKey(small.services, session, made)
  await showKey(small.services, session, revealed)
  expect(await listShownKeys(small.services, session)).toEqual([revealed, made])
  expect(await findShownKey(small.services, session, "key_2")).toEqual(made)
})

test("it is shown for five minutes, to the second, and as long again when it is revealed", async () => {
  await show("key_1")
  small.clock.forward(secretShownSeconds)
  expect(await shown()).toEqual(["key_1"])
  small.clock.forward(1)
  expect(await shown()).toEqual([])
  await show("key_1")
  expect(await shown()).toEqual(["key_1"])
})

test("it is shown to the session that asked, and hidden there alone", async () => {
  const { session: other } = await small.enter(small.ada)
  await show("key_1")
  expect([await shown(), await shown(other)]).toEqual([["key_1"], []])
  await show("key_1", other)
  await hideKey(small.services, session, { id: "key_1" })
  expect([await shown(), await shown(other)]).toEqual([[], ["key_1"]])
})
