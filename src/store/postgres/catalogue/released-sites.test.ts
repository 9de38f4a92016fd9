import { expect, test } from "bun:test"
import { createReleases, splitChanges } from "./released-sites.ts"

test("changes of keys are told apart from releases, whatever the code is", () => {
  const changed = ["key_1", "released abc", "all", "released released x", "released all"]
  expect(splitChanges(changed)).toEqual({
    keys: ["key_1", "all"],
    codes: ["abc", "released x", "all"],
  })
  expect(splitChanges(["released ", "released abc"]).codes).toBe("all")
})

test("what nobody takes is kept up to a thousand codes, then it is all of them", () => {
  const releases = createReleases()
  for (let times = 0; times < 1_000; times += 1) releases.add([`code-${times}`])
  expect(releases.take()).toHaveLength(1_000)
  expect(releases.take()).toEqual([])
  for (let times = 0; times < 1_001; times += 1) releases.add([`code-${times}`])
  releases.add(["abc"])
  expect([releases.take(), releases.take()]).toEqual(["all", []])
})
