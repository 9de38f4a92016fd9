/** Sends many presses of the Tab key in one batch, because a wait for each costs more than the press. */
import type { Page } from "playwright-core"
import { type Focus, readControls, readFocus } from "./page-measurements.ts"

const tabKey = { key: "Tab", code: "Tab", windowsVirtualKeyCode: 9 }

async function pressTab(page: Page, times: number): Promise<void> {
  if (times < 1) return
  const session = await page.context().newCDPSession(page)
  const presses = Array.from({ length: times }, () => [
    session.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...tabKey }),
    session.send("Input.dispatchKeyEvent", { type: "keyUp", ...tabKey }),
  ])
  await Promise.all(presses.flat())
  await session.detach()
}

/** More than any page of the test data has. */
const stepsMax = 150

/**
 * The tab stops after the first link, in order, until the focus leaves the page or returns to that link. There should
 * be `count` such controls; a date field has several stops.
 */
export async function tabThrough(page: Page, count: number): Promise<readonly Focus[]> {
  await page.locator(".skip").focus()
  await page.evaluate(`
    window.seen = [${readFocus}]
    let last = document.activeElement
    addEventListener("keyup", () => {
      if (document.activeElement !== last) seen.push(${readFocus})
      last = document.activeElement
    }, true)`)
  await pressTab(page, count + 1)
  for (let step = 0; step < stepsMax; step += 1) {
    const [first, ...seen] = await page.evaluate<Focus[]>("seen")
    const end = seen.findIndex(({ tag }) => tag === "" || tag === first?.tag)
    if (end >= 0) {
      await page.evaluate("document.activeElement.blur()")
      return seen.slice(0, end)
    }
    await pressTab(page, 1)
  }
  throw new Error("Tab never came back")
}

export async function tabTo(page: Page, selector: string): Promise<void> {
  const quoted = JSON.stringify(selector)
  const ahead = await page.evaluate<number>(`(() => {
    const isAhead = (control) =>
      document.activeElement.compareDocumentPosition(control) & Node.DOCUMENT_POSITION_FOLLOWING
    return ${readControls}.filter(isAhead).findIndex((control) => control.matches(${quoted}))
  })()`)
  await pressTab(page, ahead)
  for (let step = 0; step < stepsMax; step += 1) {
    await page.keyboard.press("Tab")
    if (await page.evaluate(`document.activeElement.matches(${quoted})`)) return
  }
  throw new Error(`Tab does not reach ${selector} on ${page.url()}`)
}
