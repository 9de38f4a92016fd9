/** One program for a file of tests; every visit has a context of its own. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { patienceMs } from "../../../src/store/contracts/until.ts"
import type { Program } from "../program.ts"
import { shareBrowser } from "./browser.ts"
import { signIn } from "./pages.ts"
import { startSampleWorkspace } from "./sample-workspace.ts"

export type BrowserVisits = Readonly<{
  program: Program
  url: string
  /** Not signed in. */
  visit(options?: BrowserContextOptions): Promise<Page>
  /** Signed in as the author, in one session for all these visits. */
  visitSignedIn(options?: BrowserContextOptions): Promise<Page>
  /**
   * One page for all calls with the same arguments: opening a page costs more than looking at it.
   * Unless signed in, it has no cookies each time.
   */
  reusePage(isSignedIn: boolean, options?: BrowserContextOptions): Promise<Page>
  /** Closes every page but those that are reused. */
  clear(): Promise<void>
  close(): Promise<void>
}>

export async function openBrowserVisits(
  start: () => Promise<Program> = startSampleWorkspace,
  author = "elif",
): Promise<BrowserVisits> {
  const program = await start()
  return createBrowserVisits(program, await shareBrowser(), author)
}

function createBrowserVisits(program: Program, browser: Browser, author: string): BrowserVisits {
  let kept: BrowserContextOptions | undefined
  const reused = new Map<string, Page>()

  async function visit(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ locale: "en", reducedMotion: "reduce", ...options })
    context.setDefaultTimeout(patienceMs)
    return context.newPage()
  }

  async function signInOnce(): Promise<BrowserContextOptions> {
    const page = await visit()
    await signIn(page, program.url, author)
    const storageState = await page.context().storageState()
    await page.context().close()
    return { storageState }
  }

  async function visitSignedIn(options?: BrowserContextOptions): Promise<Page> {
    kept ??= await signInOnce()
    return visit({ ...kept, ...options })
  }

  return {
    program,
    url: program.url,
    visit,
    visitSignedIn,
    async reusePage(isSignedIn, options) {
      const name = JSON.stringify([isSignedIn, options])
      const page = reused.get(name) ?? (await (isSignedIn ? visitSignedIn : visit)(options))
      reused.set(name, page)
      if (!isSignedIn) await page.context().clearCookies()
      return page
    },
    async clear() {
      const open = new Set(browser.contexts())
      for (const page of reused.values()) open.delete(page.context())
      await Promise.all([...open].map((context) => context.close()))
    },
    async close() {
      await Promise.all(browser.contexts().map((context) => context.close()))
      await program.close()
    },
  }
}
