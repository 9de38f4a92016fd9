/**
 * Every page as a picture: `bun scripts/screenshots.ts [FOLDER]`. Without a folder only the one
 * that the README shows is kept, in docs/images.
 */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { openBrowser } from "../tests/harness/browser.ts"
import { signIn, stops } from "../tests/harness/pages.ts"
import { startSampleWorkspace } from "../tests/harness/sample-workspace.ts"

const [folder] = process.argv.slice(2)
const sizes = { wide: { width: 1280, height: 860 }, narrow: { width: 360, height: 740 } } as const
const images = join(import.meta.dir, "../docs/images")
mkdirSync(folder ?? images, { recursive: true })

const program = await startSampleWorkspace()
const browser = await openBrowser()

async function shoot(locale: "en" | "tr", colorScheme: "light" | "dark", size: keyof typeof sizes) {
  const context = await browser.newContext({
    ...{ locale, colorScheme, viewport: sizes[size] },
    deviceScaleFactor: folder === undefined ? 2 : 1,
  })
  const page = await context.newPage()
  for (const stop of stops.filter(({ isPublic }) => isPublic)) {
    await stop.visit(page, program.url)
    await keep(stop.name)
  }
  await signIn(page, program.url)
  for (const stop of stops.filter(({ isPublic }) => !isPublic)) {
    await stop.visit(page, program.url)
    await keep(stop.name)
  }
  await context.close()

  async function keep(name: string) {
    const fullPage = folder !== undefined
    const path = join(
      folder ?? images,
      folder === undefined ? `${name}.png` : `${name}-${locale}-${colorScheme}-${size}.png`,
    )
    if (folder !== undefined || name === "keys") await page.screenshot({ path, fullPage })
  }
}

if (folder === undefined) await shoot("en", "light", "wide")
else {
  for (const locale of ["en", "tr"] as const) {
    for (const colorScheme of ["light", "dark"] as const) {
      await shoot(locale, colorScheme, "wide")
      await shoot(locale, colorScheme, "narrow")
    }
  }
}
await browser.close()
await program.close()
