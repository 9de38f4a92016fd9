import type { Locator } from "playwright-core"
import { dictionaries } from "../../../src/platform/pages/translations/texts.ts"

/** Clicks a copy button. The confirmation is visible for two seconds only, so the wait starts before the click. */
export async function copyBy(button: Locator): Promise<void> {
  await Promise.all([
    button.filter({ hasText: dictionaries.en.words.copied }).waitFor(),
    button.click(),
  ])
}
