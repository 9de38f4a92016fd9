/** Pictures of pages, for each width, colour scheme and language. */
import { join } from "node:path"
import type { Browser } from "playwright-core"
import type { Program } from "../../tests/harness/program.ts"
import { type Shot, visitAll, windowHeight } from "./shots.ts"

const widths = [1440, 1366, 768, 360]
/** Taller pages are cut off. */
const pictureHeightMax = 3_000

export async function takePictures(
  browser: Browser,
  program: Program,
  shots: readonly Shot[],
  folder: string,
): Promise<void> {
  for (const locale of ["en", "tr"] as const) {
    await visitAll(browser, program, shots, locale, async (page, { name }) => {
      for (const width of widths) {
        await page.setViewportSize({ width, height: windowHeight })
        const pageHeight = await page.evaluate<number>("document.documentElement.scrollHeight")
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme })
          const file = `${name.replaceAll(/[^\w…]+/g, "-")}-${width}-${colorScheme}-${locale}.png`
          const clip = { x: 0, y: 0, width, height: Math.min(pageHeight, pictureHeightMax) }
          await page.screenshot({ path: join(folder, file), fullPage: true, clip })
        }
      }
    })
  }
}
