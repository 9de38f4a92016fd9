/** Pictures of pages, for each width, colour scheme and language. */
import { join } from "node:path"
import type { Browser } from "playwright-core"
import type { Program } from "../../tests/harness/program.ts"
import { type Shot, visitAll } from "./shots.ts"

/** Taller pages are cut off. */
const pictureHeightMax = 3_000

export async function takePictures(
  browser: Browser,
  program: Program,
  shots: readonly Shot[],
  folder: string,
): Promise<void> {
  for (const locale of ["en", "tr"] as const) {
    for (const width of [1440, 1366, 768, 360]) {
      await visitAll(browser, program, shots, { locale, width }, async (page, { name }) => {
        const pageHeight = await page.evaluate<number>("document.documentElement.scrollHeight")
        const clip = { x: 0, y: 0, width, height: Math.min(pageHeight, pictureHeightMax) }
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme })
          const file = `${name.replaceAll(/[^\w…]+/g, "-")}-${width}-${colorScheme}-${locale}.png`
          await page.screenshot({ path: join(folder, file), fullPage: true, clip })
        }
      })
    }
  }
}
