/** The request context of all pages: visitor, language and form. */
import type { Context } from "hono"
import type { FC } from "hono/jsx"
import type { InFlight } from "../../domain/limits/request-limits.ts"
import type { Actor } from "../../domain/sign-in/audit-event.ts"
import type { Session } from "../../domain/sign-in/session.ts"
import { ipRangeOf } from "../../domain/values/ip-range.ts"
import type { Locale } from "../../domain/values/locale.ts"
import type { Visit } from "../../operations/sign-in/session-operations.ts"
import { dictionaries } from "./translations/texts.ts"
import type { PageProps, Site, Theme, View } from "./view.ts"

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
