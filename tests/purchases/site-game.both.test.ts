/** A stranger who knows a code and the shipped key, against buyer, author and support. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import fc from "fast-check"
import { givePassword } from "../harness/browser/sample-workspace.ts"
import { openSignedIn } from "../harness/browser/visitor.ts"
import { propertyRuns } from "../harness/full-test-run.ts"
import { type Marketplace, openMarketplace } from "../harness/marketplace.ts"
import { purchase } from "../harness/records.ts"
import { addOperator, openOperator } from "../harness/test-operators.ts"

const dayMs = 86_400_000
let market: Marketplace
let nowMs = Date.parse("2026-06-30T12:00:00Z")
beforeAll(async () => {
  const settings = { PAZAR_TRUSTED_PROXIES: "127.0.0.1" }
  market = await openMarketplace(settings, {}, undefined, () => new Date(nowMs))
  await givePassword(market, "ada")
  await addOperator(market, "deniz", undefined, "support")
})
afterAll(() => market.close())

const strangersSites = ["stranger.com", "stranger.net", "stranger.org"]
const buyersSites = ["buyer.com", "buyer.net"]
const strangersAddresses = ["192.0.2.1", "192.0.3.1"]
const buyersAddress = "198.51.100.1"

type Turn = Readonly<
  | { do: "validate" | "release" | "for"; site: string; address: string }
  | { do: "author" | "support"; site: string }
  | { do: "wait"; days: number }
>

const anySite = fc.constantFrom(...strangersSites, ...buyersSites)
const requests = (own: readonly string[], addresses: readonly string[]): fc.Arbitrary<Turn> => {
  const address = fc.constantFrom(...addresses)
  return fc.oneof(
    fc.record({
      do: fc.constantFrom("validate" as const, "for" as const),
      site: fc.constantFrom(...own),
      address,
    }),
    // Names are masked for a stranger, who may have guessed them.
    fc.record({ do: fc.constant("release" as const), site: anySite, address }),
  )
}
const turn: fc.Arbitrary<Turn> = fc.oneof(
  { weight: 3, arbitrary: requests(strangersSites, strangersAddresses) },
  { weight: 3, arbitrary: requests(buyersSites, [buyersAddress]) },
  fc.record({ do: fc.constantFrom("author" as const, "support" as const), site: anySite }),
  fc.record({ do: fc.constant("wait" as const), days: fc.integer({ min: 1, max: 40 }) }),
)

let codes = 0
async function openGame(limit: number) {
  const code = `game-${++codes}`
  await market.load([purchase(code, 11, { site_limit: limit })])
  const [byAuthor, bySupport] = [openAuthor(code), openSupport(code)]
  /** The turn in which a site became active. Absent after a release. */
  const activeSince = new Map<string, number>()
  const releases = new Map<string, number[]>()
  let turns = 0

  async function send(path: string, address: string, parameters: Record<string, string>) {
    const response = await fetch(`${market.url}/api/purchases/${path}`, {
      method: "POST",
      headers: { "X-Api-Key": market.keys.validation, "X-Forwarded-For": address },
      body: new URLSearchParams({ purchase_code: code, ...parameters }),
    })
    return response.headers.get("pazar-reason")
  }
  async function list() {
    const response = await fetch(`${market.url}/api/purchases/sites?purchase_code=${code}`, {
      headers: { "X-Api-Key": market.keys.secret },
    })
    const { sites } = (await response.json()) as { sites: { site: string; last_day: string }[] }
    return sites
  }
  const countUsed = async () => {
    const oldest = new Date(nowMs - 30 * dayMs).toISOString().slice(0, 10)
    return (await list()).filter(({ last_day }) => last_day >= oldest).length
  }
  /** How often this happened in the last 30 days. */
  const recent = (name: string) =>
    (releases.get(name) ?? []).filter((at) => at > nowMs - 30 * dayMs).length
  const count = (name: string) => releases.set(name, [...(releases.get(name) ?? []), nowMs])

  async function play(turn: Turn): Promise<void> {
    turns += 1
    if (turn.do === "wait") {
      nowMs += turn.days * dayMs
      return
    }
    const { site } = turn
    if (!("address" in turn)) {
      await (turn.do === "author" ? byAuthor : bySupport)(site)
      activeSince.delete(site)
    } else if (turn.do === "validate") {
      const reason = await send("validation", turn.address, { site })
      if (reason === "ok" && !activeSince.has(site)) activeSince.set(site, turns)
    } else if (turn.do === "release") {
      const range = `range ${turn.address}`
      const reason = await send("release", turn.address, { site })
      // Only the caller's own releases are counted.
      const isLimited = recent(range) >= 5
      const expected = isLimited ? "rate_limited" : "ok"
      expect(reason).toBe(activeSince.has(site) ? expected : "unknown_code")
      if (reason === "ok") {
        count(range)
        activeSince.delete(site)
      }
    } else {
      const since = activeSince.get(site)
      const reason = await send("release", turn.address, { for: site })
      if (since === undefined) expect(reason).toBe("unknown_code")
      if (reason === "ok") {
        expect(recent(`for ${site}`)).toBeLessThan(2)
        count(`for ${site}`)
        const left = (await list()).map((each) => each.site)
        const gone = [...activeSince.keys()].filter((each) => !left.includes(each))
        expect(gone).toHaveLength(1)
        for (const each of gone) {
          expect(activeSince.get(each)).toBeGreaterThan(since ?? turns)
          activeSince.delete(each)
        }
      }
    }
    // Nobody else's site came or went.
    expect((await list()).map((each) => each.site).toSorted()).toEqual(
      [...activeSince.keys()].toSorted(),
    )
    expect(await countUsed()).toBeLessThanOrEqual(limit)
  }
  return { play, send, list, byAuthor, bySupport }
}

