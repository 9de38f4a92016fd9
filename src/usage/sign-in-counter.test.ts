import { expect, test } from "bun:test"
import type { SignInRejections } from "../domain/rejections.ts"
import { openSignInCounter } from "./sign-in-counter.ts"

function open() {
  const added: (readonly SignInRejections[])[] = []
  const faults: unknown[] = []
  let isDown = false
  let work = () => {}
  const counter = openSignInCounter({
    rejections: {
      async addSignIns(_, counts) {
        if (isDown) throw new Error("lost")
        added.push(counts)
      },
    },
    now: () => new Date("2026-06-22T10:00:00Z"),
    every(_, repeated) {
      work = repeated
      return () => {
        work = () => {}
      }
    },
    onFault: (fault) => faults.push(fault),
  })
  return {
    ...counter,
    added,
    faults,
    async tick() {
      work()
      await Bun.sleep(0)
    },
    lose: (isLost: boolean) => {
      isDown = isLost
    },
  }
}

test("failed sign-ins of accounts are written together, successes and unknown names are not", async () => {
  const { count, tick, close, added } = open()
  await tick()
  for (const outcome of ["ok", "wrong", "throttled", "suspended", "wrong"] as const) {
    count(outcome, "ada")
    count(outcome, null)
  }
  await tick()
  count("wrong", "bob")
  await close()
  expect(added).toEqual([
    [
      { username: "ada", outcome: "wrong", signIns: 2 },
      { username: "ada", outcome: "throttled", signIns: 1 },
    ],
    [{ username: "bob", outcome: "wrong", signIns: 1 }],
  ])
})

test("what could not be written is written later, once", async () => {
  const { count, tick, lose, added, faults } = open()
  lose(true)
  count("wrong", "ada")
  await tick()
  count("wrong", "ada")
  lose(false)
  await tick()
  await tick()
  expect(faults).toEqual([new Error("lost")])
  expect(added).toEqual([[{ username: "ada", outcome: "wrong", signIns: 2 }]])
})

test("holds a bounded number of accounts", async () => {
  const { count, close, added } = open()
  for (let at = 0; at < 1_500; at += 1) count("wrong", `author ${at}`)
  count("wrong", "author 0")
  await close()
  expect(added.flat()).toHaveLength(1_000)
  expect(added.flat()[0]).toEqual({ username: "author 0", outcome: "wrong", signIns: 2 })
})
