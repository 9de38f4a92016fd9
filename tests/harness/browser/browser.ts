/** A real Chromium: the one from npm, or an installed one where that does not start. */
import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import bundled from "@sparticuz/chromium"
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import { devDependencies } from "../../../package.json"
import { waitMsMax } from "../../contracts/until.ts"
import installed from "./browser-paths.json"

/**
 * Runs as root in a container too, and makes no requests of its own. Not the bundle's own
 * arguments: they switch web security off, and their single process ends with its first context.
 */
const args = [
  ...["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]

/** The bundled one first: an installed one takes more than twice as long, and is of any version. */
export const openBrowser = (): Promise<Browser> =>
  openFirst([unpackBundled, ...installed.map((path) => async () => path)], (executablePath) =>
    chromium.launch({ executablePath, args, headless: true, timeout: waitMsMax }),
  )

let shared: Promise<Browser> | null = null

/** One for all files of a run, each of which closes what it opened there; it ends with the run. */
export function shareBrowser(): Promise<Browser> {
  shared ??= openBrowser()
  return shared
}

/** In a browser context of its own: the caller closes it. */
export async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await (await shareBrowser()).newContext(options)
  context.setDefaultTimeout(waitMsMax)
  return context.newPage()
}

/** The first that starts; if none does, throws the error of the first one. */
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
 * Unpacked once for each version and user, and not into the temporary folder, which may be new in every run. The
 * bundle itself would use any file there: an incomplete one, an older one, or one of another user.
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
      // Another process unpacked it first.
      if (!existsSync(folder)) throw error
      rmSync(aside, { recursive: true })
    }
  }
  return join(folder, "chromium")
}
