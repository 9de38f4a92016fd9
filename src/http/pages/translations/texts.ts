import type { Locale } from "../../../domain/values/locale.ts"
import { en } from "../../../domain/values/problems/en.ts"
import type { Texts } from "../../../domain/values/problems/problem.ts"
import { tr } from "../../../domain/values/problems/tr.ts"
import { activation } from "./activation.ts"
import { audit } from "./audit.ts"
import { author } from "./author.ts"
import { authors } from "./authors.ts"
import { check } from "./check.ts"
import { columns } from "./columns.ts"
import { consoleKeys } from "./console-keys.ts"
import { docs } from "./docs.ts"
import { errors } from "./errors.ts"
import { home } from "./home.ts"
import { imports } from "./imports.ts"
import { items } from "./items.ts"
import { keyPages } from "./key-pages.ts"
import { keys } from "./keys.ts"
import { landing } from "./landing.ts"
import { license } from "./license.ts"
import { lists } from "./lists.ts"
import { log } from "./log.ts"
import { navigation } from "./navigation.ts"
import { notices } from "./notices.ts"
import { operators } from "./operators.ts"
import { overview } from "./overview.ts"
import { purchases } from "./purchases.ts"
import { range } from "./range.ts"
import { sales } from "./sales.ts"
import { search } from "./search.ts"
import { serverSettings } from "./server-settings.ts"
import { settings } from "./settings.ts"
import { signIn } from "./sign-in.ts"
import { signingKeys } from "./signing-keys.ts"
import { sites } from "./sites.ts"
import { traffic } from "./traffic.ts"
import { twoFactor } from "./two-factor.ts"
import { webhooks } from "./webhooks.ts"
import { words } from "./words.ts"

const problems: Readonly<Record<Locale, Texts>> = { en, tr }

const subjects = {
  activation,
  audit,
  author,
  authors,
  check,
  columns,
  consoleKeys,
  docs,
  errors,
  imports,
  items,
  keyPages,
  keys,
  landing,
  license,
  lists,
  log,
  navigation,
  notices,
  operators,
  overview,
  problems,
  purchases,
  range,
  sales,
  search,
  serverSettings,
  settings,
  signIn,
  signingKeys,
  sites,
  home,
  traffic,
  twoFactor,
  webhooks,
  words,
}

type Subjects = typeof subjects
/** All texts of the pages, by subject. A translation has the type of the English texts. */
export type PageTexts = Readonly<{ [S in keyof Subjects]: Subjects[S]["en"] }>

const compose = (locale: Locale) =>
  Object.fromEntries(
    Object.entries(subjects).map(([subject, texts]) => [subject, texts[locale]]),
  ) as PageTexts

export const dictionaries: Readonly<Record<Locale, PageTexts>> = {
  en: compose("en"),
  tr: compose("tr"),
}
