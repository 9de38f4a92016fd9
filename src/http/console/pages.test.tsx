/** Pages of the console as functions of their data. */
import { expect, test } from "bun:test"
import { keyRecord } from "../../../tests/contracts/store-records.ts"
import { consoleViewAt, textOf } from "../../../tests/harness/http/page-views.ts"
import type { AuthorFacts } from "../../domain/catalogue/author-search.ts"
import type { LoggedCall, StillCalling } from "../../domain/usage/failed-calls.ts"
import type { TrafficCount } from "../../domain/usage/usage.ts"
import { operations, reasonsOf, routes } from "../../metrics/labels.ts"
import type { Locale } from "../api/answer/messages.ts"
import type { KeyFacts } from "../pages/key-facts.ts"
import { readRange } from "../pages/parts/date-range.tsx"
import { AuditPage } from "./audit.tsx"
import { AuthorLogPage } from "./author-use.tsx"
import { AuthorsPage } from "./authors.tsx"
import type { ConsoleView } from "./frame/console-context.ts"
import { ImportPage, ImportsPage } from "./imports.tsx"
import { ItemAuthor, ItemsPage } from "./items.tsx"
import { ConsoleKeyPage, ConsoleKeysPage } from "./keys.tsx"
import { PurchasesPage } from "./purchases.tsx"
import { TrafficPage } from "./traffic.tsx"

const viewIn = (locale: Locale) => consoleViewAt("/console", locale)
const en = viewIn("en")
const attack = `"><script>alert(1)</script>`
const at = (path: string): ConsoleView => ({ ...en, path })

test.each([
  ["en", "2,832 successful checks in the last 30 days"],
  ["tr", "son 30 günde 2.832 başarılı doğrulama"],
] as const)("checks of an item's codes are not called sales (%s)", (locale, words) => {
  const shown = viewIn(locale).texts.purchases.askedCalls(2_832)
  expect(shown.toLowerCase()).toContain(words)
})

/** The columns whose cells are numbers under a heading that is not aligned with them, or the reverse. */
function misaligned(page: unknown): readonly string[] {
  const tables = String(page).match(/<table.*?<\/table>/gs) ?? []
  expect(tables.join()).toContain('<td class="amount"')
  return tables.flatMap((table) => {
    const cellsOf = (row: string) => row.match(/<t[dh][ >].*?<\/t[dh]>/gs) ?? []
    const [heads = [], ...rows] = (table.match(/<tr>.*?<\/tr>/gs) ?? []).map(cellsOf)
    return rows.flatMap((row) =>
      row.flatMap((cell, index) => {
        const isNumber = cell.startsWith('<td class="amount"')
        return heads[index]?.includes('class="amount"') === isNumber ? [] : [textOf(heads[index])]
      }),
    )
  })
}

const someTraffic: readonly TrafficCount[] = [
  { kind: "request", operation: "read_item", detail: "ok", count: 3 },
  { kind: "request", operation: "read_item", detail: "unknown_item", count: 2 },
  { kind: "request", operation: "read_item", detail: "unavailable", count: 1 },
]

const trafficOf = (view: ConsoleView, totals = someTraffic) =>
  TrafficPage({
    view,
    span: "day",
    since: "2026-06-22T00:00:00Z",
    periods: [{ day: "2026-06-22T08", ok: 3, refused: 2, failed: 1 }],
    totals,
    rejectedKeys: [],
    rejectedAccounts: [{ accountId: 7, username: "ada", wrong: 3, throttled: 1 }],
    shipped: [],
    operatorSignIns: [{ operator: "deniz", signedIn: 2, failed: 1, slowed: 0 }],
  })

const author = (changes: Partial<AuthorFacts>): AuthorFacts => ({
  id: 7,
  username: "ada",
  fullName: "Ada",
  email: "ada@example.com",
  isSuspended: false,
  items: 1,
  purchases: 2,
  keys: 3,
  calls: 5,
  errors: 0,
  hasSignedIn: false,
  isInvited: false,
  lastSeenAt: null,
  ...changes,
})
const authorsOf = (view: ConsoleView, changes: Partial<AuthorFacts>) =>
  AuthorsPage({
    view,
    text: "",
    sort: "calls",
    page: 1,
    pages: 1,
    total: 1,
    authors: [author(changes)],
  })

