import type { Child } from "hono/jsx"
import type { Locale } from "../../domain/values/locale.ts"
import type { PageTexts } from "./translations/texts.ts"

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
