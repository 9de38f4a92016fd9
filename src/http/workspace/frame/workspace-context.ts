/** The context of the handlers of the workspace. */
import { type Account, accountBodyOf } from "../../../domain/catalogue/account.ts"
import type { Actor } from "../../../domain/sign-in/audit-event.ts"
import type { Session } from "../../../domain/sign-in/session.ts"
import {
  networkOfVisit,
  type PageContext,
  type PageEnv,
  pageViewOf,
} from "../../pages/page-context.ts"
import type { View } from "../../pages/view.ts"

export type Visitor = Readonly<{ session: Session; account: Account }>
export type WorkspaceEnv = PageEnv<Visitor>
export type WorkspaceContext = PageContext<Visitor>

/** For pages behind the sign-in, whose routes make sure that there is a visitor. */
export function visitorOf(c: WorkspaceContext): Visitor {
  const visitor = c.get("visitor")
  if (visitor === null) throw new Error("a page of the workspace was reached without a session")
  return visitor
}

/** The author as the audit names them. */
export const actorOf = (c: WorkspaceContext): Actor => ({
  kind: "author",
  name: visitorOf(c).account.username,
  network: networkOfVisit(c),
})

export function viewOf(c: WorkspaceContext, notice: string | null = null): View {
  const visitor = c.get("visitor")
  return { ...pageViewOf(c, notice), author: visitor && authorOf(visitor.account) }
}

const authorOf = (account: Account): View["author"] => ({
  username: account.username,
  name: accountBodyOf(account).name.full_name,
})
