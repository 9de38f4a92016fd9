import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { commandLine } from "../../src/access/actor.ts"
import { requireAccount } from "../../src/accounts/account-operations.ts"
import { issueKey, rotateKey } from "../../src/keys/key-operations.ts"
import { isolateDirection } from "../../src/platform/pages/elements.tsx"
import { t } from "../../src/platform/t.ts"
import { daySeconds, secondsAfter } from "../../src/platform/time.ts"
import { createEndpoint } from "../../src/webhooks/endpoint-operations.ts"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import { givePassword } from "../harness/browser/sample-workspace.ts"
import { openVisitor, type Visitor } from "../harness/browser/visitor.ts"
import { failDelivery } from "../harness/failed-delivery.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account } from "../harness/records.ts"
import { addUsage } from "../harness/stores/store-records.ts"

const now = () => new Date("2026-06-30T12:00:00Z")
let program: Program
beforeAll(async () => {
  program = await startProgram({ LOG_LEVEL: "error" }, {}, undefined, now)
})
afterAll(() => program.close())

async function welcome(username: string, headers = {}): Promise<Visitor> {
  await program.load([account(username)])
  await givePassword(program, username)
  const visitor = openVisitor(program.url, headers)
  await visitor.signIn(username)
  return visitor
}

const today = "2026-06-30"

/** Records that the key was used from this many IP ranges today. */
const see = (keyId: string, ipRanges: number, secondsLater = 0) =>
  addUsage(program.app.store, {
    lastUses: [{ keyId, lastUsedAt: secondsAfter(program.app.now(), secondsLater) }],
    ipRanges: Array.from({ length: ipRanges }, (_, at) => ({
      keyId,
      ipRange: `198.51.${at}.0/24`,
      lastDay: today,
    })),
  })

const textOf = (html: string) => unescapeHtml(html.replace(/<[^>]*>/g, "")).trim()

describe("the first steps", () => {
  const stepsOf = (page: string) =>
    [...page.matchAll(/<li( class="done")?><div>.*?<strong>(.*?)<\/strong>/g)].map(
      ([, done, title = ""]) => [textOf(title), done !== undefined],
    )

  test("are completed one by one, and then disappear", async () => {
    const author = await welcome("beginner")
    const look = async () => stepsOf((await author.get(author.home())).text)
    const pages = [await look()]
    const { key } = await program.issue("beginner")
    pages.push(await look())
    await see(key.id, 1)
    pages.push(await look())
    await program.issue("beginner", "vk")
    pages.push(await look())
    const titles = ["Create a key", "Send a request", "Ship a validation key"]
    const steps = (done: number) => titles.map((title, nth) => [title, nth < done])
    expect(pages).toEqual([steps(0), steps(1), steps(2), []])
  })

  test("only the next step is the main action of the page", async () => {
    const author = await welcome("newcomer")
    const { text } = await author.get(author.home())
    const main = [...text.matchAll(/<a class="button" href="([^"]*)"/g)].map(([, path]) => path)
    expect(main).toEqual([`${author.home()}/settings/keys/new`])
  })
})

describe("the numbers", () => {
  const figuresOf = (page: string) =>
    [
      ...page.matchAll(
        /<dt>([^<]*)<\/dt><dd class="figure">(.*?)<\/dd><dd class="hint">(.*?)<\/dd>/g,
      ),
    ].map((found) => found.slice(1).map(textOf))

  async function addCalls(username: string) {
    const [real, trial] = [await program.issue(username), await program.issue(username, "tk")]
    await program.issue(username, "vk")
    const call = { keyId: real.key.id, operation: "validate_purchase", day: today } as const
    await addUsage(program.app.store, {
      calls: [
        { ...call, outcome: "ok", calls: 1_200 },
        { ...call, outcome: "unknown_code", calls: 30 },
        { ...call, outcome: "unavailable", calls: 1 },
        { ...call, operation: "read_item", outcome: "ok", calls: 9 },
        { ...call, keyId: trial.key.id, outcome: "ok", calls: 5_000 },
      ],
    })
  }

  const noneBefore = t("none in the {days day|days} before", { days: 7 })

  test("count requests, codes and errors, and leave out requests with test keys", async () => {
    const author = await welcome("counted")
    await addCalls("counted")
    expect(figuresOf((await author.get(author.home())).text)).toEqual([
      ["Requests", "1,240", noneBefore],
      ["Success rate", "97.5%", noneBefore],
      ["Invalid codes", "30", noneBefore],
      [
        "Errors",
        "1",
        `${t("{client} client, {server} server", { client: "0", server: "1" })} · ${noneBefore}`,
      ],
    ])
  })

  test("are formatted in the reader's language", async () => {
    const author = await welcome("sayilan", { "Accept-Language": "tr" })
    await addCalls("sayilan")
    expect(figuresOf((await author.get(author.home())).text).map(([, value]) => value)).toEqual([
      ...["1.240", "%97,5", "30", "1"],
    ])
  })

  test("and the chart are of the chosen days, and compared with as many days before", async () => {
    const author = await welcome("ranged")
    const { key } = await program.issue("ranged")
    const dayOf = (days: number) => secondsAfter(program.app.now(), -days * daySeconds).slice(0, 10)
    const call = { keyId: key.id, operation: "validate_purchase", outcome: "ok" } as const
    await addUsage(program.app.store, {
      calls: [
        { ...call, day: dayOf(0), calls: 3 },
        { ...call, day: dayOf(9), calls: 2 },
        { ...call, day: dayOf(50), calls: 100 },
      ],
    })
    const ranges = [
      ["", 3, t("{change} vs. {days day|days} before", { change: "+50%", days: 7 })],
      ["?days=30", 5, t("{change} vs. {days day|days} before", { change: "-95%", days: 30 })],
      ["?days=90", 105, t("none in the {days day|days} before", { days: 90 })],
      [
        `?from=${dayOf(55)}&to=${dayOf(45)}`,
        100,
        t("none in the {days day|days} before", { days: 11 }),
      ],
      [
        `?from=${dayOf(350)}&to=${dayOf(0)}`,
        105,
        t("none in the {days day|days} before", { days: 351 }),
      ],
    ] as const
    for (const [query, total, note] of ranges) {
      const { text } = await author.get(`${author.home()}${query}`)
      expect(unescapeHtml(text)).toContain(
        `aria-label="${t("{total request|requests}, {ok} successful.", { total, ok: total })}"`,
      )
      expect(figuresOf(text)[0]?.slice(1)).toEqual([String(total), note])
    }
  })

  test("include the busiest keys and the most frequent error codes of the days", async () => {
    const author = await welcome("busy")
    await addCalls("busy")
    const { text } = await author.get(`${author.home()}?days=30`)
    const linkOf = (path: string) => new RegExp(`row-link" href="([^"]*${path}[^"]*)"`).exec(text)
    expect(linkOf("keys/key_")?.[1]).toEndWith("?days=30")
    expect(unescapeHtml(linkOf("log.error")?.[1] ?? "")).toBe(
      `${author.home()}/log?error=unknown_code&days=30`,
    )
  })

  test("are not shown before the first request", async () => {
    const author = await welcome("silent")
    await program.issue("silent")
    expect((await author.get(author.home())).text).not.toContain('class="figure"')
  })
})

