import { expect, test } from "bun:test"
import { StoreUnavailable } from "../platform/error.ts"
import { createTokenHolders, type OperatorToken, tokens } from "./token.ts"

const environmentToken = "the token of the environment"

function open(operatorToken: string | null, stored: readonly OperatorToken[] | "lost") {
  let [reads, ms, now] = [0, 0, "2026-06-01T08:00:00Z"]
  const find = createTokenHolders({
    operatorToken,
    operatorTokens: {
      async list() {
        reads += 1
        if (stored === "lost") throw new StoreUnavailable("lost")
        return stored
      },
    },
    nowMs: () => ms,
    now: () => new Date(now),
  })
  return {
    find,
    reads: () => reads,
    wait(passedMs: number, at = now) {
      ms += passedMs
      now = at
    },
  }
}

const shop: OperatorToken = {
  name: "shop",
  rights: ["feed"],
  digest: tokens.digest("new"),
  createdAt: "",
  old: { digest: tokens.digest("old"), expiresAt: "2026-06-01T09:00:00Z" },
}

test("the store is read at most once per 100 ms", async () => {
  const { find, reads, wait } = open(null, [shop])
  for (let i = 0; i < 50; i += 1) expect(await find(`wrong ${i}`)).toBeNull()
  expect(await find(null)).toBeNull()
  wait(99)
  expect(await find("new")).toEqual(shop)
  expect(reads()).toBe(1)
  wait(1)
  await find("new")
  expect(reads()).toBe(2)
})

test("a rotated token is valid until it expires", async () => {
  const { find, wait } = open(null, [shop])
  expect(await find("old")).toEqual(shop)
  wait(0, "2026-06-01T09:00:00Z")
  expect(await find("old")).toBeNull()
  expect(await find("new")).toEqual(shop)
})

test("`no tokens` is returned if neither the environment nor the store has one", async () => {
  expect(await open(null, []).find("any")).toBe("no tokens")
  expect(await open(environmentToken, []).find("any")).toBeNull()
})

test("while the store is unavailable, the token of the environment works and others are an error", async () => {
  const { find } = open(environmentToken, "lost")
  expect(await find(environmentToken)).toEqual({
    name: "PAZAR_OPERATOR_TOKEN",
    rights: ["feed", "links", "purchases"],
  })
  await expect(find("new")).rejects.toBeInstanceOf(StoreUnavailable)
})

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
