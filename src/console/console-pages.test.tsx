import { expect, test } from "bun:test"
import { unescapeHtml } from "../../tests/harness/browser/docs-page.ts"
import { consoleViewAt, renderIn, textOf } from "../../tests/harness/http/page-views.ts"
import type { AuthorFacts } from "../accounts/account.ts"
import { ImportPage } from "../feed/import-pages.tsx"
import { emptyOutcome } from "../feed/import-run.ts"
import { AuthorState } from "./author-pages.tsx"

/** The visible text of a page. */
const shownOf = (render: () => unknown) =>
  unescapeHtml(textOf(renderIn(consoleViewAt("/console", "en"), render)))

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
  const render = (changes: Partial<AuthorFacts>) =>
    shownOf(() => AuthorState({ author: author(changes) }))
  expect(render({})).toContain("No password")
  expect(render({ isInvited: true })).toContain("Invited")
  expect(render({ hasPassword: true })).toContain("Active")
  expect(render({ hasPassword: true, isSuspended: true })).toContain("Suspended")
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
  expect(shownOf(() => ImportPage({ run }))).toContain(`Lines read 4 Accepted 0 Rejected 4`)
})
