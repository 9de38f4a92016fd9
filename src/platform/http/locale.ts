/** Chooses the language of a response: parameter `lang`, else Accept-Language, else the default of the site. */
import { type Locale, locales } from "../locale.ts"
import { parseAccept } from "./request-head.ts"

export function findLocale(text: string): Locale | null {
  const lower = text.toLowerCase()
  return locales.find((locale) => locale === lower) ?? null
}

/** `*` stands for every language that the header does not name. */
export function negotiateLocale(header: string | null, siteDefault: Locale): Locale {
  if (header === null) return siteDefault
  const preferences = parseAccept(header).map(({ name, quality }) => ({
    language: name.split("-")[0],
    quality,
  }))
  const star = preferences.find(({ language }) => language === "*")?.quality ?? 0
  const named = (locale: Locale) => preferences.findIndex(({ language }) => language === locale)
  const candidates = locales.map((locale) => {
    const at = named(locale)
    const isDefault = locale === siteDefault
    // Ties go to the first language in the header. Languages that are not in it rank last, the default of
    // the site before others.
    const order = at === -1 ? preferences.length + (isDefault ? 0 : 1) : at
    return { locale, quality: preferences[at]?.quality ?? star, order }
  })
  const [best] = candidates
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality || a.order - b.order)
  return best?.locale ?? siteDefault
}

/** Caches one value per language. The value must depend on nothing else. */
export function createLocaleCache<Value>(
  create: (locale: Locale) => Value,
): (locale: Locale) => Value {
  const cache = new Map<Locale, Value>()
  return (locale) => {
    const cached = cache.get(locale)
    if (cached !== undefined) return cached
    const value = create(locale)
    cache.set(locale, value)
    return value
  }
}
