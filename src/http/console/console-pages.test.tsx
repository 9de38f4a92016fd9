import { expect, test } from "bun:test"
import { keyRecord } from "../../../tests/contracts/store-records.ts"
import { unescapeHtml } from "../../../tests/harness/browser/docs-page.ts"
import { consoleViewAt, textOf } from "../../../tests/harness/http/page-views.ts"
import type { AuthorFacts } from "../../domain/catalog/account.ts"
import { emptyOutcome } from "../../domain/feed/feed-store.ts"
import type { InactiveKeyUse } from "../../domain/usage/usage.ts"
import type { Locale } from "../../domain/values/locale.ts"
import type { KeyFacts } from "../pages/components/keys.tsx"
import { AuthorState } from "./authors-page.tsx"
import { ConsoleKeyPage } from "./console-keys-page.tsx"
import { ImportPage } from "./imports-page.tsx"

const viewIn = (locale: Locale) => consoleViewAt("/console", locale)
const en = viewIn("en")
const attack = `"><script>alert(1)</script>`
/** The visible text of a page. */
const shownOf = (page: unknown) => unescapeHtml(textOf(page))

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
  hasPassword: false,
  isInvited: false,
  lastSeenAt: null,
  ...changes,
})

test("an author who signed in and has no session left is active, not invited", () => {
  const { active, invited, noPassword, suspended } = en.texts.authors
  const render = (changes: Partial<AuthorFacts>) =>
    shownOf(AuthorState({ view: en, author: author(changes) }))
  expect(render({})).toContain(noPassword)
  expect(render({ isInvited: true })).toContain(invited)
  expect(render({ hasPassword: true })).toContain(active)
  expect(render({ hasPassword: true, isSuspended: true })).toContain(suspended)
})

const key = keyRecord("key_1")

const keyPageOf = (facts: KeyFacts, inactiveKeyRequests: readonly InactiveKeyUse[] = []) =>
  ConsoleKeyPage({ view: en, facts, mask: "", inactiveKeyRequests, author: null })

test("the page of an inactive key lists who still uses it", () => {
  const caller = { ipRange: `192.0.2.0/24${attack}`, calls: 1_234, lastAt: "2026-06-22T08:00:00Z" }
  const inactive = { key, state: "revoked", usage: null } as const
  const page = String(keyPageOf(inactive, [caller]))
  expect(shownOf(page)).toContain(en.texts.keyPages.inactiveRequests.summary(1_234))
  expect(page).toContain(`href="/console/authors/${key.accountId}/traffic?key=`)
  expect(page).not.toContain(attack)
  expect(shownOf(keyPageOf(inactive))).toContain(en.texts.keyPages.inactiveRequests.none)
  expect(String(keyPageOf(inactive))).toContain('id="still-called"')
  expect(String(keyPageOf({ ...inactive, state: "active" }))).not.toContain('id="still-called"')
})

test("an import with only rejected lines counts them and has a badge", () => {
  const run = {
    id: 2,
    source: "a.ndjson",
    via: "file",
    line: 4,
    problem: null,
    startedAt: "2026-06-22T08:00:00Z",
    finishedAt: "2026-06-22T08:00:01Z",
    outcome: {
      ...emptyOutcome,
      counts: { ...emptyOutcome.counts, rejected: 4 },
    },
  } as const
  const { imports } = en.texts
  expect(shownOf(ImportPage({ view: en, run }))).toContain(
    `${imports.lines} 4 ${imports.accepted} 0 ${imports.rejected} 4`,
  )
})
