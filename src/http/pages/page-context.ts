/** The request context of all pages: visitor, language and form. */
import type { Context, Hono } from "hono"
import type { Child, FC } from "hono/jsx"
import { type Account, accountBodyOf } from "../../domain/catalog/account.ts"
import type { InFlight } from "../../domain/limits/request-limits.ts"
import type { Actor } from "../../domain/sign-in/audit-event.ts"
import type { Session } from "../../domain/sign-in/session.ts"
import { ipRangeOf } from "../../domain/values/ip-range.ts"
import type { Locale } from "../../domain/values/locale.ts"
import type { Visit } from "../../operations/sign-in/session-operations.ts"
import { dictionaries, type PageTexts } from "./translations/texts.ts"

export type PageBindings = Readonly<{
  address: string
  /** False if too many pages are in flight; the visitor gets an error page. */
  isAdmitted: boolean
  whilePaused: InFlight["whilePaused"]
  /** Receives unexpected errors; the visitor gets an error page. */
  onFault(fault: unknown): void
}>

export type PageEnv<Visitor> = {
  Bindings: PageBindings
  Variables: {
    site: Site
    visitor: Visitor | null
    locale: Locale
    theme: Theme
    formToken: string
    form: Form
  }
}

export type PageContext<Visitor> = Context<PageEnv<Visitor>>

/** The workspace or the console, for routes that both have. */
export type PageArea<Visitor, V extends View> = Readonly<{
  Layout: FC<PageProps<V>>
  viewOf(c: PageContext<Visitor>, notice?: string | null): V
  identityOf(c: PageContext<Visitor>): Readonly<{
    /** `name` is the name for signing in. */
    person: Readonly<{ id: number; name: string }>
    session: Session
    actor: Actor
  }>
}>

export type Form = Readonly<{
  /**
   * The last value of this name, or an empty string. Drops NUL characters, which PostgreSQL cannot store
   * or search for.
   */
  text(name: string): string
  /** The same with NUL characters, for values that are neither stored nor searched for. */
  raw(name: string): string
  list(name: string): readonly string[]
}>

export function createForm(body: Readonly<Record<string, unknown>>): Form {
  const list = (name: string) =>
    [body[name]].flat().filter((value): value is string => typeof value === "string")
  const raw = (name: string) => list(name).at(-1) ?? ""
  return { list, raw, text: (name) => raw(name).replaceAll("\0", "") }
}

/** The id of a form. A record gets its id from it, so that a form that is sent twice creates one record. */
export function findFormId(form: Form): string | null {
  const id = form.text("form_id")
  return /^[\w-]{16,64}$/.test(id) ? id : null
}

export const ipRangeOfRequest = <Visitor>(c: PageContext<Visitor>) => ipRangeOf(c.env.address)

export const visitOf = <Visitor>(c: PageContext<Visitor>): Visit => ({
  ipRange: ipRangeOfRequest(c),
  device: c.req.header("user-agent") ?? "",
})

/** Without another notice, that of `?done=`, which says what a form changed. */
export function pageViewOf<Visitor>(c: PageContext<Visitor>, notice: string | null): View {
  const locale = c.get("locale")
  const notices = new Map(Object.entries(dictionaries[locale].notices))
  return {
    site: c.get("site"),
    locale,
    theme: c.get("theme"),
    texts: dictionaries[locale],
    path: c.req.path,
    author: null,
    formToken: c.get("formToken"),
    notice: notice ?? notices.get(c.req.query("done") ?? "") ?? null,
  }
}

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

/** The marketplace. Its URLs are null if they are not set. */
export type Site = Readonly<{
  name: string
  supportUrl: string | null
  /** The page where its authors sign in and get a sign-in link. */
  signInUrl: string | null
}>

export const themes = ["system", "light", "dark"] as const
export type Theme = (typeof themes)[number]

export type View = Readonly<{
  site: Site
  locale: Locale
  theme: Theme
  texts: PageTexts
  /** The path of the page, marked in the navigation. */
  path: string
  author: Readonly<{ username: string; name: string }> | null
  /** Part of every form; see page-app.ts. */
  formToken: string
  /** The change that was just made, shown once. */
  notice: string | null
}>

export type PageProps<V = View> = Readonly<{
  view: V
  title: string
  /** The error of a form, which replaces the title of the document. */
  problem?: string | null | undefined
  /** The text of the heading if it is not the title; null for none. */
  heading?: Child
  /** The main action, beside the heading. */
  action?: Child
  children?: Child
}>
