/** A real Chromium: an installed one, or the one that npm brought. */
import { existsSync } from "node:fs"
import bundled from "@sparticuz/chromium"
import { type Browser, chromium } from "playwright-core"

const installed = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

/**
 * Runs as root in a container too, and does not look for the outside world. Not the bundle's own
 * arguments: those switch web security off, and a single process ends with its first context.
 */
const args = [
  ...["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]

export async function openBrowser(): Promise<Browser> {
  const executablePath = installed.find(existsSync) ?? (await bundled.executablePath())
  return chromium.launch({ executablePath, args, headless: true })
}
