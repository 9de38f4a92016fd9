/** One program per test file; every visit has its own browser context. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import type { Program } from "../program.ts"
import { openPage, shareBrowser } from "./browser.ts"
import { signIn } from "./page-visits.ts"
import { startSampleWorkspace } from "./sample-workspace.ts"

export type BrowserVisits = Readonly<{
  program: Program
  url: string
  visit(options?: BrowserContextOptions): Promise<Page>
  /**
   * Returns one page for all calls with the same arguments, ignoring the window size, because opening a page is slow.
   * Signed-in visits share one session; other visits keep no cookies.
   */
  reusePage(isSignedIn: boolean, options?: BrowserContextOptions): Promise<Page>
  visitSignedIn(options?: BrowserContextOptions): Promise<Page>
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

const desktop = { width: 1280, height: 720 }

function createBrowserVisits(program: Program, browser: Browser, author: string): BrowserVisits {
  let pageOptions: BrowserContextOptions | undefined
  const reused = new Map<string, Page>()

  const visit = (options: BrowserContextOptions = {}): Promise<Page> =>
    openPage({ locale: "en", reducedMotion: "reduce", ...options })

  async function signInOnce(): Promise<BrowserContextOptions> {
    const page = await visit()
    await signIn(page, program.url, author)
    const storageState = await page.context().storageState()
    await page.context().close()
    return { storageState }
  }

  async function openAs(isSignedIn: boolean, options: BrowserContextOptions): Promise<Page> {
    if (!isSignedIn) return visit(options)
    pageOptions ??= await signInOnce()
    return visit({ ...pageOptions, ...options })
  }

  async function reusePage(
    isSignedIn: boolean,
    { viewport = desktop, ...options }: BrowserContextOptions = {},
  ): Promise<Page> {
    const name = JSON.stringify([isSignedIn, options])
    const page = reused.get(name) ?? (await openAs(isSignedIn, options))
    reused.set(name, page)
    await page.unrouteAll()
    if (viewport !== null && !Bun.deepEquals(page.viewportSize(), viewport))
      await page.setViewportSize(viewport)
    if (!isSignedIn) await forgetAll(page)
    return page
  }

  async function forgetAll(page: Page): Promise<void> {
    const session = await page.context().newCDPSession(page)
    const origin = new URL(program.url).origin
    await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" })
    await session.detach()
  }

  return {
    program,
    url: program.url,
    visit,
    reusePage,
    visitSignedIn: (options) => reusePage(true, options),
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
