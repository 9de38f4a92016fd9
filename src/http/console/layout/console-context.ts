import type { Hono } from "hono"
import type { Actor } from "../../../domain/sign-in/audit-event.ts"
import { hasRight, type Operator, type OperatorRight } from "../../../domain/sign-in/operator.ts"
import type { Session } from "../../../domain/sign-in/session.ts"
import {
  ipRangeOfRequest,
  type PageContext,
  type PageEnv,
  pageViewOf,
  type View,
} from "../../pages/page-context.ts"

export type ConsoleVisitor = Readonly<{ session: Session; operator: Operator }>
export type ConsoleContext = PageContext<ConsoleVisitor>
export type ConsoleApp = Hono<PageEnv<ConsoleVisitor>>

export type ConsoleView = View & Readonly<{ operator: Pick<Operator, "name" | "role"> | null }>

/** Only for routes that require a session. */
export function visitorOf(c: ConsoleContext): ConsoleVisitor {
  const visitor = c.get("visitor")
  if (visitor === null) throw new Error("a page of the console was reached without a session")
  return visitor
}

export function actorOf(c: ConsoleContext): Actor {
  const { name, role } = visitorOf(c).operator
  return { kind: "operator", name, role, ipRange: ipRangeOfRequest(c) }
}

export const viewOf = (c: ConsoleContext, notice: string | null = null): ConsoleView => ({
  ...pageViewOf(c, notice),
  operator: c.get("visitor")?.operator ?? null,
})

/** Whether the page shows the button of a change that requires this right. */
export const may = ({ operator }: ConsoleView, right: OperatorRight): boolean =>
  operator !== null && hasRight(operator.role, right)