describe("warnings", () => {
  const noticesOf = (page: string) =>
    [
      ...page.matchAll(
        /<td class="wide"[^>]*>(.*?)<\/td><td[^>]*>(<a class="button quiet".*?)<\/td>/g,
      ),
    ].map((found) => found.slice(1).map((html) => textOf(html)))

  test("are all shown, including several problems of one key", async () => {
    const author = await welcome("worried")
    const { store } = program.app
    const owner = await requireAccount(store.accounts, "worried")
    const services = program.app.keyServices(commandLine)
    const soon = secondsAfter(program.app.now(), 5 * daySeconds)
    const options = { kind: "sk", itemIds: null } as const
    const old = await issueKey(services, owner, { ...options, name: "Old", expiresAt: null })
    const ending = await issueKey(services, owner, { ...options, name: "Soon", expiresAt: soon })
    await rotateKey(services, old.key, "7d")
    await see(old.key.id, 20, 1)
    await see(ending.key.id, 20)
    const { text } = await author.get(author.home())
    const day = new Date(soon).toLocaleDateString("en", { dateStyle: "medium", timeZone: "UTC" })
    expect(noticesOf(text)).toEqual([
      [
        t(
          "“{name}” looks shipped in a product: it was used from {ipRanges IP range|IP ranges} this week.",
          { name: "Soon", ipRanges: 20 },
        ),
        "Create a validation key",
      ],
      [t("“{name}” expires on {when}.", { name: "Soon", when: day }), "Open the key"],
      [
        t("“{name}” was rotated, but the old key was used in the last 24 hours.", { name: "Old" }),
        "Open the key",
      ],
    ])
  })

  test("a webhook is named after its first failed attempt, not only when it is disabled", async () => {
    const author = await welcome("notified")
    const { store, endpointServices } = program.app
    const owner = await requireAccount(store.accounts, "notified")
    const url = "https://hooks.example.com/pazar"
    const created = { url, events: [] }
    const { endpoint } = await createEndpoint(endpointServices(commandLine), owner, created)
    expect(noticesOf((await author.get(author.home())).text)).toEqual([])
    await failDelivery(program, endpoint.id, now().getTime())
    const { text } = await author.get(author.home())
    expect(noticesOf(text)).toEqual([
      [
        t("Deliveries to {url} have failed since {when}.", {
          url: isolateDirection(url),
          when: "Jun 30, 2026",
        }),
        "Show why",
      ],
    ])
    expect(text).toContain(`href="${author.home()}/settings/webhooks/${endpoint.id}"`)
  })

  test("a rise of the error rate leads to the errors of these days", async () => {
    const author = await welcome("risen")
    const { key } = await program.issue("risen")
    const call = { keyId: key.id, operation: "validate_purchase" } as const
    await addUsage(program.app.store, {
      calls: [
        { ...call, outcome: "ok", day: "2026-06-25", calls: 100 },
        { ...call, outcome: "ok", day: today, calls: 70 },
        { ...call, outcome: "missing_parameter", day: today, calls: 30 },
      ],
    })
    const { text } = await author.get(author.home())
    expect(noticesOf(text)).toEqual([
      [
        t("Error rate since yesterday: {rate}; in the week before: {before}.", {
          rate: "30%",
          before: "0%",
        }),
        "Show errors",
      ],
    ])
    expect(unescapeHtml(text)).toContain(
      `href="${author.home()}/log?kind=errors&from=2026-06-29&to=2026-06-30"`,
    )
  })

  test("the fifth and later ones are collapsed", async () => {
    const author = await welcome("careless")
    const keys = await Promise.all(Array.from({ length: 6 }, () => program.issue("careless")))
    for (const { key } of keys) await see(key.id, 20)
    const { text } = await author.get(author.home())
    expect(noticesOf(text).length).toBe(6)
    const [, rest = ""] = unescapeHtml(text).split(`<summary>${t("{n} more", { n: 2 })}</summary>`)
    expect(noticesOf(rest).length).toBe(2)
  })

  test("have no section if there are none", async () => {
    const author = await welcome("calm")
    await program.issue("calm")
    expect(noticesOf((await author.get(author.home())).text)).toEqual([])
  })
})
