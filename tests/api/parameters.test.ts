/** The parameters that a request reads are those that OpenAPI describes, also the ones that change no response. */
import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test"
import { authorDocuments, operatorDocuments } from "../../src/contract/openapi.ts"
import { operations, publicTestSecret } from "../../src/contract/operation.ts"
import { dereference } from "../harness/http/openapi-fetch.ts"
import { type Program, startProgram } from "../harness/program.ts"

const token = "operator-token-of-32-characters-or-more"
let program: Program
beforeAll(async () => {
  program = await startProgram({ PAZAR_OPERATOR_TOKEN: token, LOG_LEVEL: "silent" })
})
afterAll(() => program.close())

const form = "application/x-www-form-urlencoded"
const described = [authorDocuments.en, operatorDocuments.en].flatMap((document) => {
  const { paths, security } = dereference(document)
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => {
      const inQuery = (each.parameters ?? []).filter((parameter) => parameter.in === "query")
      const inBody = Object.keys(each.requestBody?.content[form]?.schema.properties ?? {})
      const keys = (each.security ?? security).some((one) => "parameter" in one) ? ["api_key"] : []
      return {
        path,
        method: method.toUpperCase(),
        id: each.operationId.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        isForm: inBody.length > 0,
        names: [...inQuery.map(({ name }) => name), ...inBody, ...keys].toSorted(),
      }
    }),
  )
})

test("every operation is described", () => {
  const ids = described.map(({ id }) => id)
  expect(operations.filter((operation) => !ids.includes(operation))).toEqual([])
})

/** Some parameters are read only if another one is missing. */
const listSubsets = (names: readonly string[]) =>
  Array.from({ length: 2 ** names.length }, (_, bits) =>
    names.filter((_, at) => (bits & (1 << at)) !== 0),
  )

/** A valid code, site and nonce. */
const text = "test-regular-1234"
const numbers = ["item_id", "limit", "page"]

describe("read and described", () => {
  // The body of a link is one JSON object, and its field is required.
  test.each(described.filter(({ path }) => path !== "/operator/links"))(
    "$method $path",
    async ({ path, method, isForm, names }) => {
      const getAll = spyOn(URLSearchParams.prototype, "getAll")
      const secret = path.startsWith("/operator") ? token : publicTestSecret
      for (const subset of listSubsets(names.filter((name) => name !== "api_key"))) {
        const sent = subset.map((name) => `&${name}=${numbers.includes(name) ? "1" : text}`)
        // A form without encoded characters has a parser of its own, which is not watched here.
        const encoded = `%20=${sent.join("")}`
        const response = await fetch(`${program.url}${path}${isForm ? "" : `?${encoded}`}`, {
          method,
          headers: { Authorization: `Bearer ${secret}`, ...(isForm && { "Content-Type": form }) },
          body: isForm ? encoded : null,
        })
        await response.text()
      }
      const read = new Set(getAll.mock.calls.map(([name]) => name))
      getAll.mockRestore()
      // Every request of the pipeline has a language, but responses in Envato's schema are always English.
      if (path.startsWith("/v3/")) read.delete("lang")
      expect([...read].toSorted()).toEqual(names)
    },
  )
})
