import { expect, test } from "bun:test"
import { locales } from "../api/answer/messages.ts"
import { unservedOutcome } from "../api/envato/answer-sale.ts"
import { createDocument } from "../openapi/document.ts"
import { catalogues } from "../pages/view.ts"
import { createReference, listReasons, type OpenApi } from "./reference.ts"

const text = { type: "string" }
const document: OpenApi = {
  paths: {
    "/api/items/item": {
      get: {
        operationId: "readItem",
        summary: "Read one item",
        description: "By its id.",
        parameters: [
          { name: "item_id", in: "query", required: true, schema: { type: "integer" } },
          { name: "lang", in: "query", schema: { type: "string", enum: ["en", "tr"] } },
          { name: "Accept-Language", in: "header", schema: text },
        ],
        responses: {
          200: { description: "Done." },
          404: {
            description: "Not found.",
            headers: { "Pazar-Reason": { schema: { enum: ["unknown_item"] } } },
            content: {
              "application/json": {
                schema: text,
                examples: { en: { value: { msg: "no" } }, tr: { value: { msg: "yok" } } },
              },
            },
          },
        },
      },
    },
    "/api/purchases/validation": {
      post: {
        operationId: "validatePurchase",
        summary: "Validate",
        description: "",
        parameters: [{ name: "purchase_code", in: "query", required: false, schema: text }],
        requestBody: {
          content: {
            "application/json": { schema: { type: "object", required: ["purchase_code"] } },
          },
        },
        responses: {},
      },
    },
  },
  components: {
    schemas: {
      Item: {
        type: "object",
        required: ["media", "tags"],
        properties: {
          tags: { type: "array", items: text },
          media: {
            oneOf: [
              { type: "object", required: ["a", "b"], properties: { a: text, b: text } },
              { type: "object", required: ["a"], properties: { a: text, c: text } },
            ],
          },
          sold: { $ref: "#/components/schemas/Item" },
        },
      },
    },
  },
}

test("operations, the validation first, with parameters and answers in one language", () => {
  const { operations } = createReference(document, "tr")
  expect(operations).toEqual([
    {
      id: "validate_purchase",
      method: "POST",
      path: "/api/purchases/validation",
      title: "Validate",
      text: "",
      answers: [],
      parameters: [{ name: "purchase_code", type: "string", isRequired: true, text: "" }],
    },
    {
      id: "read_item",
      method: "GET",
      path: "/api/items/item",
      title: "Read one item",
      text: "By its id.",
      parameters: [
        { name: "item_id", type: "integer", isRequired: true, text: "" },
        { name: "lang", type: '"en" | "tr"', isRequired: false, text: "" },
      ],
      answers: [
        { status: "200", text: "Done.", reasons: [], example: null },
        {
          status: "404",
          text: "Not found.",
          reasons: ["unknown_item"],
          example: '{\n  "msg": "yok"\n}',
        },
      ],
    },
  ])
})

test("members with their paths; one that only some variants need may be left out", () => {
  expect(createReference(document, "en").nouns).toEqual([
    {
      name: "Item",
      members: [
        { name: "tags", type: "string[]", isRequired: true, text: "" },
        { name: "media", type: "object", isRequired: true, text: "" },
        { name: "media.a", type: "string", isRequired: true, text: "" },
        { name: "media.b", type: "string", isRequired: false, text: "" },
        { name: "media.c", type: "string", isRequired: false, text: "" },
        { name: "sold", type: "Item", isRequired: false, text: "" },
      ],
    },
  ])
})

test("the statuses of a reason", () => {
  expect([...createReference(document, "en").statuses]).toEqual([["unknown_item", ["404"]]])
})

test.each(locales)("every member of an object has a meaning in %s", async (locale) => {
  const own = await createDocument({ version: "", baseUrl: "https://a.example", locale })
  const { nouns } = createReference(own as OpenApi, locale) // Our own document.
  const bare = nouns.flatMap(({ name, members }) =>
    members.filter(({ text }) => text === "").map((member) => `${name}.${member.name}`),
  )
  expect(bare).toEqual([])
  expect(nouns.map(({ name }) => name)).toEqual(["Account", "Item", "Purchase"])
})

test("a path that is not there has two statuses: Envato's own have another", () => {
  const { reason, status } = unservedOutcome()
  const rows = listReasons(createReference(document, "en"), catalogues.en, "en")
  expect(rows.find((row) => row.reason === reason)?.statuses).toBe(`404, ${status}`)
})
