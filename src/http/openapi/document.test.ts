/** The description of the API is complete, its examples fit, and the linters find nothing. */
import { describe, expect, test } from "bun:test"
import { createConfig, lintFromString } from "@redocly/openapi-core"
import spectral from "@stoplight/spectral-core"
import owasp from "@stoplight/spectral-owasp-ruleset"
import Ajv2020 from "ajv/dist/2020.js"
import { languages, operations } from "../../../tests/both-stores/api/messages.ts"
import { exceptions } from "../../../tests/harness/http/openapi-exceptions.ts"
import { operatorEventTypes, testEventType } from "../../domain/events/event.ts"
import { type DocumentedType, renderExample } from "../../domain/events/example-events.ts"
import { createDocument } from "./document.ts"
import { createOperatorDocument } from "./operator-document.ts"

const options = { version: "1.0.0", baseUrl: "https://market.invalid", locale: "en" } as const
const envatoPath = "/v3/market/author/sale"
const keySetPath = "/.well-known/pazar-keys.json"
const documents = [
  { name: "the API", create: createDocument },
  { name: "the operator's paths", create: createOperatorDocument },
]

type Content = Readonly<{ schema: Schema; example?: unknown; examples?: Examples }>
type Schema = Readonly<{
  required?: readonly string[]
  properties?: Readonly<Record<string, Readonly<{ examples?: readonly unknown[] }>>>
}>
type Examples = Readonly<Record<string, Readonly<{ value: unknown }>>>
type Operation = Readonly<{
  parameters?: readonly Readonly<{ name: string; example?: unknown }>[]
  requestBody?: Readonly<{ required?: boolean; content: Readonly<Record<string, Content>> }>
  responses: Readonly<
    Record<string, Readonly<{ headers?: object; content?: Readonly<Record<string, Content>> }>>
  >
}>
type Document = Readonly<{ paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> }>

describe("the document", async () => {
  const document: Document = JSON.parse(JSON.stringify(await createDocument(options)))

  test("describes every operation of the contract, its parameter wherever it may travel", () => {
    const described = Object.entries(document.paths).map(([path, methods]) => ({
      path,
      methods: Object.keys(methods),
    }))
    expect(described).toEqual([
      ...operations.map(({ path, method }) => ({ path, methods: [method.toLowerCase()] })),
      { path: "/api/purchases/release", methods: ["post"] },
      { path: envatoPath, methods: ["get"] },
      { path: keySetPath, methods: ["get"] },
    ])
    for (const { path, method, parameter } of operations) {
      const operation = document.paths[path]?.[method.toLowerCase()]
      const names = operation?.parameters?.map(({ name }) => name) ?? []
      expect(names).toContain("lang")
      if (parameter !== null) expect(names).toContain(parameter)
      expect(Object.keys(operation?.requestBody?.content ?? {})).toEqual(
        method === "GET"
          ? []
          : ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"],
      )
    }
  })

  test("every answer under /api has an example in both languages, and all examples fit", () => {
    const ajv = new Ajv2020({ strict: false, formats: { int64: true, "date-time": true } })
    ajv.addSchema(document, "api")
    const problems: unknown[] = []
    const check = (place: readonly string[], value: unknown) => {
      const pointer = place.map((part) => part.replaceAll("/", "~1")).join("/")
      const validate = ajv.getSchema(`api#/paths/${pointer}/schema`)
      if (validate?.(value) !== true) problems.push({ place, errors: validate?.errors })
    }
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { responses, parameters, requestBody }] of Object.entries(methods)) {
        for (const [status, { content = {} }] of Object.entries(responses)) {
          for (const [type, { examples = {} }] of Object.entries(content)) {
            if (path.startsWith("/api/")) expect(Object.keys(examples)).toEqual([...languages])
            const place = [path, method, "responses", status, "content", type]
            for (const { value } of Object.values(examples)) check(place, value)
          }
        }
        for (const [at, { example }] of (parameters ?? []).entries()) {
          check([path, method, "parameters", `${at}`], example)
        }
        for (const [type, { example }] of Object.entries(requestBody?.content ?? {})) {
          check([path, method, "requestBody", "content", type], example)
        }
      }
    }
    expect(problems).toEqual([])
  })

  test("a validation has a body with its code; importers fill in no key that beats the header's", () => {
    const { requestBody } = document.paths["/api/purchases/validation"]?.post ?? {}
    expect(requestBody?.required).toBe(true)
    for (const { schema } of Object.values(requestBody?.content ?? {})) {
      expect(schema.required).toEqual(["purchase_code"])
      const names = ["purchase_code", "site", "nonce", "lang"]
      expect(Object.keys(schema.properties ?? {})).toEqual(names)
      const examples = Object.values(schema.properties ?? {}).map((each) => each.examples?.length)
      expect(examples).toEqual([1, 1, 1, 1])
    }
  })

  test("a validation may be signed, a release is not", () => {
    const headersOf = (path: string) => {
      const { responses } = document.paths[path]?.post ?? { responses: {} }
      return ["200", "404"].flatMap((status) => Object.keys(responses[status]?.headers ?? {}))
    }
    expect(headersOf("/api/purchases/validation")).toContain("Signature")
    expect(headersOf("/api/purchases/release")).not.toContain("Signature")
  })
})

test("every event is described, and what renderEvent makes of its example fits", async () => {
  const described: string[] = []
  for (const [audience, create] of [
    ["author", createDocument],
    ["operator", createOperatorDocument],
  ] as const) {
    const document = JSON.parse(JSON.stringify(await create(options)))
    const ajv = new Ajv2020({ strict: false, formats: { int64: true, int32: true, uri: true } })
    ajv.addFormat("date-time", true)
    ajv.addSchema(document, "api")
    for (const type of Object.keys(document.webhooks) as DocumentedType[]) {
      described.push(type)
      const content = `webhooks/${type}/post/requestBody/content/application~1json`
      const validate = ajv.getSchema(`api#/${content}/schema`)
      const { example } = document.webhooks[type].post.requestBody.content["application/json"]
      expect(JSON.stringify(example)).toBe(renderExample(type, audience))
      for (const value of [example, JSON.parse(renderExample(type, "operator"))]) {
        expect([type, validate?.(value), validate?.errors]).toEqual([type, true, null])
      }
    }
  }
  expect(described.toSorted()).toEqual([...operatorEventTypes, testEventType].toSorted())
})

describe("linters", () => {
  test.each(documents)("Redocly's recommended rules: $name", async ({ create }) => {
    const source = JSON.stringify(await create(options))
    const config = await createConfig({ extends: ["recommended"] })
    const found = await lintFromString({ source, config })
    expect(found.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
  })

  test("Spectral's OWASP rules: every finding is an exception, and every exception is needed", async () => {
    const judge = new spectral.Spectral()
    judge.setRuleset({ extends: [owasp] })
    const used = new Set<unknown>()
    const findings: string[] = []
    for (const { create } of documents) {
      for (const { code, path } of await judge.run(JSON.stringify(await create(options)))) {
        const place = path.join("/")
        const known = exceptions.find(({ rule, where }) => rule === code && where.test(place))
        if (known === undefined) findings.push(`${code} at ${place}`)
        else used.add(known)
      }
    }
    expect(findings).toEqual([])
    expect(exceptions.filter((exception) => !used.has(exception))).toEqual([])
  })
})
