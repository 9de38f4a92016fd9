/** Pages that no click leads to at will: errors, and the invitation of somebody new. */
import type { Page } from "playwright-core"
import { ErrorPage, type ErrorStatus } from "../../src/http/workspace/pages/error-page.tsx"
import { catalogues } from "../../src/http/workspace/view.ts"
import { findAccount } from "../../src/operations/find-account.ts"
import { inviteAccount } from "../../src/operations/set-password.ts"
import { tokens } from "../../src/secrets/tokens.ts"
import type { Program } from "./program.ts"

/** A 404 is easily come by and among the stops. */
export const errorStatuses: readonly ErrorStatus[] = [403, 429, 500, 503]

/** The page itself, at an address of the program, so that its style and script are the real ones. */
export async function showErrorPage(
  page: Page,
  url: string,
  status: ErrorStatus,
  locale: "en" | "tr",
): Promise<void> {
  const view = { locale, words: catalogues[locale], path: "/broken", author: null }
  const body = String(ErrorPage({ view: { ...view, formToken: "", notice: null }, status }))
  await page.route(`${url}/broken`, (route) =>
    route.fulfill({ status, contentType: "text/html; charset=utf-8", body }),
  )
  await page.goto(`${url}/broken`)
}

/** The path of a link that lets this author choose a password. */
export async function invite({ app }: Program, username: string): Promise<string> {
  const { id } = await findAccount(app.store.accounts, username)
  const { invitations } = app.store
  return `/invite/${await inviteAccount({ invitations, tokens, now: app.now }, id)}`
}
