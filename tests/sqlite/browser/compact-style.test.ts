/** The browser reads the same rules from the stylesheet that is sent as from the one in the source. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import type { Page } from "playwright-core"
import { compactStyle } from "../../../src/http/pages/assets.ts"
import { openPage } from "../../harness/browser/browser.ts"

let page: Page
beforeAll(async () => {
  page = await openPage()
})
afterAll(() => page.context().close())

const folder = `${import.meta.dir}/../../../src/http/pages/assets/styles`
const files = [...new Bun.Glob("*.css").scanSync(folder)]

/** Custom properties and the conditions of @supports are kept as they are written, with their blanks. */
const normalise = (rule: string) =>
  rule
    .replaceAll(", ", ",")
    .replace(/^@supports [^{]*/, (condition) => condition.replaceAll(": ", ":"))

test("there are stylesheets", () => {
  expect(files).toContain("base.css")
})

test.each(files)("%s", async (file) => {
  const source = readFileSync(`${folder}/${file}`, "utf8")
  const rulesOf = async (text: string): Promise<readonly string[]> => {
    await page.setContent(`<style>${text}</style>`)
    const rules: string[] = await page.evaluate(
      "[...document.styleSheets[0].cssRules].map((rule) => rule.cssText)",
    )
    return rules.map(normalise)
  }
  const rules = await rulesOf(source)
  expect(rules.length).toBeGreaterThan(1)
  expect(await rulesOf(compactStyle(source))).toEqual(rules)
})
