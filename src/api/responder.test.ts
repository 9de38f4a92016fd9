import { expect, test } from "bun:test"
import { createTrace } from "./endpoint.ts"
import type { Outcome } from "./pipeline.ts"
import { createResponder } from "./responder.ts"

const outcome: Outcome = {
  status: 200,
  reason: "ok",
  variant: { locale: "en", isLocaleNegotiated: true, keyHeaders: "" },
  keyId: null,
  isKeyAccepted: false,
  isTestKey: false,
  hasServerKey: false,
  purchase: null,
  rejectedCode: null,
  body: "{}",
  tag: null,
  signature: null,
  retryAfterSeconds: null,
  fault: null,
  closesConnection: false,
}

const request = new Request("http://localhost/")
const route = {
  cacheControl: "no-store",
  isCrossOrigin: false,
  common: {},
  helpUrl: "/docs/errors",
}

test("an error response links to the section of its error code", () => {
  const respond = createResponder({ ...route, allow: "GET, HEAD", helpUrl: "https://a.example/h" })
  const linkOf = (part: Partial<Outcome>) =>
    respond({ ...outcome, ...part }, request, createTrace(request, "read_item")).headers.get("link")
  const help = '<https://a.example/h#unknown_item>; rel="help"'
  expect(linkOf({ status: 404, reason: "unknown_item" })).toBe(help)
  expect([linkOf({}), linkOf({ status: 304, body: null })]).toEqual([null, null])
})

test("prepared headers contain nothing of a single response", () => {
  const respond = createResponder({ ...route, allow: "GET, HEAD" })
  const send = (part: Partial<Outcome>) =>
    respond({ ...outcome, ...part }, request, createTrace(request, "read_item")).headers
  const sent = [
    send({ tag: '"one"' }),
    send({ tag: '"two"' }),
    send({}),
    send({ status: 304, body: null, tag: '"current"' }),
  ]
  expect(sent.map((headers) => headers.get("etag"))).toEqual(['"one"', '"two"', null, '"current"'])
  expect(new Set(sent.map((headers) => headers.get("request-id"))).size).toBe(4)
})