/** Pages as a person uses them; a session does not outlive the game's clock. */
function openAuthor(code: string) {
  return async (site: string) => {
    const ada = await openSignedIn(market.url, "ada")
    const { location } = await ada.submit("/workspace/ada/search", { q: code })
    const { status } = await ada.submit(`${location}/release`, { site }, location ?? "")
    expect(status).toBe(303)
  }
}
function openSupport(code: string) {
  return async (site: string) => {
    const deniz = await openOperator(market.url, "deniz")
    const found = await deniz.submit("/console/purchases", { q: code }, "/console/purchases")
    const path = found.location ?? ""
    const { status } = await deniz.submit(`${path}/release`, { site }, path)
    expect(status).toBe(303)
  }
}

test("a released site never comes back by its age, whoever released it and whatever a stranger does", async () => {
  const game = fc.record({
    limit: fc.integer({ min: 1, max: 3 }),
    turns: fc.array(turn, { minLength: 1, maxLength: 40 }),
    releaser: fc.constantFrom("buyer", "author", "support"),
  })
  await fc.assert(
    fc.asyncProperty(game, async ({ limit, turns, releaser }) => {
      const { play, send, list, byAuthor, bySupport } = await openGame(limit)
      for (const each of turns) await play(each)

      // The end: somebody releases all sites of the stranger, and the buyer uses the code.
      nowMs += 31 * dayMs
      const stranger = (await list()).filter(({ site }) => strangersSites.includes(site))
      for (const { site } of stranger) {
        if (releaser === "author") await byAuthor(site)
        else if (releaser === "support") await bySupport(site)
        else expect(await send("release", buyersAddress, { site })).toBe("ok")
      }
      for (let at = 0; at < limit; at += 1)
        expect(await send("validation", buyersAddress, { site: `buyer-${at}.com` })).toBe("ok")
      const active = (await list()).map(({ site }) => site)
      for (const site of strangersSites) {
        for (const address of strangersAddresses) {
          expect(await send("release", address, { for: site })).toBe("unknown_code")
          expect(await send("validation", address, { site })).toBe("site_limit")
        }
      }
      expect((await list()).map(({ site }) => site)).toEqual(active)
    }),
    { numRuns: propertyRuns(50) },
  )
})
