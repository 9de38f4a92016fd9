import { type ConsoleApp, consolePath, viewOf } from "../console-context.ts"
import { SettingsPage } from "../pages/settings-page.tsx"
import type { ConsoleServices } from "../services.ts"

export function addSettingsRoutes(app: ConsoleApp, { settings }: ConsoleServices): void {
  app.get(`${consolePath}/settings`, (c) =>
    c.html(<SettingsPage view={viewOf(c)} settings={settings} />),
  )
}
