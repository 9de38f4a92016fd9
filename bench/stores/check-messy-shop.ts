/**
 * `npx bun bench/stores/check-messy-shop.ts URL --accounts N --items N --purchases N`: asks a server for every code of the
 * generated store, with its author's old key, and compares the answers with what they should be.
 */
import { expectationOf } from "./messy-shop.ts"
import { readSizes } from "./sizes.ts"

const atOnce = 64
const [, , url = ""] = process.argv
const store = readSizes("npx bun bench/stores/check-messy-shop.ts URL")
const counts: Record<string, number> = {}
const wrong: unknown[] = []

async function check(id: number): Promise<void> {
  const { code, key, reason } = expectationOf(store, id)
  // The key of an author who is gone is unknown, whatever the code.
  const expected = key === null ? "unknown_key" : reason
  const body = new URLSearchParams({ api_key: key ?? "old-key-of-nobody", purchase_code: code })
  const answer = await fetch(`${url}/api/purchases/validation`, { method: "POST", body })
  const found = answer.headers.get("pazar-reason") ?? ""
  const text = await answer.text()
  const isRight = found === expected && (found !== "ok" || text.includes(`"${code}"`))
  counts[expected] = (counts[expected] ?? 0) + 1
  if (!isRight) wrong.push({ code, expected, found })
}

let next = 0
async function work(): Promise<void> {
  while (next < store.purchases) {
    next += 1
    await check(next)
  }
}
await Promise.all(Array.from({ length: atOnce }, work))
console.log(JSON.stringify({ counts, wrong: wrong.length, first: wrong.slice(0, 5) }))
process.exit(wrong.length === 0 ? 0 : 1)
