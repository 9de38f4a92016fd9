/** The request context of pages for authors: workspace and documentation. */
import type { Hono } from "hono"
import { type Account, accountBodyOf } from "../../domain/catalog/account.ts"
import type { Actor } from "../../domain/sign-in/audit-event.ts"
import type { Session } from "../../domain/sign-in/session.ts"
import { ipRangeOfRequest, type PageContext, type PageEnv, pageViewOf } from "./page-context.ts"
import type { View } from "./view.ts"

export type Visitor = Readonly<{ session: Session; account: Account }>
export type AuthorApp = Hono<PageEnv<Visitor>>
export type AuthorContext = PageContext<Visitor>

/** For pages behind the sign-in, whose routes ensure a visitor. */
export function visitorOf(c: AuthorContext): Visitor {
  const visitor = c.get("visitor")
  if (visitor === null) throw new Error("workspace page without a session")
  return visitor
}

export const actorOf = (c: AuthorContext): Actor => ({
  kind: "author",
  name: visitorOf(c).account.username,
  ipRange: ipRangeOfRequest(c),
})

export function identityOf(c: AuthorContext) {
  const { account, session } = visitorOf(c)
  return { person: { id: account.id, name: account.username }, session, actor: actorOf(c) }
}

export function viewOf(c: AuthorContext, notice: string | null = null): View {
  const visitor = c.get("visitor")
  return { ...pageViewOf(c, notice), author: visitor && authorOf(visitor.account) }
}

const authorOf = (account: Account): View["author"] => ({
  username: account.username,
  name: accountBodyOf(account).name.full_name,
})
