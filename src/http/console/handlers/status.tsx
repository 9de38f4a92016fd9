import { type ConsoleApp, viewAfter } from "../frame/console-context.ts"
import { consolePath } from "../frame/console-paths.ts"
import type { ConsoleServices } from "../frame/services.ts"
import { StatusPage } from "../pages/status-page.tsx"

export function addStatusRoutes(app: ConsoleApp, { readStatus }: ConsoleServices): void {
  app.get(consolePath, async (c) =>
    c.html(<StatusPage view={viewAfter(c)} status={await readStatus()} />),
  )
}
