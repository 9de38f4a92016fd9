import type { Hono } from "hono"
import type { Actor } from "../../../domain/sign-in/audit-event.ts"
import type { Operator } from "../../../domain/sign-in/operator.ts"
import type { Session } from "../../../domain/sign-in/session.ts"
import {
  ipRangeOfRequest,
  noticeOf,
  type PageContext,
  type PageEnv,
  pageViewOf,
} from "../../pages/page-context.ts"
import type { View } from "../../pages/view.ts"
import { type ConsoleTexts, en } from "../translations/console-en.ts"
import { tr } from "../translations/console-tr.ts"

export type ConsoleVisitor = Readonly<{ session: Session; operator: Operator }>
export type ConsoleContext = PageContext<ConsoleVisitor>
export type ConsoleApp = Hono<PageEnv<ConsoleVisitor>>

/** Data of every page. `texts` are shared with the workspace. */
export type ConsoleView = View &
  Readonly<{
    consoleTexts: ConsoleTexts
    operator: Readonly<{ name: string }> | null
  }>

export const consoleDictionaries = { en, tr } as const

/** Only for routes that require a session. */
export function visitorOf(c: ConsoleContext): ConsoleVisitor {
  const visitor = c.get("visitor")
  if (visitor === null) throw new Error("a page of the console was reached without a session")
  return visitor
}

export const actorOf = (c: ConsoleContext): Actor => ({
  kind: "operator",
  name: visitorOf(c).operator.name,
  ipRange: ipRangeOfRequest(c),
})

export function viewOf(c: ConsoleContext, notice: string | null = null): ConsoleView {
  const consoleTexts: ConsoleTexts = consoleDictionaries[c.get("locale")]
  const visitor = c.get("visitor")
  return { ...pageViewOf(c, notice), consoleTexts, operator: visitor?.operator ?? null }
}

/** The view with the notice that `?done=` names. */
export const viewWithNotice = (c: ConsoleContext) =>
  viewOf(c, noticeOf(c, viewOf(c).consoleTexts.done))