test("an operator who is signed in can change the language", () => {
  const page = String(authorsOf(viewIn("tr"), {}))
  expect(page).toMatch(/href="\?lang=en" lang="en" hreflang="en">English</)
  expect(page).toMatch(/href="\?lang=tr" lang="tr" hreflang="tr" aria-current="true">Türkçe</)
})

test("headings of number columns are aligned with their numbers", () => {
  expect(misaligned(trafficOf(en))).toEqual([])
  expect(misaligned(authorsOf(en, {}))).toEqual([])
})

test("the chart of the traffic has a title", () => {
  expect(String(trafficOf(en))).toMatch(/<h2[^>]*>Calls of the API<\/h2><figure/)
  expect(String(trafficOf(viewIn("tr")))).toMatch(/<h2[^>]*>API istekleri<\/h2><figure/)
})

test("below the calls and their reasons, the tables of the traffic are folded", () => {
  const page = String(trafficOf(en))
  const open = page.replaceAll(/<details class="fold">.*?<\/details>/gs, "")
  expect([...open.matchAll(/<h2[^>]*>([^<]*)</g)].map(([, title]) => title)).toEqual([
    "Calls of the API",
    "Calls of the API, by operation",
    "Why calls of the API were rejected or failed",
    "Possible guessing attacks",
  ])
  // Whatever days the page shows.
  expect(textOf(page)).toContain(
    "Accounts with failed sign-ins 1 The last two days. Author Wrong password",
  )
})

test("the table of reasons says that it counts errors too", () => {
  expect(textOf(trafficOf(en))).toContain("Why calls of the API were rejected or failed")
  expect(textOf(trafficOf(viewIn("tr")))).toContain(
    "API istekleri neden reddedildi ya da hata verdi",
  )
})

/** What each route of the program can be counted with. */
const everything = routes.flatMap((operation) =>
  reasonsOf[operation].map((detail, index) => ({
    kind: "request" as const,
    operation,
    detail,
    count: index + 1,
  })),
)

test.each(["en", "tr"] as const)("no constant of the program is shown (%s)", (locale) => {
  const page = textOf(trafficOf(viewIn(locale), everything))
  expect(page.match(/\b[a-z]+_[a-z_]+\b/g)).toBeNull()
  expect(page).not.toMatch(/\b(refused|openapi|metrics)\b/)
})

test("the chart, the table of operations and that of reasons count the same calls", () => {
  const page = String(trafficOf(en, everything))
  const numbersUnder = (title: string, column: number) => {
    const [, rest = ""] = page.split(`>${title}</h2>`)
    const [, body = ""] = /<tbody>(.*?)<\/tbody>/s.exec(rest) ?? []
    return (body.match(/<tr>.*?<\/tr>/gs) ?? []).reduce((sum, row) => {
      const cells = row.match(/<t[dh][ >].*?<\/t[dh]>/gs) ?? []
      return sum + Number(textOf(cells[column]).replaceAll(/[ ,]/g, ""))
    }, 0)
  }
  const ofApi = everything.filter(({ operation }) => operations.some((each) => each === operation))
  const sum = (counts: typeof everything) => counts.reduce((all, { count }) => all + count, 0)
  expect(numbersUnder("Calls of the API, by operation", 1)).toBe(sum(ofApi))
  const rejected = ofApi.filter(({ detail }) => detail !== "ok")
  expect(numbersUnder("Why calls of the API were rejected or failed", 2)).toBe(sum(rejected))
})

