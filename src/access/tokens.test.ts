import { expect, test } from "bun:test"
import { tokens } from "./token.ts"

test("a token is 256 random bits, safe for URLs and cookies", () => {
  const token = tokens.create()
  expect(token).toMatch(/^[0-9A-Za-z_-]{43}$/)
  expect(Buffer.from(token, "base64url").length).toBe(32)
})

test("tokens are unique, and none of their bits is constant", () => {
  const many = Array.from({ length: 1_000 }, tokens.create)
  expect(new Set(many).size).toBe(1_000)
  const bytes = many.map((token) => Buffer.from(token, "base64url"))
  const fixed = Array.from({ length: 256 }, (_, bit) => bit).filter((bit) => {
    const values = bytes.map((each) => ((each[bit >> 3] ?? 0) >> (bit & 7)) & 1)
    return new Set(values).size === 1
  })
  expect(fixed).toEqual([])
})

test("a digest does not change between releases: sessions must be found", () => {
  expect(Buffer.from(tokens.digest("token")).toString("hex")).toBe(
    "3c469e9d6c5875d37a43f353d4f88e61fcf812c66eee3457465a40b0da4153e0",
  )
})

test("digests of two tokens differ and do not contain them", () => {
  const [one, other] = [tokens.create(), tokens.create()]
  expect(tokens.digest(one)).not.toEqual(tokens.digest(other))
  expect(Buffer.from(tokens.digest(one)).toString("base64url")).not.toBe(one)
})
