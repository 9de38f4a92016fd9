/** Full-text search in the documentation: words in any order, inflected or unfinished, with synonyms. */

import type { Locale } from "../../domain/values/locale.ts"
import { foldLetters } from "../../domain/values/text.ts"
import type { Heading } from "./markdown.ts"
import type { DocsPage } from "./pages.ts"

export type SearchResult = Readonly<{
  page: DocsPage
  /** Headings with words of the query, best first. */
  headings: readonly Heading[]
}>

export const queryLengthMax = 100
const resultsMax = 10
/** Of the best score. Results with less would be noise. */
const scoreShareMin = 0.2
const headingsMax = 3

const weights = { title: 12, heading: 5, summary: 3, text: 1 } as const

/** Phrases that readers type, and words of the documentation or of the path of a page. */
const synonyms: Readonly<Record<Locale, Readonly<Record<string, string>>>> = {
  en: {
    "activation limit": "site limit",
    "api key": "authentication",
    chargeback: "revoked code",
    cors: "authentication",
    deactivate: "release site",
    domain: "site limit",
    downtime: "offline",
    "getting started": "quickstart",
    "grace period": "offline",
    hmac: "webhook signature",
    install: "clients",
    "license key": "purchase code",
    localhost: "site limit test",
    npm: "clients",
    pagination: "list items",
    refund: "revoked code",
    sandbox: "test data",
    sdk: "clients",
    seats: "site limit",
    serial: "purchase code",
    "status codes": "error codes",
    "test key": "test data",
    throttling: "rate limit",
    timeout: "offline",
    token: "authentication",
    tutorial: "quickstart",
  },
  tr: {
    "alan adi": "site siniri",
    "api anahtari": "authentication",
    baslarken: "quickstart",
    cevrimdisi: "offline",
    cors: "authentication",
    "durum kodlari": "hata kodu",
    "etkinlestirme siniri": "site siniri",
    "hata kodlari": "errors",
    "hiz siniri": "rate limits",
    iade: "revoked code",
    "istek siniri": "rate limits",
    kesinti: "offline",
    kurulum: "quickstart",
    "lisans anahtari": "satin alma kodu",
    sayfalama: "list items",
    "seri numarasi": "satin alma kodu",
    "test anahtari": "test data",
    token: "authentication",
    "webhook imzasi": "webhook signature",
  },
}

const stopWords = new Set(
  "a an and are can do does for how i if in is it my not of on or the to use what when with bir bu ile icin ne nasil ve veya ya".split(
    " ",
  ),
)

/** `unknown_code` is also found by its parts. */
const listWords = (text: string) =>
  (foldLetters(text).match(/[\p{L}\p{N}_]+/gu) ?? []).flatMap((word) =>
    word.includes("_") ? [word, ...word.split("_")] : [word],
  )

/**
 * How well a word of a page fits a typed word: 1 for the same word, less if one of them begins like the other, as
 * in `rotate`, `rotating` and `rotat`. 0 for different words.
 */
function compareWords(typed: string, word: string): number {
  if (typed === word) return 1
  if (typed.includes("_")) return word.startsWith(typed) ? 0.8 : 0
  const length = Math.min(typed.length, word.length)
  // A short word of the page, such as "the", is not the beginning of "theme".
  if (length < 3 || (word.length < typed.length && length < 4)) return 0
  const endingMax = length >= 7 ? 2 : length >= 5 ? 1 : 0
  return typed.startsWith(word.slice(0, length - endingMax)) ? 0.8 : 0
}

/** Each word of a page with its weight. */
function indexPage({
  id,
  title,
  summary,
  headings,
  markdown,
}: DocsPage): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const words = listWords(markdown.replace(/^```.*?^```$/gms, ""))
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  const index = new Map(
    [...counts].map(([word, count]) => [word, weights.text + Math.min(3, Math.log2(count))]),
  )
  const raise = (text: string, weight: number) => {
    for (const word of new Set(listWords(text))) index.set(word, (index.get(word) ?? 0) + weight)
  }
  raise(summary, weights.summary)
  raise(headings.map(({ text }) => text).join(" "), weights.heading)
  raise(`${title} ${id.replaceAll("_", " ")}`, weights.title)
  return index
}

/** The best pages first. None for a query without words. */
export function createSearch(pages: readonly DocsPage[], locale: Locale) {
  const indexes = pages.map((page) => ({ page, index: indexPage(page) }))
  const vocabulary = [...new Set(indexes.flatMap(({ index }) => [...index.keys()]))]

  /** The score of each page. Pages that lack words of the query get much less. */
  function scorePages(words: readonly string[]): readonly number[] {
    const found = words.map((typed) => {
      const fits = vocabulary.flatMap((word) => {
        const fit = compareWords(typed, word)
        return fit === 0 ? [] : [{ word, fit }]
      })
      const scores = indexes.map(({ index }) =>
        Math.max(0, ...fits.map(({ word, fit }) => fit * (index.get(word) ?? 0))),
      )
      // A word of few pages says more than a word of all pages.
      const rarity = Math.log2(1 + pages.length / (1 + scores.filter(Boolean).length))
      return scores.map((score) => score * rarity)
    })
    return pages.map((_, at) => {
      const scores = found.map((each) => each[at] ?? 0)
      const share = scores.filter(Boolean).length / scores.length
      return (share ** 3 * scores.reduce((sum, score) => sum + score, 0)) / scores.length
    })
  }

  const countFits = (words: readonly string[], text: string) =>
    words.filter((typed) => listWords(text).some((word) => compareWords(typed, word) > 0)).length

  return (query: string): readonly SearchResult[] => {
    const typed = listWords(query.slice(0, queryLengthMax)).filter((word) => !stopWords.has(word))
    if (typed.length === 0) return []
    const phrase = ` ${typed.join(" ")} `
    const variants = Object.entries(synonyms[locale])
      .filter(([from]) => phrase.includes(` ${from} `))
      .map(([from, to]) => phrase.replace(from, to).trim().split(" "))
    // "unknown code" is also the error code `unknown_code`.
    const scores = [typed, [typed.join("_")], ...variants].map(scorePages)
    const found = pages.map((page, at) => ({
      page,
      score: Math.max(...scores.map((each) => each[at] ?? 0)),
    }))
    const scoreMin = scoreShareMin * Math.max(...found.map(({ score }) => score))
    return found
      .filter(({ score }) => score > 0 && score >= scoreMin)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, resultsMax)
      .map(({ page }) => ({
        page,
        headings: page.headings
          .filter(({ text }) => countFits(typed, text) > 0)
          .toSorted((a, b) => countFits(typed, b.text) - countFits(typed, a.text))
          .slice(0, headingsMax),
      }))
  }
}
