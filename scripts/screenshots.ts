/**
 * Every page as a picture: `npx bun scripts/screenshots.ts FOLDER`. Without a folder it takes the one that
 * the README shows, from the demo, into docs/images.
 */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { fillOnce } from "../src/demo/marketplace.ts"
import pictures from "../src/demo/pictures.json"
import { openBrowser } from "../tests/harness/browser/browser.ts"
import { signIn, stops } from "../tests/harness/browser/pages.ts"
import {
  addSampleWebhooks,
  givePassword,
  startSampleWorkspace,
} from "../tests/harness/browser/sample-workspace.ts"
import { type Program, startProgram } from "../tests/harness/program.ts"

const [folder] = process.argv.slice(2)
const sizes = { wide: { width: 1280, height: 860 }, narrow: { width: 360, height: 740 } } as const
const images = join(import.meta.dir, "../docs/images")
mkdirSync(folder ?? images, { recursive: true })

const program = folder === undefined ? await startDemo() : await startSampleWorkspace()
if (folder !== undefined) await addSampleWebhooks(program)
const shown = folder === undefined ? stops.filter(({ name }) => name === "keys") : stops
const browser = await openBrowser()

async function startDemo(): Promise<Program> {
  const demo = await startProgram({ LOG_LEVEL: "error" }, { pictures })
  await fillOnce(demo.app, demo.url)
  await givePassword(demo, "elif")
  return demo
}

async function shoot(locale: "en" | "tr", colorScheme: "light" | "dark", size: keyof typeof sizes) {
  const context = await browser.newContext({
    locale,
    colorScheme,
    viewport: sizes[size],
    deviceScaleFactor: folder === undefined ? 2 : 1,
  })
  const page = await context.newPage()
  for (const stop of shown.filter(({ isPublic }) => isPublic)) {
    await stop.visit(page, program.url)
    await keep(stop.name)
  }
  await signIn(page, program.url)
  for (const stop of shown.filter(({ isPublic }) => !isPublic)) {
    await stop.visit(page, program.url)
    await keep(stop.name)
  }
  await context.close()

  async function keep(name: string) {
    const fullPage = folder !== undefined
    const file = folder === undefined ? name : `${name}-${locale}-${colorScheme}-${size}`
    await page.screenshot({ path: join(folder ?? images, `${file}.png`), fullPage })
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
