import { expect, test } from "bun:test"
import { describeBegin } from "./migrate.ts"

test("before an upgrade it is told whether running servers may go on", () => {
  expect(describeBegin(27, 28, 0)).toEndWith(
    "Running servers may go on; if this is interrupted, run it again.",
  )
  expect(describeBegin(27, 28, 2_100)).toContain(
    "go on, and validations too; a push waits for up to 3 s",
  )
  const stopping = describeBegin(9, 28, "others must stop")
  expect(stopping).toContain("Servers of the version before can no longer write: stop them.")
  expect(stopping).not.toContain("may go on")
})
