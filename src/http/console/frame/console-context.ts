import type { Hono } from "hono"
import type { Actor } from "../../../domain/sign-in/audit-event.ts"
import type { Operator } from "../../../domain/sign-in/operator.ts"
import type { Session } from "../../../domain/sign-in/session.ts"
import {
  networkOfVisit,
  noticeOf,
  type PageContext,
  type PageEnv,
  pageViewOf,
} from "../../pages/page-context.ts"
import type { View } from "../../pages/view.ts"
import { type ConsoleWords, en } from "../translations/en.ts"
import { tr } from "../translations/tr.ts"

export type ConsoleVisitor = Readonly<{ session: Session; operator: Operator }>
export type ConsoleContext = PageContext<ConsoleVisitor>
export type ConsoleApp = Hono<PageEnv<ConsoleVisitor>>

/** The data that every page gets beside its own. `words` are those of the parts that authors see too. */
export type ConsoleView = View &
  Readonly<{
    texts: ConsoleWords
    /** Null without a session. */
    operator: Readonly<{ name: string }> | null
  }>

export const consoleCatalogues = { en, tr } as const

/** For pages behind the sign-in, whose routes make sure that there is a visitor. */
export function visitorOf(c: ConsoleContext): ConsoleVisitor {
  const visitor = c.get("visitor")
  if (visitor === null) throw new Error("a page of the console was reached without a session")
  return visitor
}

/** The operator as the audit names them. */
export const actorOf = (c: ConsoleContext): Actor => ({
  kind: "operator",
  name: visitorOf(c).operator.name,
  network: networkOfVisit(c),
})

export function viewOf(c: ConsoleContext, notice: string | null = null): ConsoleView {
  const texts: ConsoleWords = consoleCatalogues[c.get("locale")]
  const visitor = c.get("visitor")
  return { ...pageViewOf(c, notice), texts, operator: visitor?.operator ?? null }
}

/** The view after a form that redirected with `?done=`: it says what was changed. */
export const viewAfter = (c: ConsoleContext) => viewOf(c, noticeOf(c, viewOf(c).texts.done))
