/**
 * Takes screenshots: `npm run screenshots` the one of README.md from the demo, into docs/images;
 * `npm run screenshots -- --large [--to DIR]` every page of a large marketplace, with its measurements;
 * `npm run screenshots -- --huge` only the measurements, with 2 million purchases. `--only PATTERN` selects pages by name.
 */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import pictures from "../src/demo/pictures.json"
import { seedDemo } from "../src/demo/seed-demo.ts"
import { openBrowser } from "../tests/harness/browser/browser.ts"
import { pageVisits, signIn } from "../tests/harness/browser/page-visits.ts"
import { givePassword } from "../tests/harness/browser/sample-workspace.ts"
import { startProgram } from "../tests/harness/program.ts"
import { huge, large } from "./large/feed.ts"
import { measureMarketplace } from "./large/main.ts"

async function photographDemo(): Promise<void> {
  const demo = await startProgram({ LOG_LEVEL: "error" }, { pictures })
  await seedDemo(demo.app, demo.url)
  await givePassword(demo, "elif")
  const browser = await openBrowser()
  const page = await browser.newPage({
    locale: "en",
    colorScheme: "light",
    viewport: { width: 1280, height: 860 },
    deviceScaleFactor: 2,
  })
  await signIn(page, demo.url)
  await pageVisits.find(({ name }) => name === "keys")?.visit(page, demo.url)
  await page.screenshot({ path: join(import.meta.dir, "../docs/images/keys.png") })
  await browser.close()
  await demo.close()
}

const { values } = parseArgs({
  options: {
    large: { type: "boolean" },
    huge: { type: "boolean" },
    to: { type: "string" },
    only: { type: "string", default: "" },
  },
})
const only = new RegExp(values.only)
if (values.huge) await measureMarketplace({ market: huge, folder: null, only, print: console.log })
else if (values.large) {
  const folder = values.to ?? mkdtempSync(join(tmpdir(), "pazar-screenshots-"))
  console.log(`pictures: ${folder}`)
  await measureMarketplace({ market: large, folder, only, print: console.log })
} else await photographDemo()
