/** The context of every handler: the visitor, the language, and the form that was sent. */
import type { Context } from "hono"
import { type Account, accountBodyOf } from "../../domain/account.ts"
import { networkOf } from "../../domain/network.ts"
import type { Session } from "../../domain/session.ts"
import type { Visit } from "../../operations/start-session.ts"
import type { Locale } from "../api/messages.ts"
import { catalogues, type Site, type View } from "./view.ts"

export type Visitor = Readonly<{ session: Session; account: Account }>

export type WorkspaceEnv = {
  Bindings: Readonly<{
    address: string
    /** False when the thread has too much to do: the visitor gets an error page. */
    isAdmitted: boolean
    /** Gets unexpected errors; the visitor gets an error page. */
    onFault(fault: unknown): void
  }>
  Variables: {
    site: Site
    visitor: Visitor | null
    locale: Locale
    formToken: string
    form: Form
  }
}

export type WorkspaceContext = Context<WorkspaceEnv>

export type Form = Readonly<{
  /**
   * The last value of this name; empty when there is none. Without NUL characters, which PostgreSQL
   * cannot store or search for.
   */
  text(name: string): string
  /** The same, unchanged: for values that are neither stored nor searched for. */
  exact(name: string): string
  list(name: string): readonly string[]
}>

export function createForm(body: Readonly<Record<string, unknown>>): Form {
  const list = (name: string) =>
    [body[name]].flat().filter((value): value is string => typeof value === "string")
  const exact = (name: string) => list(name).at(-1) ?? ""
  return { list, exact, text: (name) => exact(name).replaceAll("\0", "") }
}

/** For pages behind the sign-in, whose routes make sure that there is a visitor. */
export function visitorOf(c: WorkspaceContext): Visitor {
  const visitor = c.get("visitor")
  if (visitor === null) throw new Error("a page of the workspace was reached without a session")
  return visitor
}

export const networkOfVisit = (c: WorkspaceContext) => networkOf(c.env.address)

export const visitOf = (c: WorkspaceContext): Visit => ({
  network: networkOfVisit(c),
  device: c.req.header("user-agent") ?? "",
})

export function viewOf(c: WorkspaceContext, notice: string | null = null): View {
  const visitor = c.get("visitor")
  const locale = c.get("locale")
  return {
    site: c.get("site"),
    locale,
    words: catalogues[locale],
    path: c.req.path,
    author: visitor && authorOf(visitor.account),
    formToken: c.get("formToken"),
    notice,
  }
}

const authorOf = (account: Account): View["author"] => ({
  username: account.username,
  name: accountBodyOf(account).name.full_name,
})