test("an author who signed in and has no session left is active, not invited", () => {
  const tell = (changes: Partial<AuthorFacts>, view = en) => textOf(authorsOf(view, changes))
  expect(tell({})).toContain("Not signed in yet 5 0 2 1 3 Not yet")
  expect(tell({ isInvited: true })).toContain("Invited 5 0 2 1 3 Not yet")
  expect(tell({ hasSignedIn: true })).toContain("Active 5 0 2 1 3 No open session")
  expect(tell({ hasSignedIn: true }, viewIn("tr"))).toContain("Etkin 5 0 2 1 3 Açık oturumu yok")
  expect(tell({ hasSignedIn: true, isSuspended: true })).toContain("Suspended")
})

test("the lists of an author lead back to the author, and end their filter", () => {
  const elif = { id: 7, username: "elif" }
  const of = { author: elif, query: { author: "7", kind: "vk", state: "hidden" } }
  const pages = [
    ConsoleKeysPage({ view: at("/console/keys"), problem: null, keys: [], hasMore: false, ...of }),
    ItemsPage({ view: at("/console/items"), items: [], ...of }),
  ]
  for (const page of pages.map(String)) {
    expect(page).toMatch(/<a href="\/console\/authors\/7"><bdi>elif</)
    expect(page).toMatch(/href="\/console\/\w+\?author=7" aria-current="page"/)
    expect(page).toMatch(
      /href="\/console\/\w+\?(kind=vk&amp;)?state=hidden"><span>Author: <bdi>elif/,
    )
  }
  const ofElif = auditOf({ view: at("/console/audit"), username: "elif", account: elif })
  expect(ofElif).toMatch(/href="\/console\/audit\?account=elif" aria-current="page"/)
  expect(auditOf({ username: "elif" })).not.toContain("/console/authors/")
})

const auditOf = (changes: Partial<Parameters<typeof AuditPage>[0]>) =>
  String(
    AuditPage({
      view: en,
      username: "",
      account: null,
      kind: null,
      action: null,
      range: null,
      isUnknown: false,
      events: [],
      hasOlder: false,
      ...changes,
    }),
  )

test("the audit is filtered by action and days, which its other links keep", () => {
  const range = readRange({ days: "7" }, "2026-06-30T12:00:00Z", 400)
  const page = auditOf({ kind: "purchase", action: "refunded", range, username: attack })
  expect(page).toContain('<option value="purchase.refunded" selected="">Marked as refunded<')
  expect(page).toContain('<option value="feed.passwords">Passwords set by a feed (before 0.12)<')
  expect(page).toContain('<input type="hidden" name="days" value="7"/>')
  expect(page).toMatch(/href="[^"]*kind=purchase.refunded&amp;days=30">30 days/)
  expect(textOf(page)).toContain("No event matches this filter.")
  expect(page).not.toContain(attack)
  expect(textOf(auditOf({}))).toContain("Nothing has been recorded yet.")
})

test("the log of an author is filtered by day and key", () => {
  const call: LoggedCall = {
    keyId: "key_1",
    keyName: "Tema",
    keyKind: "sk",
    operation: "read_item",
    reason: "unknown_item",
    network: "192.0.2.0/24",
    code: "",
    firstAt: "2026-06-22T08:00:00Z",
    lastAt: "2026-06-22T09:30:00Z",
    calls: 1,
  }
  const later = {
    ...call,
    keyId: "key_2",
    keyName: `Eklenti${attack}`,
    firstAt: "2026-06-23T08:00:00Z",
  }
  const tell = (query: Readonly<{ day?: string; key?: string }>) => {
    const [view, author] = [en, { id: 7, username: "elif" }]
    const days = ["2026-06-22", "2026-06-23"]
    const page = String(AuthorLogPage({ view, author, log: [call, later], days, query, page: 1 }))
    expect(page).not.toContain(attack)
    expect(page.includes(en.words.log.testKeys)).toBe(query.key === undefined)
    return textOf(page.split("</form>").at(-1))
  }
  expect(tell({})).toContain("2 entries")
  expect(tell({ day: "2026-06-22" })).toMatch(/Tema.* 1 entry/)
  expect(tell({ key: "key_2" })).toMatch(/Eklenti.* 1 entry/)
  expect(tell({ day: "2026-06-22", key: "key_2" })).toContain("No failed calls here.")
})

