/** Measurements on any page. They are texts, because they run in the browser. */
import type { Locator, Page } from "playwright-core"

export const textOf = async (locator: Locator) => (await locator.textContent())?.trim() ?? ""

export const unfoldAll = (page: Page) =>
  page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")

/** The scroll width. A width above the window's means that the page scrolls horizontally. */
export const widthOf = (page: Page) => page.evaluate<number>("document.documentElement.scrollWidth")

/**
 * The texts of the content that reach beyond the window. A letter with very many accents may, because it cannot be
 * broken.
 */
export const findCutTexts = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const cut = []
    const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const text = walker.currentNode
      if (/\\p{M}{50}/u.test(text.data) || text.parentElement.closest(".visually-hidden")) continue
      // The title of a cell has the whole text.
      if (text.parentElement.closest("td[title]")) continue
      // On a phone, only screen readers read the head of a table.
      if (text.parentElement.closest("thead")?.getBoundingClientRect().height <= 1) continue
      const range = document.createRange()
      range.selectNodeContents(text)
      if (range.getBoundingClientRect().right > innerWidth) cut.push(text.data.slice(0, 80))
    }
    return cut
  })()`)

/**
 * Controls less than 24 px high or wide. Links in a sentence are as high as their line, and a checkbox is measured
 * with its label.
 */
export const findSmallTargets = (page: Page) =>
  page.evaluate<string[]>(`
    [...document.querySelectorAll("nav a, a.button, button, input, select, summary, .brand")]
      .map((control) => control.closest("label") ?? control)
      .filter((control) => control.checkVisibility() && control.type !== "hidden")
      .map((control) => ({ control, box: control.getBoundingClientRect() }))
      .filter(({ box }) => box.height < 24 || box.width < 24)
      .map(({ control, box }) => \`\${control.outerHTML.slice(0, 120)}: \${box.width} x \${box.height}\`)
  `)

export type Focus = Readonly<{
  tag: string
  isVisible: boolean
}>

export const readFocus = `(() => {
    const focused = document.activeElement
    if (focused === document.body) return { tag: "", isVisible: false }
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(focused)
    const hasOutline = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2
    const box = focused.getBoundingClientRect()
    const isOnScreen =
      box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth
    return {
      tag: focused.cloneNode(false).outerHTML,
      isVisible: isOnScreen && (hasOutline || boxShadow !== "none"),
    }
  })()`

export const focusOf = (page: Page) => page.evaluate<Focus>(readFocus)

/** An expression that returns every control, and only the selected one of a group of radio buttons. */
export const readControls = `
    [...document.querySelectorAll("a[href]:not([tabindex='-1']), button, input, select, summary, [tabindex='0']")]
      .filter((control) => control.checkVisibility() && control.type !== "hidden")
      .filter((control) => control.type !== "radio" || control.checked)`

export const listControls = (page: Page) =>
  page.evaluate<string[]>(`${readControls}.map((control) => control.cloneNode(false).outerHTML)`)
