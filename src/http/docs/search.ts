/** Full-text search in the documentation: words in any order, inflected or unfinished, with synonyms. */

import type { Locale } from "../../domain/values/locale.ts"
import { foldLetters } from "../../domain/values/text.ts"
import type { Heading } from "./markdown.ts"
import type { DocsPage } from "./pages.ts"

/** The headings contain words of the query. */
export type SearchResult = Readonly<{ page: DocsPage; headings: readonly Heading[] }>

export const queryLengthMax = 100
const wordsMax = 8
const resultsMax = 10
const headingsMax = 3
/** The lowest score of a result, as a share of the best one. */
const scoreShareMin = 0.2

const weights = { title: 12, heading: 5, summary: 3, text: 1 } as const
/** The score of a word that only begins like the typed one. */
const inflected = 0.8

/** Words of the documentation, or of a page's path, and what readers type for them. */
const synonyms: Readonly<Record<Locale, Readonly<Record<string, readonly string[]>>>> = {
  en: {
    authentication: ["api key", "cors", "token"],
    buyer: ["customer", "customers"],
    clients: ["install", "npm", "sdk"],
    "clients support": ["support expired"],
    "error codes": ["status codes"],
    "list items": ["item id", "item ids", "pagination"],
    offline: ["api down", "down", "downtime", "grace period", "server down"],
    "purchase code": ["license key", "serial"],
    quickstart: ["getting started", "tutorial"],
    "rate limits": ["daily", "often", "once day", "throttling"],
    "release site": ["deactivate"],
    "revoked code": ["chargeback", "refund", "refunded", "refunded purchase"],
    "ship key": ["create api key", "create key"],
    "site limit": ["activation limit", "domain", "localhost", "seats", "transfer license"],
    "test data": ["sandbox", "test key"],
    timeouts: ["curl error"],
    validate: ["check", "license check"],
    "verify signatures": ["cracked", "license tampering", "tampering"],
    "webhook signature": ["hmac"],
  },
  tr: {
    authentication: ["api anahtari", "cors", "token"],
    "clients destek": ["destek suresi", "destek suresi doldu"],
    errors: ["durum kodlari", "hata kodlari"],
    "list items": ["sayfalama", "urun id"],
    multisite: ["coklu site", "site agi"],
    offline: ["cevrimdisi", "kesinti", "sunucu cokerse", "sunucu coktu"],
    quickstart: ["baslarken", "kurulum"],
    "rate limits": ["gunde bir", "hiz siniri", "istek siniri", "siklikla"],
    "revoked code": ["iade"],
    "satin alma kodu": ["lisans anahtari", "seri numarasi"],
    "site siniri": ["alan adi", "etkinlestirme siniri"],
    "test data": ["test anahtari"],
    "webhook signature": ["webhook imzasi"],
  },
}

const stopWords = new Set(
  `a an and are can do does find for get happens how i if in is it my of on or should the to use what when where with
  bir bu hangi icin ile mi mu nasil ne nerede nereden olur ve veya ya`.split(/\s+/),
)

/** `unknown_code` is also found by its parts. */
const listWords = (text: string) =>
  (foldLetters(text).match(/[\p{L}\p{N}_]+/gu) ?? []).flatMap((word) =>
    word.includes("_") ? [word, ...word.split("_")] : [word],
  )

/** 1 for the same word, less for another form of it (`rotate`, `rotating`, `rot`), 0 for another word. */
function compareWords(typed: string, word: string): number {
  if (typed === word) return 1
  if (word.startsWith(typed)) return typed.length < 3 ? 0 : inflected
  const length = Math.min(typed.length, word.length)
  if (length < 4 || typed.includes("_")) return 0
  const endingLengthMax = length >= 7 ? 2 : length >= 5 ? 1 : 0
  return typed.startsWith(word.slice(0, length - endingLengthMax)) ? inflected : 0
}

/** Each word of a page with its weight. */
function indexPage(page: DocsPage): ReadonlyMap<string, number> {
  const index = new Map<string, number>()
  const add = (words: Iterable<string>, weight: number) => {
    for (const word of words) index.set(word, (index.get(word) ?? 0) + weight)
  }
  add(listWords(page.markdown.replace(/^```.*?^```$/gms, "")), weights.text)
  // Repetition counts little.
  for (const [word, count] of index) index.set(word, 1 + Math.min(3, Math.log2(count)))
  add(new Set(listWords(page.summary)), weights.summary)
  add(new Set(page.headings.flatMap(({ text }) => listWords(text))), weights.heading)
  add(new Set(listWords(`${page.title} ${page.id}`)), weights.title)
  return index
}

/** The search returns the best pages first. */
export function createSearch(pages: readonly DocsPage[], locale: Locale) {
  const indexes = pages.map(indexPage)
  // "server down" is replaced before "down".
  const replacements = Object.entries(synonyms[locale])
    .flatMap(([words, phrases]) => phrases.map((phrase) => [` ${phrase} `, ` ${words} `] as const))
    .toSorted(([a], [b]) => b.length - a.length)
  const vocabulary = [...new Set(indexes.flatMap((index) => [...index.keys()]))]

  function scoreWord(typed: string): readonly number[] {
    const matches = vocabulary
      .map((word) => ({ word, similarity: compareWords(typed, word) }))
      .filter(({ similarity }) => similarity > 0)
    const scores = indexes.map((index) =>
      Math.max(0, ...matches.map(({ word, similarity }) => similarity * (index.get(word) ?? 0))),
    )
    // A word of few pages says more than a word of all pages.
    const rarity = Math.log2(1 + pages.length / (1 + scores.filter(Boolean).length))
    return scores.map((score) => score * rarity)
  }

  /** The mean score of the words. A page without some of them gets much less. */
  function scorePages(words: readonly string[]): readonly number[] {
    const found = words.map(scoreWord)
    return pages.map((_, at) => {
      const scores = found.map((each) => each[at] ?? 0)
      const share = scores.filter(Boolean).length / scores.length
      return (share ** 3 * scores.reduce((sum, score) => sum + score, 0)) / scores.length
    })
  }

  return (query: string): readonly SearchResult[] => {
    const typed = listWords(query.slice(0, queryLengthMax))
      .filter((word) => !stopWords.has(word))
      .slice(0, wordsMax)
    if (typed.length === 0) return []
    const rephrased = replacements.reduce(
      (query, [phrase, words]) => query.replace(phrase, words),
      ` ${typed.join(" ")} `,
    )
    // "unknown code" is also the error code `unknown_code`.
    const scores = [typed, [typed.join("_")], rephrased.trim().split(" ")].map(scorePages)
    const found = pages.map((page, at) => ({
      page,
      score: Math.max(...scores.map((each) => each[at] ?? 0)),
    }))
    const scoreMin = scoreShareMin * Math.max(...found.map(({ score }) => score))
    return found
      .filter(({ score }) => score > 0 && score >= scoreMin)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, resultsMax)
      .map(({ page }) => ({ page, headings: listMatchingHeadings(page, typed) }))
  }
}

/** The headings with most of the words first. */
function listMatchingHeadings({ headings }: DocsPage, typed: readonly string[]) {
  const matches = headings.map((heading) => {
    const words = listWords(heading.text)
    const isIn = (each: string) => words.some((word) => compareWords(each, word) > 0)
    return { heading, count: typed.filter(isIn).length }
  })
  return matches
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count)
    .slice(0, headingsMax)
    .map(({ heading }) => heading)
}
