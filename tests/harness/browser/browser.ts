/** Chromium from npm, or the installed one if that does not start. */
import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import bundled from "@sparticuz/chromium"
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import { devDependencies } from "../../../package.json"
import { workMsMax } from "../until.ts"
import installed from "./browser-paths.json"

/**
 * These arguments also work as root in a container, and disable background requests. The bundle's own arguments
 * disable web security, and their single process ends with its first context.
 */
const args = [
  ...["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
  // By default, a headless browser hints fonts, which changes the widths of letters.
  "--font-render-hinting=none",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
]

/** The bundled browser is preferred: an installed one takes more than twice as long, and has any version. */
export const openBrowser = (): Promise<Browser> =>
  openFirst([unpackBundled, ...installed.map((path) => async () => path)], (executablePath) =>
    chromium.launch({ executablePath, args, headless: true, timeout: workMsMax }),
  )

let shared: Promise<Browser> | null = null

/** One browser for all files of a run. Each file closes the pages it opened. */
export function shareBrowser(): Promise<Browser> {
  shared ??= openBrowser()
  return shared
}

/** Opens a page in its own browser context, which the caller closes. */
export async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await (await shareBrowser()).newContext(options)
  context.setDefaultTimeout(workMsMax)
  return context.newPage()
}

/** Returns the first that starts. Throws the error of the first one if none does. */
async function openFirst<Opened>(
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
 * Unpacks the browser once per version and user, outside the temporary folder, which may be new in every run. The
 * bundle itself would reuse any file there: an incomplete one, an older one, or another user's.
 */
async function unpackBundled(): Promise<string> {
  const version = devDependencies["@sparticuz/chromium"]
  const folder = `/tmp/pazar-chromium-${version}-${userInfo().uid}`
  if (!existsSync(folder)) {
    const aside = mkdtempSync(`${folder}-`)
    const before = tmpdir()
    process.env.TMPDIR = aside
    await bundled.executablePath()
    process.env.TMPDIR = before
    try {
      renameSync(aside, folder)
    } catch (error) {
      if (!existsSync(folder)) throw error
      rmSync(aside, { recursive: true })
    }
  }
  return join(folder, "chromium")
}
