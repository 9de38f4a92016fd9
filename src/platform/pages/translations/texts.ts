import type { Locale } from "../../locale.ts"
import type { Texts } from "../../problem.ts"
import { en } from "../../problem-texts.ts"
import { tr } from "../../problem-texts-tr.ts"
import * as subjects from "./subjects.ts"
import type { Text } from "./text.ts"

type Translated<T> = T extends Text<infer V> ? V : Readonly<{ [K in keyof T]: Translated<T[K]> }>

/** All texts of the pages, by subject. */
export type PageTexts = Translated<typeof subjects> & Readonly<{ problems: Texts }>

type Group = Readonly<{ [name: string]: Text<unknown> | Group }>

const translate = (group: Group, locale: Locale): unknown =>
  Object.fromEntries(
    Object.entries(group).map(([name, each]) => [
      name,
      isText(each) ? each[locale] : translate(each, locale),
    ]),
  )

const isText = (each: Text<unknown> | Group): each is Text<unknown> => "en" in each

// Every text of `subjects` becomes the one in the language.
const compose = (locale: Locale, problems: Texts) =>
  ({ ...(translate(subjects, locale) as object), problems }) as PageTexts

export const dictionaries: Readonly<Record<Locale, PageTexts>> = {
  en: compose("en", en),
  tr: compose("tr", tr),
}
