import { describe, expect, test } from "bun:test"
import { createWorkQueue } from "./work-queue.ts"

/** A queue whose rests end when the test says so, and the tasks that have run. */
function open(atOnce: number) {
  const rests: (() => void)[] = []
  const queue = createWorkQueue(atOnce, () => new Promise((resolve) => rests.push(resolve)))
  const ran: string[] = []
  const take = (name: string) => queue(() => ran.push(name))
  const rest = async () => {
    await Bun.sleep(0)
    rests.shift()?.()
    await Bun.sleep(0)
  }
  return { queue, take, ran, rest }
}

test("tasks run in order, with a rest after each", async () => {
  const { take, ran, rest } = open(1)
  for (const name of ["a", "b", "c"]) void take(name)
  await Bun.sleep(0)
  expect(ran).toEqual(["a"])
  await rest()
  expect(ran).toEqual(["a", "b"])
  await rest()
  await rest()
  void take("d")
  expect(ran).toEqual(["a", "b", "c", "d"])
})

test("two tasks run concurrently, not three", async () => {
  const { queue, take, ran, rest } = open(2)
  const slow = Promise.withResolvers<number>()
  const first = queue(() => slow.promise)
  for (const name of ["a", "b", "c"]) void take(name)
  await rest()
  expect(ran).toEqual(["a", "b"])
  slow.resolve(1)
  expect(await first).toBe(1)
  await rest()
  expect(ran).toEqual(["a", "b", "c"])
})

describe("a task that fails", () => {
  test.each([
    [
      "immediately",
      () => {
        throw new Error("broken")
      },
    ],
    ["later", () => Promise.reject(new Error("broken"))],
  ])("rejects its caller and lets the next one run (%s)", async (_, work) => {
    const { queue, take, ran, rest } = open(1)
    const failing = queue(work)
    void take("a")
    await expect(failing).rejects.toThrow("broken")
    await rest()
    expect(ran).toEqual(["a"])
  })
})
