import type { Locale } from "../../locale.ts"

export type Text<T> = Readonly<Record<Locale, T>>

/** A text of the pages in both languages. Texts with values are functions. */
export const text = <T>(en: T, tr: NoInfer<T>): Text<T> => ({ en, tr })

type Value = string | number | readonly string[]

/** A text with values for the names in braces, in the order of the English text: `{name}`, or `{n line|lines}` for a number with its noun. */
export function filled<Values extends readonly Value[] = [string]>(en: string, tr: string) {
  const placeholder = /\{(\w+)(?: ([^|}]*)\|([^}]*))?\}/g
  const names = [...new Set([...en.matchAll(placeholder)].map(([, name]) => name))]
  const fill =
    (locale: Locale, template: string) =>
    (...values: Values) =>
      template.replaceAll(placeholder, (_, name: string, one?: string, many?: string) => {
        const value = values[names.indexOf(name)] ?? ""
        const noun = one === undefined ? "" : ` ${value === 1 ? one : many}`
        return (typeof value === "object" ? value.join(", ") : value.toLocaleString(locale)) + noun
      })
  return text(fill("en", en), fill("tr", tr))
}

/** A number with its noun, which does not change with the number in Turkish. */
export const counted = (one: string, many: string, tr: string) =>
  filled<[n: number]>(`{n ${one}|${many}}`, `{n} ${tr}`)

/** A number with its noun, in English. */
export const count = (n: number, one: string, many: string) =>
  `${n.toLocaleString("en")} ${n === 1 ? one : many}`

/** A number as it is written in Turkish, whose nouns do not change with it. */
export const formatNumber = (n: number) => n.toLocaleString("tr")

/** The first ten texts, each cut to 20 characters. */
export const shorten = (texts: readonly string[]) =>
  texts
    .slice(0, 10)
    .map((text) => (text.length > 20 ? `${text.slice(0, 20)}…` : text))
    .join(", ") + (texts.length > 10 ? ", …" : "")
