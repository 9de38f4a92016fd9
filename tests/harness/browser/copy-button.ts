import type { Locator } from "playwright-core"

/** Presses a button that copies. It says "Copied" for two seconds only, so waiting for that begins before the click. */
export async function copyBy(button: Locator): Promise<void> {
  await Promise.all([button.filter({ hasText: "Copied" }).waitFor(), button.click()])
}
