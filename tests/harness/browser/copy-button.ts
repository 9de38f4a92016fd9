import type { Locator } from "playwright-core"
import { en } from "../../../src/http/pages/translations/en.ts"

/** Presses a button that copies. It says so for two seconds only, so waiting for that begins before the click. */
export async function copyBy(button: Locator): Promise<void> {
  await Promise.all([button.filter({ hasText: en.copied }).waitFor(), button.click()])
}
