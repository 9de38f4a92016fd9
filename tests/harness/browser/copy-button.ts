import type { Locator } from "playwright-core"

/** Clicks a copy button. The confirmation is visible for two seconds only, so the wait starts before the click. */
export async function copyBy(button: Locator): Promise<void> {
  await Promise.all([button.filter({ hasText: "Copied" }).waitFor(), button.click()])
}
