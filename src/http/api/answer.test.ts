import { expect, test } from "bun:test"
import { openExchange, respond, respondNotModified } from "./answer.ts"

const open = () => openExchange(new Request("http://localhost/"), "en", () => {})

test("what is prepared for many answers holds nothing of a single one", () => {
  const tagged = respond(open(), "{}", "one")
  const other = respond(open(), "{}", "two")
  const untagged = respond(open(), "{}", null)
  const kept = respondNotModified(open(), '"kept"')
  const tags = [tagged, other, untagged, kept].map(({ headers }) => headers.get("etag"))
  expect(new Set(tags).size).toBe(4)
  expect(tags[2]).toBeNull()
  expect(tags[3]).toBe('"kept"')
  const ids = [tagged, other, untagged, kept].map(({ headers }) => headers.get("request-id"))
  expect(new Set(ids).size).toBe(4)
})
