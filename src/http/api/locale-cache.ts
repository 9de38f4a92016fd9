import type { Locale } from "./answer/messages.ts"

/** One value for each language, made when it is first asked for. It must depend on nothing else. */
export function createLocaleCache<Value>(
  make: (locale: Locale) => Value,
): (locale: Locale) => Value {
  const made = new Map<Locale, Value>()
  return (locale) => {
    const known = made.get(locale)
    if (known !== undefined) return known
    const value = make(locale)
    made.set(locale, value)
    return value
  }
}
