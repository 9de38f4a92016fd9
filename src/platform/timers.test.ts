import { describe, expect, test } from "bun:test"
import { createWorkQueue, withTimeout } from "./timers.ts"

const never = new Promise<never>(() => {})

test("work that ends in time returns its value, and onTimeout is not called", async () => {
  let hasRun = false
  const onTimeout = () => {
    hasRun = true
  }
  expect(await withTimeout(Promise.resolve("done"), 1, onTimeout)).toBe("done")
  // Timers of equal length fire in order.
  await withTimeout(never, 1, () => null)
  expect(hasRun).toBe(false)
})

test("work that fails in time fails with its own error", async () => {
  const failing = Promise.reject(new Error("broken"))
  await expect(withTimeout(failing, 60_000, () => "late")).rejects.toThrow("broken")
})

test("after the timeout, the result is the value or error of onTimeout", async () => {
  expect(await withTimeout(never, 1, () => "late")).toBe("late")
  const fail = () => {
    throw new Error("too late")
  }
  await expect(withTimeout(never, 1, fail)).rejects.toThrow("too late")
})

/** A queue whose pauses end when the test calls `endPause`. `ran` has the tasks that have run. */
function open(atOnce: number) {
  const pauses: (() => void)[] = []
  const queue = createWorkQueue(atOnce, () => new Promise((resolve) => pauses.push(resolve)))
  const ran: string[] = []
  const enqueue = (name: string) => queue(() => ran.push(name))
  const endPause = async () => {
    await Bun.sleep(0)
    pauses.shift()?.()
    await Bun.sleep(0)
  }
  return { queue, enqueue, ran, endPause }
}

test("tasks run in order, with a pause after each", async () => {
  const { enqueue, ran, endPause } = open(1)
  for (const name of ["a", "b", "c"]) void enqueue(name)
  await Bun.sleep(0)
  expect(ran).toEqual(["a"])
  await endPause()
  expect(ran).toEqual(["a", "b"])
  await endPause()
  await endPause()
  void enqueue("d")
  expect(ran).toEqual(["a", "b", "c", "d"])
})

test("two tasks run concurrently, not three", async () => {
  const { queue, enqueue, ran, endPause } = open(2)
  const slow = Promise.withResolvers<number>()
  const first = queue(() => slow.promise)
  for (const name of ["a", "b", "c"]) void enqueue(name)
  await endPause()
  expect(ran).toEqual(["a", "b"])
  slow.resolve(1)
  expect(await first).toBe(1)
  await endPause()
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
    const { queue, enqueue, ran, endPause } = open(1)
    const failing = queue(work)
    void enqueue("a")
    await expect(failing).rejects.toThrow("broken")
    await endPause()
    expect(ran).toEqual(["a"])
  })
})
