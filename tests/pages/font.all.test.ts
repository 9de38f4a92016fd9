import { afterAll, afterEach, beforeAll, expect, test } from "bun:test"
import { type BrowserVisits, openBrowserVisits } from "../harness/browser/browser-visits.ts"
import { startProgram } from "../harness/program.ts"

let visits: BrowserVisits

beforeAll(async () => {
  visits = await openBrowserVisits(() => startProgram({ LOG_LEVEL: "error" }))
})
afterEach(() => visits.clear())
afterAll(() => visits.close())

test.each(["/login", "/docs"])("%s is shown in the shipped font", async (path) => {
  const page = await visits.visit()
  await page.goto(`${visits.url}${path}`)
  const loaded = await page.evaluate<string[]>(
    "document.fonts.ready.then((fonts) => [...fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family))",
  )
  expect(loaded).toEqual(["Inter"])
})

test("figures in a table have one width", async () => {
  const page = await visits.visit()
  await page.goto(`${visits.url}/login`)
  const widths = await page.evaluate<number[]>(`(async () => {
    await document.fonts.ready
    const rows = [..."0123456789"].map((figure) => "<tr><td><span>" + figure.repeat(10) + "</span></td></tr>")
    document.querySelector("main").innerHTML = "<table>" + rows.join("") + "</table>"
    return [...document.querySelectorAll("span")].map((span) => span.getBoundingClientRect().width)
  })()`)
  expect([widths.length, new Set(widths).size]).toEqual([10, 1])
})
