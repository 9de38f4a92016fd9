import { expect, test } from "bun:test"
import { describeBegin } from "./migrate.ts"

test("before an upgrade it is told whether running servers may go on", () => {
  const [going, waiting] = [describeBegin(27, 28, 0), describeBegin(27, 28, 2_100)]
  const stopping = describeBegin(27, 28, "others must stop")
  expect(new Set([going, waiting, stopping]).size).toBe(3)
  expect(waiting).toMatch(/\b3 s\b/)
})
