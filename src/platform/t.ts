import { AsyncLocalStorage } from "node:async_hooks"
import type { Locale } from "./locale.ts"
import { tr } from "./tr.ts"

/** An English sentence of the table. What follows ` # ` says where it stands, and is not shown. */
export type TextKey = keyof typeof tr

type Value = string | number | readonly string[]

/** The names in braces: `{name}`, or `{n line|lines}` for a number with its noun. */
type NamesIn<Key extends string> = Key extends `${string}{${infer Inner}}${infer Rest}`
  ? (Inner extends `${infer Name} ${string}` ? Name : Inner) | NamesIn<Rest>
  : never
type CountsIn<Key extends string> = Key extends `${string}{${infer Inner}}${infer Rest}`
  ? (Inner extends `${infer Name} ${string}` ? Name : never) | CountsIn<Rest>
  : never

type ValuesOf<Key extends string> = Readonly<{
  [Name in NamesIn<Key>]: Name extends CountsIn<Key> ? number : Value
}>

/** Texts without values. */
export type PlainKey = { [Key in TextKey]: NamesIn<Key> extends never ? Key : never }[TextKey]

const locales = new AsyncLocalStorage<Locale>()

/** Texts in `run`, and in what it starts, are in this language. */
export const inLocale = <Result>(locale: Locale, run: () => Result): Result =>
  locales.run(locale, run)

/** English for commands and logs. */
export const currentLocale = (): Locale => locales.getStore() ?? "en"

/** The text in the language of the reader. A missing translation or value does not compile. */
export function t<Key extends TextKey>(
  key: Key,
  ...[values]: NamesIn<Key> extends never ? [] : [values: ValuesOf<Key>]
): string {
  return fill(key, values ?? {})
}

const placeholder = /\{(\w+)(?: ([^|}]*)\|([^}]*))?\}/g

/** The same with values that the compiler does not know. */
export function fill(key: TextKey, values: Readonly<Record<string, Value>>): string {
  const locale = currentLocale()
  const text = locale === "tr" ? tr[key] : (key.split(" # ", 1)[0] ?? key)
  if (!text.includes("{")) return text
  return text.replaceAll(placeholder, (_, name: string, one?: string, many?: string) => {
    const value = values[name] ?? ""
    const noun = one === undefined ? "" : ` ${value === 1 ? one : many}`
    return (typeof value === "object" ? value.join(", ") : value.toLocaleString(locale)) + noun
  })
}
