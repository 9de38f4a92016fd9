import { expect, test } from "bun:test"
import { unescapeHtml } from "../../tests/harness/browser/docs-page.ts"
import { consoleViewAt, renderIn, textOf } from "../../tests/harness/http/page-views.ts"
import type { AuthorFacts } from "../accounts/account.ts"
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
