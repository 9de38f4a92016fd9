/** Which rendering a request gets: parameter `lang`, else Accept-Language, else the site's own. */

import { type Locale, locales } from "../../../domain/values/locale.ts"
import { parseAccept } from "../../request/request-head.ts"

export function findLocale(text: string): Locale | null {
  const lower = text.toLowerCase()
  return locales.find((locale) => locale === lower) ?? null
}

/** `*` means every language that is not named; the site's own is the first of those. */
export function negotiateLocale(header: string | null, siteDefault: Locale): Locale {
  if (header === null) return siteDefault
  const preferences = parseAccept(header).map(({ name, quality }) => ({
    // Without its region.
    language: name.split("-")[0],
    quality,
  }))
  const star = preferences.find(({ language }) => language === "*")?.quality ?? 0
  const named = (locale: Locale) => preferences.findIndex(({ language }) => language === locale)
  const candidates = locales.map((locale) => {
    const at = named(locale)
    const isDefault = locale === siteDefault
    // Of equal weights the first in the header wins; of languages that are not in it, the site's own.
    const order = at === -1 ? preferences.length + (isDefault ? 0 : 1) : at
    return { locale, quality: preferences[at]?.quality ?? star, order }
  })
  const [best] = candidates
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality || a.order - b.order)
  return best?.locale ?? siteDefault
}

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
