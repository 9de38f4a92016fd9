/** The context of every handler, of the workspace and of the console: the visitor, the language, the form. */
import type { Context } from "hono"
import type { FC } from "hono/jsx"
import type { InFlight } from "../../domain/limits/request-limits.ts"
import type { Actor } from "../../domain/sign-in/audit-event.ts"
import type { Session } from "../../domain/sign-in/session.ts"
import { ipRangeOf } from "../../domain/values/ip-range.ts"
import type { Locale } from "../../domain/values/locale.ts"
import type { Visit } from "../../operations/sign-in/session-operations.ts"
import { dictionaries, type PageProps, type Site, type View } from "./view.ts"

export type PageBindings = Readonly<{
  address: string
  /** False when too many pages are in flight: the visitor gets an error page. */
  isAdmitted: boolean
  whilePaused: InFlight["whilePaused"]
  /** Gets unexpected errors; the visitor gets an error page. */
  onFault(fault: unknown): void
}>

export type PageEnv<Visitor> = {
  Bindings: PageBindings
  Variables: {
    site: Site
    visitor: Visitor | null
    locale: Locale
    formToken: string
    form: Form
  }
}

export type PageContext<Visitor> = Context<PageEnv<Visitor>>

/** The workspace or the console, for the routes that are the same in both. */
export type PageArea<Visitor, V extends View> = Readonly<{
  Layout: FC<PageProps<V>>
  viewOf(c: PageContext<Visitor>, notice?: string | null): V
  identityOf(c: PageContext<Visitor>): Readonly<{
    /** By the name that they sign in with. */
    person: Readonly<{ id: number; name: string }>
    session: Session
    /** As the audit names them. */
    actor: Actor
  }>
}>

export type Form = Readonly<{
  /**
   * The last value of this name; empty when there is none. Without NUL characters, which PostgreSQL
   * cannot store or search for.
   */
  text(name: string): string
  /** The same, unchanged: for values that are neither stored nor searched for. */
  raw(name: string): string
  list(name: string): readonly string[]
}>

export function createForm(body: Readonly<Record<string, unknown>>): Form {
  const list = (name: string) =>
    [body[name]].flat().filter((value): value is string => typeof value === "string")
  const raw = (name: string) => list(name).at(-1) ?? ""
  return { list, raw, text: (name) => raw(name).replaceAll("\0", "") }
}

/** What a form makes gets its id from this one, so that a form that is sent twice makes one thing. */
export function findFormId(form: Form): string | null {
  const id = form.text("form_id")
  return /^[\w-]{16,64}$/.test(id) ? id : null
}

export const ipRangeOfRequest = <Visitor>(c: PageContext<Visitor>) => ipRangeOf(c.env.address)

export const visitOf = <Visitor>(c: PageContext<Visitor>): Visit => ({
  ipRange: ipRangeOfRequest(c),
  device: c.req.header("user-agent") ?? "",
})

/** Says what was changed, after a form that redirected with `?done=`: the text of that name, if there is one. */
export function noticeOf<Visitor>(
  c: PageContext<Visitor>,
  told: Readonly<Record<string, string>>,
): string | null {
  return new Map(Object.entries(told)).get(c.req.query("done") ?? "") ?? null
}

/** Without an author. */
export function pageViewOf<Visitor>(c: PageContext<Visitor>, notice: string | null): View {
  const locale = c.get("locale")
  return {
    site: c.get("site"),
    locale,
    texts: dictionaries[locale],
    path: c.req.path,
    author: null,
    formToken: c.get("formToken"),
    notice,
  }
}
