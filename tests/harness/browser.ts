/** A real Chromium: the one that npm brought, or an installed one where that does not start. */
import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import bundled from "@sparticuz/chromium"
import { type Browser, chromium } from "playwright-core"
import { devDependencies } from "../../package.json"
import installed from "./browser-paths.json"

/**
 * Runs as root in a container too, and does not look for the outside world. Not the bundle's own
 * arguments: those switch web security off, and a single process ends with its first context.
 */
const args = [
  ...["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]

/** The bundled one first: an installed one takes more than twice as long, and is of any version. */
export const openBrowser = (): Promise<Browser> =>
  openFirst([unpackBundled, ...installed.map((path) => async () => path)], (executablePath) =>
    chromium.launch({ executablePath, args, headless: true }),
  )

/** The first that starts; if none does, what the first one said. */
export async function openFirst<Opened>(
  candidates: readonly (() => Promise<string>)[],
  launch: (path: string) => Promise<Opened>,
): Promise<Opened> {
  const faults: unknown[] = []
  for (const findPath of candidates) {
    try {
      return await launch(await findPath())
    } catch (fault) {
      faults.push(fault)
    }
  }
  throw faults[0]
}

/**
 * Once for each version and each user, who alone may run it. The bundle would take whatever lies
 * in the temporary folder: half of it, an older one, another user's.
 */
async function unpackBundled(): Promise<string> {
  const place = tmpdir()
  const name = `pazar-chromium-${devDependencies["@sparticuz/chromium"]}-${userInfo().uid}`
  const folder = join(place, name)
  if (!existsSync(folder)) {
    const aside = mkdtempSync(`${folder}-`)
    process.env.TMPDIR = aside
    await bundled.executablePath()
    process.env.TMPDIR = place
    try {
      renameSync(aside, folder)
    } catch (error) {
      // Somebody else was faster, and theirs is as good.
      if (!existsSync(folder)) throw error
      rmSync(aside, { recursive: true })
    }
  }
  return join(folder, "chromium")
}
