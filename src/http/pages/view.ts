/** The data that every page gets beside its own. */
import type { Child } from "hono/jsx"
import type { Locale } from "../../domain/values/locale.ts"
import { en, type PageTexts } from "./translations/en.ts"
import { tr } from "./translations/tr.ts"

export const dictionaries: Readonly<Record<Locale, PageTexts>> = { en, tr }

/** The marketplace whose pages these are. An address is null if it has named none. */
export type Site = Readonly<{
  name: string
  supportUrl: string | null
  /** Where its authors sign in, and come back by a sign-in link. */
  signInUrl: string | null
}>

export type View = Readonly<{
  site: Site
  locale: Locale
  texts: PageTexts
  /** The path of the page, for the navigation to mark. */
  path: string
  /** Null without a session. */
  author: Readonly<{ username: string; name: string }> | null
  /** Goes into every form; see page-app.ts. */
  formToken: string
  /** The change that was just made, shown once at the top. */
  notice: string | null
}>

/** Of every frame around a page. */
export type PageProps<V = View> = Readonly<{
  view: V
  title: string
  /** The error of a form: the title says it first. */
  problem?: string | null | undefined
  children?: Child
}>
