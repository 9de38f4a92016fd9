/** Every page of the workspace, the console and /docs, and the public ones. */
import type { Browser, Page } from "playwright-core"
import { kindOf, listPages } from "../../bench/load/visit-pages.ts"
import { workspaceOf } from "../../src/access/paths.ts"
import { formatTimestamp } from "../../src/platform/time.ts"
import { docsPaths } from "../../tests/harness/browser/docs-paths.ts"
import { listLicenseVisits, pageVisits } from "../../tests/harness/browser/page-visits.ts"
import type { Program } from "../../tests/harness/program.ts"
import { authorOf } from "./activity.ts"

type Cookies = ReadonlyMap<string, string>
const noCookies: Cookies = new Map()

/** `name` has no random ids. */
export type Shot = Readonly<{ name: string; cookies: Cookies; visit(page: Page): Promise<unknown> }>

/** The links lead to one page of each kind. Webhooks of all states, rejected lines and crowded codes are added. */
export async function listShots({ app, url }: Program): Promise<readonly Shot[]> {
  const shotOf = (path: string, cookies = noCookies, name = kindOf(path)): Shot => ({
    ...{ name, cookies, visit: (page) => page.goto(`${url}${path}`) },
  })
  // The report of an import is a download.
  const linked = (await listPages(url)).filter(({ path }) => !path.endsWith("/report"))
  const { id, username } = await authorOf(app, 0)
  const paths = workspaceOf(username)
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
  const visits = pageVisits.filter(
    ({ name, isPublic }) => isPublic && !/^(?:docs|license)/.test(name),
  )
  return [
    ...linked.map(({ visitor, path }) => shotOf(path, visitor.cookies)),
    ...webhooks.map((webhook) =>
      shotOf(`${paths.webhooks}/${webhook.id}`, author, `webhook-${webhook.url.split(/\W+/)[1]}`),
    ),
    shotOf(`${paths.items}/${crowded?.itemId}`, author, "item-over-limit"),
    shotOf(`/console/imports/${rejected?.id}`, operator, "import-rejected"),
    ...[...docsPaths, "/docs/search?q=key"].map((path) => shotOf(path)),
    ...[...visits, ...listLicenseVisits(crowded?.code ?? "")].map(({ name, visit }) => ({
      ...{ name, cookies: noCookies, visit: (page: Page) => visit(page, url) },
    })),
  ]
}

export const windowHeight = 900

/** Opens each page as its visitor. */
export async function visitAll(
  browser: Browser,
  { url }: Program,
  shots: readonly Shot[],
  { locale, width }: Readonly<{ locale: "en" | "tr"; width: number }>,
  use: (page: Page, shot: Shot) => Promise<void>,
): Promise<void> {
  for (const [cookies, visits] of Map.groupBy(shots, ({ cookies }) => cookies)) {
    const viewport = { width, height: windowHeight }
    const context = await browser.newContext({ locale, viewport, reducedMotion: "reduce" })
    await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url })))
    const page = await context.newPage()
    for (const shot of visits) {
      await page.setViewportSize(viewport)
      await shot.visit(page)
      await use(page, shot)
    }
    await context.close()
  }
}
