import { expect, test } from "bun:test"
import { unescapeHtml } from "../../tests/harness/browser/docs-page.ts"
import { consoleViewAt, textOf } from "../../tests/harness/http/page-views.ts"
import type { AuthorFacts } from "../accounts/account.ts"
import { ImportPage } from "../feed/import-pages.tsx"
import { emptyOutcome } from "../feed/import-run.ts"
import type { Locale } from "../platform/locale.ts"
import { AuthorState } from "./author-pages.tsx"

const viewIn = (locale: Locale) => consoleViewAt("/console", locale)
const en = viewIn("en")
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
