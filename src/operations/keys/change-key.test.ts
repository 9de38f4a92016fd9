import { afterEach, beforeEach, expect, test } from "bun:test"
import { openSmallStore, type SmallStore } from "../../../tests/harness/stores/small-store.ts"
import { renameKey } from "./change-key.ts"

let small: SmallStore
beforeEach(async () => {
  small = await openSmallStore()
})
afterEach(() => small.close())

test("names of a key within a minute are one audit entry, with the last name", async () => {
  const { key } = await small.issue()
  for (const name of ["one", "two", "three"])
    await renameKey(small.services, await small.find(key.id), name)
  small.clock.forward(61)
  await renameKey(small.services, await small.find(key.id), "four")
  const renamed = (await small.events()).filter(({ action }) => action === "renamed")
  expect(renamed.map(({ subjectName, count }) => [subjectName, count])).toEqual([
    ["three", 3],
    ["four", 1],
  ])
})
