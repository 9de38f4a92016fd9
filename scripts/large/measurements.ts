/** Measurements of the pages, one line each. */
import type { Browser, Page } from "playwright-core"
import { median } from "../../bench/statistics.ts"
import type { Program } from "../../tests/harness/program.ts"
import { type Shot, visitAll, windowHeight } from "./shots.ts"

const columns = [
  "page",
  "language",
  "ms",
  "KB",
  "words",
  "rows",
  "overflow 1440, 1366, 768, 360",
  "broken",
  "cut",
]

export async function measurePages(
  browser: Browser,
  program: Program,
  shots: readonly Shot[],
  print: (line: string) => void,
): Promise<void> {
  print(columns.join("\t"))
  for (const locale of ["en", "tr"] as const) {
    await visitAll(browser, program, shots, { locale, width: 1440 }, async (page, shot) => {
      print([shot.name, locale, ...(await measurePage(page, shot.cookies))].join("\t"))
    })
  }
}

async function measurePage(page: Page, cookies: Shot["cookies"]) {
  const cookie = [...cookies].map(([key, value]) => `${key}=${value}`).join("; ")
  const { ms, bytes } = await timeResponses(page.url(), cookie)
  const [words, rows] = [await page.evaluate(countWords), await page.evaluate(countRows)]
  const overflows: number[] = []
  const [broken, cut] = [new Set<string>(), new Set<string>()]
  for (const width of [1440, 1366, 768, 360]) {
    await page.setViewportSize({ width, height: windowHeight })
    overflows.push(await page.evaluate<number>(measureOverflow))
    const [brokenWords, cutTexts] = await Promise.all([
      page.evaluate<string[]>(findBrokenWords),
      page.evaluate<string[]>(findCutTexts),
    ])
    for (const text of brokenWords) broken.add(`${width}: ${text}`)
    for (const text of cutTexts) cut.add(`${width}: ${text}`)
  }
  const lists = [broken, cut].map((texts) => `${texts.size} ${[...texts].slice(0, 3).join(", ")}`)
  return [ms, Math.round(bytes / 1000), words, rows, overflows.join(" "), ...lists]
}

/** The median of five. */
async function timeResponses(url: string, cookie: string) {
  const times: number[] = []
  let bytes = 0
  for (let n = 0; n < 5; n += 1) {
    const startedAt = performance.now()
    const response = await fetch(url, { headers: { Cookie: cookie } })
    bytes = (await response.bytes()).length
    times.push(performance.now() - startedAt)
  }
  return { ms: Math.round(median(times)), bytes }
}

/** Words of sentences: not those of navigation, of tables and of what is folded. */
const countWords = `[...document.querySelectorAll("main :is(p, li)")]
  .filter((block) => block.checkVisibility() && block.closest("nav, details, dialog, table") === null)
  .filter((block) => block.parentElement.closest("p, li") === null)
  .reduce((sum, { innerText }) => sum + (innerText.match(/[\\p{L}\\p{N}][^\\s]*/gu) ?? []).length, 0)`

/** Rows of tables that are wholly in the window. */
const countRows = `[...document.querySelectorAll("tbody tr")]
  .filter((row) => row.checkVisibility())
  .map((row) => row.getBoundingClientRect())
  .filter(({ top, bottom, height }) => height > 0 && top >= 0 && bottom <= innerHeight).length`

/** Pixels to scroll horizontally, in the page or in a table, or by which a control leaves the window. */
const measureOverflow = `(() => {
  const boxes = [document.documentElement]
  for (const table of document.querySelectorAll("table")) {
    if (!table.checkVisibility()) continue
    for (let box = table; box !== null; box = box.parentElement) boxes.push(box)
  }
  const controls = [...document.querySelectorAll("main :is(input, select, button, .button)")]
  return Math.max(
    ...boxes.map((box) => box.scrollWidth - box.clientWidth),
    ...controls.map((control) => Math.ceil(control.getBoundingClientRect().right - innerWidth)),
  )
})()`

/** On a phone, only screen readers read the head of a table. */
const isHiddenHead = `((box) => (box.closest("thead")?.getBoundingClientRect().height ?? 2) <= 1)`

/** Words that continue on the next line, without those of languages that have no spaces. */
const findBrokenWords = `(() => {
  const broken = []
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const text = walker.currentNode
    const { parentElement } = text
    if (parentElement.closest("pre, .visually-hidden") || !parentElement.checkVisibility()) continue
    if (${isHiddenHead}(parentElement)) continue
    for (const { 0: word, index } of text.data.matchAll(/[\\p{L}\\p{M}\\p{N}_]+/gu)) {
      if (/[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}]/u.test(word)) continue
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      const [first, ...rest] = range.getClientRects()
      if (rest.some(({ top }) => top > first.top + 4)) broken.push(word.slice(0, 30))
    }
  }
  return broken
})()`

/** Texts that are cut off, without a title that has the whole text. */
const findCutTexts = `[...document.querySelectorAll("main *")]
  .filter((box) => box.scrollWidth > box.clientWidth + 1 && box.clientHeight > 1 && box.innerText !== "")
  .filter((box) => /hidden|clip/.test(getComputedStyle(box).overflowX) && box.checkVisibility())
  .filter((box) => !${isHiddenHead}(box))
  .filter((box) => box.closest("[title]") === null && box.querySelector("[title]") === null)
  .map((box) => box.innerText.slice(0, 30))`
