import type { Locale } from "../../../domain/values/locale.ts"

export type Text<T> = Readonly<Record<Locale, T>>

/** A text of the pages in both languages. Texts with values are functions. */
export const text = <T>(en: T, tr: NoInfer<T>): Text<T> => ({ en, tr })

/** Texts with one value, in place of each name in braces: "Rotate {name}". */
export const filled = (en: string, tr: string) => {
  const fill = (template: string) => (value: string) => template.replaceAll(/\{\w+\}/g, () => value)
  return text(fill(en), fill(tr))
}

/** A number with its noun, which does not change with the number in Turkish. */
export const counted = (one: string, many: string, tr: string) =>
  text(
    (n: number) => count(n, one, many),
    (n) => `${formatNumber(n)} ${tr}`,
  )

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
