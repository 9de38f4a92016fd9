/** The picture that README.md shows, from the demo, into docs/images: `npm run screenshots`. */
import { join } from "node:path"
import { fillOnce } from "../src/demo/marketplace.ts"
import pictures from "../src/demo/pictures.json"
import { openBrowser } from "../tests/harness/browser/browser.ts"
import { signIn, stops } from "../tests/harness/browser/pages.ts"
import { givePassword } from "../tests/harness/browser/sample-workspace.ts"
import { startProgram } from "../tests/harness/program.ts"

const demo = await startProgram({ LOG_LEVEL: "error" }, { pictures })
await fillOnce(demo.app, demo.url)
await givePassword(demo, "elif")
const browser = await openBrowser()
const page = await browser.newPage({
  locale: "en",
  colorScheme: "light",
  viewport: { width: 1280, height: 860 },
  deviceScaleFactor: 2,
})
await signIn(page, demo.url)
await stops.find(({ name }) => name === "keys")?.visit(page, demo.url)
await page.screenshot({ path: join(import.meta.dir, "../docs/images/keys.png") })
await browser.close()
await demo.close()
