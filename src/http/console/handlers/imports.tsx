import type { ImportRun } from "../../../domain/feed/import-run.ts"
import { type ConsoleApp, type ConsoleContext, viewOf } from "../frame/console-context.ts"
import { importsPath } from "../frame/console-paths.ts"
import { renderReport } from "../frame/import-report.ts"
import type { ConsoleServices } from "../frame/services.ts"
import { ImportPage, ImportsPage, importWays } from "../pages/imports-page.tsx"

/** Of each way, so that a thousand pushes do not hide the import of last night. */
const runsShown = 20
const needsShown = 20

export function addImportsRoutes(app: ConsoleApp, { store }: ConsoleServices): void {
  app.get(importsPath, async (c) => {
    const runs = await Promise.all(importWays.map((via) => store.feed.listRuns(runsShown, via)))
    const waiting = await store.feed.readWaiting(needsShown)
    return c.html(<ImportsPage view={viewOf(c)} runs={runs.flat()} waiting={waiting} />)
  })

  app.get(`${importsPath}/:id`, async (c) => {
    const run = await findRun(c)
    return run === null ? c.notFound() : c.html(<ImportPage view={viewOf(c)} run={run} />)
  })

  app.get(`${importsPath}/:id/report`, async (c) => {
    const run = await findRun(c)
    if (run === null) return c.notFound()
    return c.body(renderReport(run), 200, {
      "Content-Type": "application/x-ndjson; charset=utf-8",
      "Content-Disposition": `attachment; filename="import-${run.id}.ndjson"`,
    })
  })

  async function findRun(c: ConsoleContext): Promise<ImportRun | null> {
    const id = c.req.param("id") ?? ""
    return /^[1-9]\d{0,8}$/.test(id) ? store.feed.findRun(Number(id)) : null
  }
}
