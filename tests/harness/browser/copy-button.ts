import type { Locator } from "playwright-core"
import { en } from "../../../src/http/pages/translations/en.ts"

/** Clicks a copy button. The confirmation is visible for two seconds only, so the wait starts before the click. */
export async function copyBy(button: Locator): Promise<void> {
  await Promise.all([button.filter({ hasText: en.copied }).waitFor(), button.click()])
}
