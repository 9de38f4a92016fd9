/** What every page is given beside its own data. */
import type { Locale } from "../api/messages.ts"
import { en, type Words } from "./translations/en.ts"
import { tr } from "./translations/tr.ts"

export const catalogues: Readonly<Record<Locale, Words>> = { en, tr }

export type View = Readonly<{
  locale: Locale
  words: Words
  /** The path of the page, for the navigation to mark. */
  path: string
  /** Null where nobody is signed in. */
  author: Readonly<{ username: string; name: string }> | null
  /** Goes into every form; see csrf.ts. */
  formToken: string
  /** What just changed, said once at the top. */
  notice: string | null
}>
