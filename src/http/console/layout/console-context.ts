import { hasRight, type OperatorRight } from "../../../domain/sign-in/operator.ts"
import type { PageApp, PageContext, View } from "../../pages/page-context.ts"

export type ConsoleContext = PageContext
export type ConsoleApp = PageApp
export type ConsoleView = View

export const visitorOf = (c: PageContext) => c.var
export const actorOf = (c: PageContext) => c.var.actor

export const viewOf = (c: PageContext, notice = c.var.view.notice): View => ({
  ...c.var.view,
  notice,
})

/** Whether the page shows the button of a change that requires this right. */
export const may = ({ operator }: View, right: OperatorRight): boolean =>
  operator !== null && hasRight(operator.role, right)
