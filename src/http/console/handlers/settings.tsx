import { type ConsoleApp, viewOf } from "../frame/console-context.ts"
import { settingsPath } from "../frame/console-paths.ts"
import type { ConsoleServices } from "../frame/services.ts"
import { SettingsPage } from "../pages/settings-page.tsx"

export function addSettingsRoutes(app: ConsoleApp, { settings }: ConsoleServices): void {
  app.get(settingsPath, (c) => c.html(<SettingsPage view={viewOf(c)} settings={settings} />))
}
