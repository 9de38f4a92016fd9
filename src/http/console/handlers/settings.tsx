import { type ConsoleApp, viewOf } from "../console-context.ts"
import { settingsPath } from "../console-paths.ts"
import { SettingsPage } from "../pages/settings-page.tsx"
import type { ConsoleServices } from "../services.ts"

export function addSettingsRoutes(app: ConsoleApp, { settings }: ConsoleServices): void {
  app.get(settingsPath, (c) => c.html(<SettingsPage view={viewOf(c)} settings={settings} />))
}
