/** Pictures and measurements of every page: of the workspace, the console and /docs, and the public ones. */
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { kindOf, listPages } from "../../bench/load/visit-pages.ts"
import { formatTimestamp } from "../../src/domain/values/time/timestamp.ts"
import { docsPaths } from "../../tests/harness/browser/docs-paths.ts"
import { pageVisits } from "../../tests/harness/browser/page-visits.ts"
import type { Program } from "../../tests/harness/program.ts"
import { authorOf } from "./activity.ts"

const widths = [1440, 1366, 768, 360]
const height = 900
/** Taller pages are cut off. */
const pictureHeightMax = 3_000

type Cookies = ReadonlyMap<string, string>
const noCookies: Cookies = new Map()

/** `name` has no random ids. */
type Shot = Readonly<{ name: string; cookies: Cookies; visit(page: Page): Promise<unknown> }>

/** The links lead to one page of each kind. Webhooks of all states, rejected lines and crowded codes are added. */
async function listShots({ app, url }: Program): Promise<readonly Shot[]> {
  const shotOf = (path: string, cookies = noCookies, name = kindOf(path)): Shot => ({
    ...{ name, cookies, visit: (page) => page.goto(`${url}${path}`) },
  })
  // The report of an import is a download.
  const linked = (await listPages(url)).filter(({ path }) => !path.endsWith("/report"))
  const { id } = await authorOf(app, 0)
  const webhooks = await app.store.endpoints.list(id)
  const runs = await app.store.feed.listRuns(100)
  const rejected = runs.find(({ outcome }) => (outcome?.counts.rejected ?? 0) > 0)
  const [crowded] = await app.store.sites.listWidelyUsed(
    { accountId: id },
    4,
    formatTimestamp(app.now()),
    1,
  )
  const author = linked.at(0)?.visitor.cookies
  const operator = linked.at(-1)?.visitor.cookies
  const visits = pageVisits.filter(({ name, isPublic }) => isPublic && !name.startsWith("docs"))
  return [
    ...linked.map(({ visitor, path }) => shotOf(path, visitor.cookies)),
    ...webhooks.map((webhook) =>
      shotOf(
        `/workspace/settings/webhooks/${webhook.id}`,
        author,
        `webhook-${webhook.url.split(/\W+/)[1]}`,
      ),
    ),
    shotOf(`/workspace/items/${crowded?.itemId}`, author, "item-over-limit"),
    shotOf(`/console/imports/${rejected?.id}`, operator, "import-rejected"),
    ...[...docsPaths, "/docs/search?q=key", "/console/login"].map((path) => shotOf(path)),
    ...visits.map(({ name, visit }) => ({
      ...{ name, cookies: noCookies, visit: (page: Page) => visit(page, url) },
    })),
  ]
}

type Measured = Readonly<{ rows: number; overflow: number; pageHeight: number }>

/** `rows`: table rows that are wholly visible. `overflow`: pixels to scroll horizontally, in the page or in a table. */
const measure = `(() => {
  const isVisible = ({ top, bottom, height }) => height > 0 && top >= 0 && bottom <= innerHeight
  const boxes = [document.documentElement]
  for (const table of document.querySelectorAll("table")) {
    for (let box = table; box !== null; box = box.parentElement) boxes.push(box)
  }
  return {
    rows: [...document.querySelectorAll("tbody tr")].filter((row) => isVisible(row.getBoundingClientRect())).length,
    overflow: Math.max(...boxes.map((box) => box.scrollWidth - box.clientWidth)),
    pageHeight: document.documentElement.scrollHeight,
  }
})()`

const responseMs = `(() => {
  const [{ requestStart, responseEnd }] = performance.getEntriesByType("navigation")
  return responseEnd - requestStart
})()`

/** Prints a line per page and width, of the English pages. */
export async function takePictures(
  browser: Browser,
  program: Program,
  folder: string,
  print: (line: string) => void,
): Promise<void> {
  const { url } = program
  const shots = Map.groupBy(await listShots(program), ({ cookies }) => cookies)
  print(["path", "width", "rows", "overflow px", "response ms"].join("\t"))
  for (const locale of ["en", "tr"]) {
    for (const [cookies, visits] of shots) {
      const context = await browser.newContext({ locale, reducedMotion: "reduce" })
      await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url })))
      const page = await context.newPage()
      for (const { name, visit } of visits) {
        await page.setViewportSize({ width: widths[0] ?? 0, height })
        await visit(page)
        const ms = Math.round(await page.evaluate<number>(responseMs))
        for (const width of widths) {
          await page.setViewportSize({ width, height })
          const { rows, overflow, pageHeight } = await page.evaluate<Measured>(measure)
          if (locale === "en") print([name, width, rows, overflow, ms].join("\t"))
          for (const colorScheme of ["light", "dark"] as const) {
            await page.emulateMedia({ colorScheme })
            const file = `${name.replaceAll(/[^\w…]+/g, "-")}-${width}-${colorScheme}-${locale}.png`
            const clip = { x: 0, y: 0, width, height: Math.min(pageHeight, pictureHeightMax) }
            await page.screenshot({ path: join(folder, file), fullPage: true, clip })
          }
        }
      }
      await context.close()
    }
  }
}
