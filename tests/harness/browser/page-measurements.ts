/** Measurements on any page, as text, because they run in the browser. */
import type { Locator, Page } from "playwright-core"

export const textOf = async (locator: Locator) => (await locator.textContent())?.trim() ?? ""

/** Opens every part that is folded. */
export const unfoldAll = (page: Page) =>
  page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")

/** The scroll width: more than the window means that the page scrolls sideways. */
export const widthOf = (page: Page) => page.evaluate<number>("document.documentElement.scrollWidth")

/**
 * The texts of the content that reach beyond the window. A letter with very many accents
 * may, because it cannot be broken.
 */
export const findCutTexts = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const cut = []
    const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const text = walker.currentNode
      if (/\\p{M}{50}/u.test(text.data) || text.parentElement.closest(".visually-hidden")) continue
      const range = document.createRange()
      range.selectNodeContents(text)
      if (range.getBoundingClientRect().right > innerWidth) cut.push(text.data.slice(0, 80))
    }
    return cut
  })()`)

/**
 * Controls less than 24 px high or wide. Links in a sentence are as high as their line, and a box to
 * tick counts with its label.
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
  /** The element with the focus, by its opening tag; empty when none has it. */
  tag: string
  /** Whether the focus is visible. */
  isVisible: boolean
}>

/** An expression that gives the focus. */
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

/** An expression that gives every control; of a group of radio buttons, the selected one. */
export const readControls = `
    [...document.querySelectorAll("a[href]:not([tabindex='-1']), button, input, select, summary, [tabindex='0']")]
      .filter((control) => control.checkVisibility() && control.type !== "hidden")
      .filter((control) => control.type !== "radio" || control.checked)`

/** By their opening tags. */
export const listControls = (page: Page) =>
  page.evaluate<string[]>(`${readControls}.map((control) => control.cloneNode(false).outerHTML)`)
