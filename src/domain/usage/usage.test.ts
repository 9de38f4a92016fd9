import { expect, test } from "bun:test"
import type { Reason } from "../values/error.ts"
import { outcomeGroup } from "./usage.ts"

const groups: Readonly<Record<Reason, ReturnType<typeof outcomeGroup>>> = {
  ok: "ok",
  missing_key: "refused",
  unknown_key: "refused",
  revoked_key: "refused",
  expired_key: "refused",
  key_not_allowed: "refused",
  account_suspended: "refused",
  missing_parameter: "refused",
  invalid_parameter: "refused",
  no_items: "refused",
  unknown_item: "refused",
  unknown_code: "refused",
  revoked_code: "refused",
  method_not_allowed: "refused",
  unknown_path: "refused",
  too_large: "refused",
  rate_limited: "refused",
  unavailable: "failed",
}

test("every reason is a success, a refusal or our own failure", () => {
  // The names are the reasons: the record above would not compile without one.
  const reasons = Object.keys(groups) as Reason[]
  expect(Object.fromEntries(reasons.map((reason) => [reason, outcomeGroup(reason)]))).toEqual(
    groups,
  )
})
