import { expect, test } from "bun:test"
import { withTimeout } from "./timers.ts"

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
