import type { Locator } from "playwright-core"

/** Presses a button that copies. It says so for two seconds only, so that is looked for from before the click. */
export async function copyBy(button: Locator): Promise<void> {
  await Promise.all([button.filter({ hasText: "Copied" }).waitFor(), button.click()])
}
