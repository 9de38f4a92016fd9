/** Pages without a link to them: errors, invitations, sign-in links, a suspension, the password form. */

import type { Page } from "playwright-core"
import { commandLine } from "../../../src/access/actor.ts"
import { tokens } from "../../../src/access/token.ts"
import { requireAccount } from "../../../src/accounts/account-operations.ts"
import { createSignInLink } from "../../../src/people/sign-in-operations.ts"
import { createTwoFactorCipher } from "../../../src/people/two-factor.ts"
import { inView } from "../../../src/platform/pages/context.ts"
import type { ErrorStatus } from "../../../src/platform/pages/layout.tsx"
import { secondsBefore } from "../../../src/platform/time.ts"
import { ErrorPage } from "../../../src/workspace/frame.tsx"
import { viewAt } from "../http/page-views.ts"
import { inviteOwner } from "../invite-owner.ts"
import type { Program } from "../program.ts"
import { account } from "../records.ts"
import { signIn } from "./page-visits.ts"
import { givePassword, samplePassword } from "./sample-workspace.ts"

/** 403 has the longest text. 404 is visited as an ordinary page. */
export const errorStatuses: readonly ErrorStatus[] = [403]

/** Shows the page under a URL of the program, so that it has the real styles and scripts. */
export async function showErrorPage(
  page: Page,
  url: string,
  status: ErrorStatus,
  locale: "en" | "tr",
): Promise<void> {
  const view = { ...viewAt("/broken", locale), author: null }
  const body = inView(view, () => String(ErrorPage({ status })))
  await page.route(`${url}/broken`, (route) =>
    route.fulfill({ status, contentType: "text/html; charset=utf-8", body }),
  )
  await page.goto(`${url}/broken`)
}

/** Creates a key with a wrong password in a session that is an hour old. */
export async function showConfirmPage(page: Page, { app, url }: Program): Promise<void> {
  await signIn(page, url)
  const cookies = await page.context().cookies()
  const token = cookies.find(({ name }) => name === "pazar")?.value ?? ""
  const session = await app.store.sessions.findByToken(tokens.digest(token))
  const anHourAgo = secondsBefore(app.now(), 3600)
  await app.store.sessions.confirm(session?.id ?? "", anHourAgo)
  await page.goto(`${url}/workspace/elif/settings/keys/new`)
  await page.fill("#name", "Made late")
  await page.fill("#password", "not this one")
  await page.click("main button[type=submit]")
  await page.waitForSelector("#password-error")
}

/** A link of another author requires a click; a link of the same author would sign in immediately. */
export async function showLinkPage(page: Page, { app, url }: Program): Promise<void> {
  await signIn(page, url)
  const other = await requireAccount(app.store.accounts, "marcus")
  const services = { ...app.store, tokens, now: app.now, actor: commandLine }
  const { token } = await createSignInLink(services, other)
  await page.goto(`${url}/login/link/${token}`)
}

/** After the correct password and a wrong code. */
export async function showCodePage(page: Page, program: Program): Promise<void> {
  await program.load([account("careful")])
  await givePassword(program, "careful")
  const { people, twoFactor } = program.app.store
  const { masterKeys } = program.app
  const id = (await people.findByName("careful"))?.id ?? 0
  const cipher = createTwoFactorCipher(masterKeys)
  await twoFactor.put(id, "", {
    encrypted: cipher.encrypt(cipher.createSecret(), id),
    usedStep: 0,
    recoveryDigests: [],
  })
  await page.goto(`${program.url}/login`)
  await page.fill("#name", "careful")
  await page.fill("#password", samplePassword)
  await page.click("main button[type=submit]")
  await page.waitForURL("**/login/code*")
  await page.fill("#code", "no-such-code")
  await page.click("main button[type=submit]")
  await page.waitForSelector("#code-error")
}

export async function showSuspendedPage(page: Page, program: Program): Promise<void> {
  await program.load([account("paused", { suspended: true })])
  await givePassword(program, "paused")
  await page.goto(`${program.url}/login`)
  await page.fill("#name", "paused")
  await page.fill("#password", samplePassword)
  await page.click("main button[type=submit]")
  await page.locator("main .notice").waitFor()
}

export async function invite({ app }: Program, username: string): Promise<string> {
  const account = await requireAccount(app.store.accounts, username)
  const { token } = await inviteOwner({ ...app.store, tokens, now: app.now }, account)
  return `/invite/${token}`
}
