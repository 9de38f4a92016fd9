/** An error code is described once and means the same in OpenAPI, on the page, in the clients and in the metrics. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import policy from "../../clients/policy.json"
import { authorDocuments } from "../../src/contract/openapi.ts"
import { operations } from "../../src/contract/operation.ts"
import { createReference } from "../../src/docs/reference.ts"
import type { Failure } from "../../src/platform/error.ts"
import { createMetrics } from "../../src/usage/metrics.ts"
import { type Program, startProgram } from "../harness/program.ts"

let program: Program
beforeAll(async () => {
  program = await startProgram({ LOG_LEVEL: "silent" })
})
afterAll(() => program.close())

/** Shipped clients rely on them: a status never changes. tests/api/openapi.test.ts causes each of them. */
const statuses: Readonly<Record<Failure, string>> = {
  missing_key: "401",
  unknown_key: "401",
  revoked_key: "401",
  expired_key: "401",
  key_not_allowed: "403",
  account_suspended: "403",
  missing_parameter: "400",
  invalid_parameter: "400",
  no_items: "404",
  unknown_item: "404",
  unknown_code: "404",
  revoked_code: "404",
  expired_code: "404",
  site_limit: "404",
  no_download: "404",
  method_not_allowed: "405",
  unknown_path: "404, 501",
  too_large: "413",
  rate_limited: "429",
  unavailable: "500, 503",
}
const reference = createReference(authorDocuments.en)
const codesOf = (id: string) =>
  reference.operations
    .filter((operation) => operation.id === id)
    .flatMap(({ responses }) => responses)
    .flatMap(({ status, errorCodes }) => errorCodes.map((code) => ({ status, code })))

test("OpenAPI describes each error code, with its statuses", () => {
  const described = reference.errorCodes.map(({ code, statuses }) => [code, statuses])
  expect(Object.fromEntries(described)).toEqual(statuses)
})

test("the page that the header Link names has each error code", async () => {
  const page = await (await fetch(`${program.url}/docs/errors`)).text()
  expect(Object.keys(statuses).filter((code) => !page.includes(`id="${code}"`))).toEqual([])
})

test("the policy of the clients has each error code of their operations, with its status", () => {
  type Row = Readonly<{ status?: number; reason?: string | null }>
  const rows: Row[] = []
  JSON.stringify(policy, (_, value) => {
    if (typeof value === "object" && value !== null && "reason" in value) rows.push(value)
    return value
  })
  const tried = rows.map(({ status = 404, reason }) => `${status} ${reason}`)
  const ids = ["validate_purchase", "release_site", "create_download"]
  const described = ids.flatMap(codesOf).map(({ status, code }) => `${status} ${code}`)
  expect(described.filter((each) => !tried.includes(each))).toEqual([])
})

test.each(operations)("the metrics of %s have its error codes", (operation) => {
  const counted = Object.keys(createMetrics().routes[operation].reasons)
  const described = new Set(codesOf(operation).map(({ code }) => code))
  expect(counted.toSorted()).toEqual(["ok", ...described].toSorted())
})
