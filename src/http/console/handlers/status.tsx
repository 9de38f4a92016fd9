import { type ConsoleApp, consolePath, viewAfter } from "../console-context.ts"
import { StatusPage } from "../pages/status-page.tsx"

export function addStatusRoutes(app: ConsoleApp): void {
  app.get(consolePath, (c) => c.html(<StatusPage view={viewAfter(c)} />))
}
