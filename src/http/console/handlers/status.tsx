import { type ConsoleApp, viewAfter } from "../console-context.ts"
import { consolePath } from "../console-paths.ts"
import { StatusPage } from "../pages/status-page.tsx"
import type { ConsoleServices } from "../services.ts"

export function addStatusRoutes(app: ConsoleApp, { readStatus }: ConsoleServices): void {
  app.get(consolePath, async (c) =>
    c.html(<StatusPage view={viewAfter(c)} status={await readStatus()} />),
  )
}
