import { expect, test } from "bun:test"
import fc from "fast-check"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, type Line, purchase, toFeed } from "../harness/records.ts"
import { startOnBothStores } from "../harness/stores/on-both-stores.ts"
import { until } from "../harness/until.ts"

const programs = startOnBothStores()

/** Suspensions reach other connections within a second. */
async function expectReason({ url }: Program, secret: string, code: string, reason: string) {
  const body = new URLSearchParams({ api_key: secret, purchase_code: code })
  await until(async () => {
    const response = await fetch(`${url}/api/purchases/validation`, { method: "POST", body })
    return response.headers.get("pazar-reason") === reason ? true : undefined
  })
}

const whole: readonly Line[] = [
  ...[account("ada"), account("bob")],
  ...[item("ada", 1), item("ada", 2), item("bob", 3)],
  ...[purchase("one", 1), purchase("two", 1), purchase("three", 2), purchase("four", 3)],
]
const gone = whole.toReversed().map(({ type, username, id, purchase_code }) => ({
  type,
  username,
  id,
  purchase_code,
  deleted: true,
}))

const inAnyOrder = fc.shuffledSubarray([...whole], { minLength: whole.length }).chain((lines) =>
  fc
    .array(fc.integer({ min: 1, max: 4 }), { minLength: lines.length, maxLength: lines.length })
    .map((sizes) => {
      const rest = [...lines]
      return sizes.map((size) => rest.splice(0, size)).filter(({ length }) => length > 0)
    }),
)

test("records in any order, in any number of feeds, result in the same database", async () => {
  const ordered = toFeed(whole)
  await fc.assert(
    fc.asyncProperty(inAnyOrder, async (feeds) => {
      for (const program of programs) {
        for (const feed of feeds) expect((await program.load(feed)).rejectedLines).toEqual([])
        const { items, purchases } = await program.app.store.feed.readPending(1)
        expect([items, purchases]).toEqual([0, 0])
        const dump = await program.dump()
        await program.load(gone)
        await program.load(ordered)
        expect(dump).toBe(await program.dump())
        await program.load(gone)
      }
    }),
    { numRuns: 12 },
  )
})

test("an operator override survives every feed, and is not part of one", async () => {
  const lines = [account("eda", { suspended: false }), item("eda", 7), purchase("seven", 7)]
  for (const program of programs) {
    const { store } = program.app
    await program.load(lines)
    const { secret } = await program.issue("eda")
    await expectReason(program, secret, "seven", "ok")
    const { id = 0 } = (await store.accounts.findByUsername("eda")) ?? {}
    await store.purchases.setRevokedByOperator("seven", true, new Date())
    await program.load([...lines, purchase("seven", 7, { revoked: false, price: 1 })])
    await expectReason(program, secret, "seven", "revoked_code")
    await store.accounts.setSuspended(id, true, new Date())
    await program.load([account("eda", { suspended: false, balance: 1 })])
    await expectReason(program, secret, "seven", "account_suspended")

    await program.load([purchase("eight", 8)])
    const feed = await program.dump()
    const other = await startProgram({ LOG_LEVEL: "silent" })
    expect((await other.load(feed)).rejectedLines).toEqual([])
    expect(await other.dump()).toBe(feed)
    await other.load([item("eda", 8)])
    const { secret: there } = await other.issue("eda")
    for (const code of ["seven", "eight"]) await expectReason(other, there, code, "ok")
    const override = { ...account("eda"), suspended_by_operator: true }
    expect((await other.load([override])).rejectedLines).toEqual([
      { line: 1, field: "suspended_by_operator", code: "unknown_field" },
    ])
    await other.close()

    await store.accounts.setSuspended(id, false, new Date())
    await store.purchases.setRevokedByOperator("seven", false, new Date())
    await expectReason(program, secret, "seven", "ok")
  }
})
