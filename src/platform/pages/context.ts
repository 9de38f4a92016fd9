/** The request context of all pages: view, visitor and form. */

import { AsyncLocalStorage } from "node:async_hooks"
import type { Context, Hono } from "hono"
import type { Child, FC } from "hono/jsx"
import type { InFlight } from "../http/in-flight.ts"
import type { Locale } from "../locale.ts"
import { inLocale } from "../t.ts"

/** The marketplace. Its URLs are null if they are not set. */
export type Site = Readonly<{
  name: string
  supportUrl: string | null
  /** The page where its authors sign in and get a sign-in link. */
  signInUrl: string | null
  /** The host of the OpenID Connect provider; null without one. */
  identityHost: string | null
}>

export const themes = ["system", "light", "dark"] as const

/** What a page shows of its request. Rooms above add what their pages need. */
export interface View {
  readonly site: Site
  readonly locale: Locale
  readonly theme: (typeof themes)[number]
  /** The path of the page, marked in the navigation. */
  readonly path: string
  readonly Frame: FC<PageProps>
  readonly person: Readonly<{ name: string }> | null
  /** The account of the workspace: that of the path, else the first of the person's. */
  readonly author: Readonly<{ username: string; name: string }> | null
  /** The teams of the person. */
  readonly teams: readonly Readonly<{ username: string; fullName: string }>[]
  /** Whether an operator is in the workspace of an author. */
  readonly isVisiting: boolean
  /** Where the pages of somebody who is signed in begin. */
  readonly homePath: string | null
  /** Where the language is stored. */
  readonly languagePath: string
  /** Part of every form; see page-app.tsx. */
  readonly formToken: string
  /** The change that was just made, shown once. */
  readonly notice: string | null
}

export type PageProps = Readonly<{
  title: string
  /** The error of a form, which replaces the title of the document. */
  problem?: string | null | undefined
  /** The text of the heading if it is not the title. */
  heading?: Child
  action?: Child
  children?: Child
}>

export type PageBindings = Readonly<{
  address: string
  /** False if too many pages are in flight; the visitor gets an error page. */
  isAdmitted: boolean
  whilePaused: InFlight["whilePaused"]
  takeTurn: InFlight["takeTurn"]
  /** Keeps the place of the page, also after the response has started. The returned function frees it. */
  keepPlace(): () => void
  /** Receives unexpected errors; the visitor gets an error page. */
  onFault(fault: unknown): void
}>

/** `isRequired` unless the session was confirmed within five minutes. `problem` says why the password was rejected. */
export type PasswordPrompt = Readonly<{ isRequired: boolean; problem: string | null }>

/** The password of whoever is signed in. Some have none, because they use links or passkeys. */
export type PasswordChecks = Readonly<{
  isConfirmed(): boolean
  hasPassword(): Promise<boolean>
  /** Null if the session was confirmed recently or the form contains the password; else the prompt to show. */
  check(): Promise<PasswordPrompt | null>
  /** What somebody without a password can do instead. */
  renderNone(): Child
}>

/** What the middleware of people adds to the context, which declares it there. */
export interface PageVariables {
  form: Form
  passwords: PasswordChecks
  isSignedIn: boolean
}

export type PageEnv = { Bindings: PageBindings; Variables: PageVariables }

export type PageContext = Context<PageEnv>
export type PageApp = Hono<PageEnv>

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

const views = new AsyncLocalStorage<View>()

/** The pages that `run` renders, and what it starts, have this view. */
export const inView = <Result>(view: View, run: () => Result): Result =>
  views.run(view, () => inLocale(view.locale, run))

export function currentView(): View {
  const view = views.getStore()
  if (view === undefined) throw new Error("there is no view outside a page")
  return view
}

/** A page in the frame of the workspace or the console, whichever it belongs to. */
export const Page: FC<PageProps> = (props) => currentView().Frame(props)