const key = keyRecord("key_1")

const keyPageOf = (facts: KeyFacts, stillCalling: readonly StillCalling[] = []) =>
  ConsoleKeyPage({ view: en, facts, mask: "", stillCalling, isAuthorSuspended: false })

test("revoking a key is a quiet button until it is confirmed", () => {
  const facts = { key, state: "active", usage: null } as const
  expect(String(keyPageOf(facts))).toMatch(/class="button quiet" href="[^"]*\/revoke"/)
})

test("the page of a stopped key says who still calls it", () => {
  const caller = { network: `192.0.2.0/24${attack}`, calls: 1_234, lastAt: "2026-06-22T08:00:00Z" }
  const stopped = { key, state: "revoked", usage: null } as const
  const page = String(keyPageOf(stopped, [caller]))
  expect(textOf(page)).toContain("This key no longer works, but 1,234 calls with it came")
  expect(page).toContain(`href="/console/authors/${key.accountId}/log`)
  expect(page).not.toContain(attack)
  expect(textOf(keyPageOf(stopped))).toContain("No calls with it since it stopped")
  expect(textOf(keyPageOf({ ...stopped, state: "active" }))).not.toContain("Who still calls it?")
})

test("an import of which every line was rejected has read them, and has a badge", () => {
  const run = {
    id: 2,
    source: "a.ndjson",
    via: "file",
    line: 0,
    problem: null,
    startedAt: "2026-06-22T08:00:00Z",
    finishedAt: "2026-06-22T08:00:01Z",
    outcome: {
      counts: { accepted: 0, adjusted: 0, waiting: 0, rejected: 4, removed: 0 },
      refusals: { groups: [], otherKinds: 0, otherProblems: 0 },
      removalProblem: null,
    },
  } as const
  expect(textOf(ImportPage({ view: en, run }))).toContain("Lines read 4 Accepted 0")
  const waiting = { items: 0, purchases: 0, sinceMs: null, groups: [] }
  const list = ImportsPage({ view: en, author: null, runs: [run], troubled: [], waiting })
  expect(textOf(list)).toContain("4 lines rejected 0 0 0 4 0")
})

test("suspended is one word everywhere", () => {
  const found = { accountId: 7, author: "ada", isAuthorSuspended: true }
  expect(textOf(ItemAuthor({ view: en, found }))).toContain("Suspended")
  expect(textOf(ItemAuthor({ view: viewIn("tr"), found }))).toContain("Askıda")
})

function purchasesPage(locale: Locale, lastAskedOn: string | null = null) {
  const body = { purchase_code: "abc", license_type: "Regular", price: 1, currency: "USD" }
  const dates = { date: "2026-06-22T08:00:00Z", supported_until: null, downloaded: false }
  const purchase = {
    code: "abc",
    accountId: 7,
    itemId: 1,
    isRevoked: false,
    body: JSON.stringify({ ...body, ...dates, item: { id: 1, name: "Tide" } }),
    buyer: null,
    author: "ada",
    isAuthorSuspended: false,
    isRevokedByFeed: false,
    isRevokedByOperator: false,
    lastAskedOn,
  }
  const checked = { kind: "sold", purchase, isInText: false, others: [] } as const
  const found = { id: "n", pasted: "abc", checked, item: null }
  return PurchasesPage({ view: viewIn(locale), found })
}

test("a licence has its name in the reader's language", () => {
  expect(textOf(purchasesPage("en"))).toContain("Licence Regular")
  expect(textOf(purchasesPage("tr"))).toContain("Lisans Normal")
})

test("the script does not move a day of UTC into the reader's zone", () => {
  const page = String(purchasesPage("en", "2026-06-22"))
  expect(page).toContain('<time datetime="2026-06-22">Jun 22, 2026</time>')
})

test("the calls of an author lead to the days that they were counted in", () => {
  const page = String(authorsOf(en, { calls: 5 }))
  expect(page).toContain("Calls, 7 days")
  expect(page).toContain('<a href="/console/authors/7/traffic?days=7">5</a>')
})
