import { expect, test } from "bun:test"
import { authorDocuments } from "../contract/openapi.ts"
import { locales } from "../platform/locale.ts"
import { notImplementedOutcome } from "../purchases/envato-endpoints.ts"
import { createReference } from "./reference.ts"

const { operations, objects, errorCodes } = createReference(authorDocuments.tr)

test("the validation first, with the parameters of query and body", () => {
  const [{ id, method, parameters } = {}] = operations
  expect([id, method]).toEqual(["validate_purchase", "POST"])
  expect(parameters?.map(({ name, type, isRequired }) => [name, type, isRequired])).toEqual([
    ["purchase_code", "string", true],
    ["site", "string", false],
    ["domain", "string", false],
    ["nonce", "string", false],
    ["lang", '"en" | "tr"', false],
  ])
})

test("a response has the example of its language and its error codes", () => {
  const unauthorized = operations[0]?.responses.find(({ status }) => status === "401")
  expect(unauthorized).toEqual({
    status: "401",
    text: authorDocuments.tr.components.responses.PurchaseUnauthorized.description,
    errorCodes: ["missing_key", "unknown_key", "revoked_key", "expired_key"],
    example: '{\n  "status": "hata",\n  "msg": "Geçersiz satın alma kodu"\n}',
  })
})

test("fields with their paths; one that only some variants require is optional", () => {
  const fields = objects.find(({ name }) => name === "Item")?.fields ?? []
  const shown = fields.map(({ name, type, isRequired }) => [name, type, isRequired])
  expect(shown).toContainEqual(["tags", "string[]", true])
  expect(shown).toContainEqual(["media.thumbnail", "string", true])
  expect(shown).toContainEqual(["media.preview_image", "string", false])
  expect(shown).toContainEqual(["media.screenshots", "string[]", false])
  expect(shown).toContainEqual(["published_at", "string (date-time)", true])
})

test.each(locales)("every field of an object has a description in %s", (locale) => {
  const bare = createReference(authorDocuments[locale]).objects.flatMap(({ name, fields }) =>
    fields.filter(({ text }) => text === "").map((field) => `${name}.${field.name}`),
  )
  expect(bare).toEqual([])
})

test("the statuses of an error code; an unknown path has another status in the Envato API", () => {
  const statusesOf = (code: string) => errorCodes.find((each) => each.code === code)?.statuses
  expect(statusesOf("unknown_item")).toBe("404")
  expect(statusesOf("unknown_path")).toBe(`404, ${notImplementedOutcome().status}`)
})
