/** Full-text search in the documentation: words in any order, inflected or unfinished, with synonyms. */
import MiniSearch from "minisearch"
import { findNearest, foldLetters } from "../platform/text.ts"
import type { Heading } from "./markdown.ts"
import type { DocsPage } from "./pages.ts"
import synonyms from "./synonyms.json" with { type: "json" }

export type SearchResults = Readonly<{
  /** The best first. The headings contain words of the query. */
  found: readonly Readonly<{ page: DocsPage; headings: readonly Heading[] }>[]
  /** The query with known words in place of mistyped ones, if nothing was found. */
  suggestion: string | null
}>

export const queryLengthMax = 100
/** As many words of a query are corrected. */
const wordsMax = 8
const resultsMax = 10
const headingsMax = 3
/** The lowest score of a result, as a share of the best one. */
const scoreShareMin = 0.2

/** What readers type for a page, in both languages: many type English words on a Turkish page. */
const typedFor: Readonly<Record<string, string>> = synonyms

const boost = { title: 6, synonyms: 10, headings: 4, summary: 3, text: 1 } as const

const stopWords = new Set(
  `a an and are can do does for get how i in is it my of on or the to what when where with you your
  bir bu icin ile mi mu nasil ne nerede nereden olur ve veya`.split(/\s+/),
)

/** `unknown_code` is also found by its parts. */
const listWords = (text: string) =>
  (foldLetters(text).match(/[\p{L}\p{N}_]+#?/gu) ?? []).flatMap((word) =>
    word.includes("_") ? [word, ...word.split("_")] : [word],
  )

/** Endings are cut, roughly: `rotate` and `rotating` become `rotat`, `yedekleme` and `yedeklemek` `yedekl`. */
const processTerm = (word: string) =>
  stopWords.has(word) ? null : word.replace(/(?:ing|ed|es|e|s|ions?)$/, "").slice(0, 6)

export async function createSearch(pages: readonly DocsPage[]) {
  const index = new MiniSearch({
    fields: Object.keys(boost),
    tokenize: listWords,
    processTerm,
    searchOptions: {
      boost,
      prefix: (term) => term.length > 2,
      fuzzy: 0.2,
      weights: { prefix: 0.4, fuzzy: 0.05 },
    },
  })
  const texts = pages.map(({ id, title, summary, headings, markdown }, at) => ({
    id: at,
    title,
    synonyms: typedFor[id] ?? "",
    headings: headings.map(({ text }) => text).join(" "),
    summary,
    text: `${id} ${markdown}`,
  }))
  // In small parts: requests are answered in between.
  await index.addAllAsync(texts, { chunkSize: 1 })

  /** Correct spellings, by their folded form. */
  const spellings = new Map(
    texts
      .flatMap((page) => `${page.title} ${page.synonyms} ${page.headings} ${page.summary}`)
      .flatMap((text) => text.toLowerCase().match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [])
      .map((word) => [foldLetters(word), word]),
  )

  /** The query with the nearest known words; null if none is near. */
  function suggest(query: string): string | null {
    const words = listWords(query).filter((word) => word.length > 2 && processTerm(word) !== null)
    const nearest = words.slice(0, wordsMax).map((word) => findNearest(word, [...spellings.keys()]))
    const known = nearest.flatMap((word) => spellings.get(word ?? "") ?? [])
    return known.length === 0 ? null : known.join(" ")
  }

  /** The headings with most of the words first. */
  const listMatchingHeadings = ({ headings }: DocsPage, terms: readonly string[]) =>
    headings
      .map((heading) => {
        const words = listWords(heading.text).map(processTerm)
        return { heading, count: terms.filter((term) => words.includes(term)).length }
      })
      .filter(({ count }) => count > 0)
      .toSorted((a, b) => b.count - a.count)
      .slice(0, headingsMax)
      .map(({ heading }) => heading)

  return (query: string): SearchResults => {
    const typed = query.slice(0, queryLengthMax)
    const results = index.search(typed)
    const scoreMin = scoreShareMin * (results[0]?.score ?? 0)
    return {
      found: results
        .filter(({ score }) => score >= scoreMin)
        .slice(0, resultsMax)
        .flatMap(({ id, terms }) => {
          const page = pages[id]
          return page ? [{ page, headings: listMatchingHeadings(page, terms) }] : []
        }),
      suggestion: results.length > 0 ? null : suggest(typed),
    }
  }
}
