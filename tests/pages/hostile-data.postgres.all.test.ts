import { afterAll, afterEach, beforeAll, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { workspaceOf } from "../../src/access/paths.ts"
import { trimWhitespace } from "../../src/platform/text.ts"
import { type BrowserVisits, openBrowserVisits } from "../harness/browser/browser-visits.ts"
import { invite } from "../harness/browser/extra-pages.ts"
import {
  codeOf,
  hostileDevice,
  hostileEmail,
  hostileUsername,
  itemIdOf,
  poisonNames,
  poisons,
  startHostileWorkspace,
} from "../harness/browser/hostile-author.ts"
import { findCutTexts, textOf, unfoldAll, widthOf } from "../harness/browser/page-measurements.ts"

const phone = { viewport: { width: 360, height: 740 }, userAgent: hostileDevice }
const asText = { trouble: [], isHacked: false, strangers: [], width: 360, cutTexts: [] }
let visits: BrowserVisits

beforeAll(async () => {
  visits = await openBrowserVisits(startHostileWorkspace, hostileEmail)
})
afterEach(() => visits.clear())
afterAll(() => visits.close())

type Watched = Readonly<{ page: Page; trouble: string[] }>

async function watch(page: Page): Promise<Watched> {
  const trouble: string[] = []
  page.on("dialog", (dialog) => {
    trouble.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on("pageerror", ({ message }) => trouble.push(`error: ${message}`))
  page.on("console", (message) => {
    if (/content security policy|refused to/i.test(message.text())) trouble.push(message.text())
  })
  await page.exposeFunction("tell", (text: string) => trouble.push(text))
  await page.addInitScript(`
    addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) =>
      tell(effectiveDirective + " " + blockedURI))`)
  return { page, trouble }
}

let signedIn: Watched | undefined

async function visitWatched(): Promise<Watched> {
  signedIn ??= await watch(await visits.reusePage(true, phone))
  signedIn.trouble.length = 0
  return signedIn
}

/** `strangers` are elements that only an attack could have inserted. */
async function inspect({ page, trouble }: Watched) {
  await page.waitForLoadState()
  return {
    trouble,
    isHacked: await page.evaluate<boolean>("'hacked' in window"),
    strangers: await page.evaluate<string[]>(`
      [...document.querySelectorAll("*")]
        .filter((element) =>
          (element.localName === "script" && !element.src.startsWith(location.origin + "/assets/")) ||
          ["iframe", "object", "embed", "style", "base"].includes(element.localName) ||
          [...element.attributes].some(({ name }) => name.startsWith("on")) ||
          (element.protocol ?? "http:").startsWith("javascript"))
        .map((element) => element.outerHTML.slice(0, 200))`),
    width: await widthOf(page),
    cutTexts: await findCutTexts(page),
  }
}

const { home } = workspaceOf(hostileUsername)
const paths = [
  ...[`${home}/log`, `${home}/log?${new URLSearchParams({ key: poisons.markup })}`],
  ...["/", "/docs", home, `${home}/items`, `${home}/items?sort=name`],
  `${home}/items?${new URLSearchParams({ q: poisons.markup })}`,
  `${home}/items?${new URLSearchParams({ q: "W".repeat(5000) })}`,
  `${home}/${encodeURIComponent(poisons.markup)}`,
  `${home}/settings/keys?done=${encodeURIComponent(poisons.markup)}`,
  ...["keys/new", "keys/new?kind=vk", "profile", "security", "language", "activity"].map(
    (path) => `${home}/settings/${path}`,
  ),
]

for (const path of paths) {
  test(`nothing is executed and no page breaks: ${path.replace(home, "").slice(0, 80)}`, async () => {
    const watched = await visitWatched()
    await watched.page.goto(`${visits.url}${path}`)
    await unfoldAll(watched.page)
    expect(await inspect(watched)).toEqual(asText)
  })
}

for (const poison of poisonNames) {
  const text = poisons[poison]
  const name = trimWhitespace(text) || String(itemIdOf(poison))

  test(`an item's name is escaped in heading and title: ${poison}`, async () => {
    const watched = await visitWatched()
    await watched.page.goto(`${visits.url}${home}/items/${itemIdOf(poison)}`)
    await watched.page.locator(".json summary").click()
    const [heading, title] = [await textOf(watched.page.locator("h1")), await watched.page.title()]
    const characters = [...name]
    const short = characters.length > 200 ? `${characters.slice(0, 200).join("")}…` : name
    expect({ heading, title, ...(await inspect(watched)) }).toEqual({
      heading: name,
      title: `${short} · Pazar`,
      ...asText,
    })
  })

  test(`a purchase and its license are escaped: ${poison}`, async () => {
    const watched = await visitWatched()
    await watched.page.goto(`${visits.url}${home}/check`)
    await watched.page.locator("#purchase_code").fill(codeOf(poison))
    await watched.page.locator("main button[type=submit]").click()
    const shown = [
      await textOf(watched.page.locator("dd .mono").first()),
      await watched.page.locator("dd").nth(3).textContent(),
    ]
    expect({ shown, ...(await inspect(watched)) }).toEqual({
      shown: [codeOf(poison), text],
      ...asText,
    })
  })
}

test("a key's name is escaped on every page of the key", async () => {
  const watched = await visitWatched()
  const { page } = watched
  const found = await visits.program.app.store.accounts.findByUsername(hostileUsername)
  for (const key of await visits.program.app.store.keys.list(found?.id ?? 0)) {
    const path = `${visits.url}${home}/settings/keys/${key.id}`
    await page.goto(path)
    const heading = await page.locator("main h1").textContent()
    expect({ heading, ...(await inspect(watched)) }).toEqual({ heading: key.name, ...asText })
    for (const step of ["replace", "leak", "revoke"]) {
      await page.goto(`${path}/${step}`)
      expect(await inspect(watched)).toEqual(asText)
    }
  }
})

test("a name submitted in a form is escaped", async () => {
  const watched = await visitWatched()
  const { page } = watched
  await page.goto(`${visits.url}${home}/settings/keys/new`)
  await page.locator("#name").fill(poisons.markup)
  await page.locator("main button[type=submit]").click()
  const title = await textOf(page.locator("main h1"))
  await page.goto(`${visits.url}${home}/settings/keys`)
  const listed = await textOf(page.locator("#results tbody a").first())
  await page.locator("[popovertarget^=menu-]").first().click()
  await page.locator("button[formaction$='/reveal']").first().click()
  expect({ title, listed, ...(await inspect(watched)) }).toEqual({
    title: poisons.markup,
    listed: poisons.markup,
    ...asText,
  })
})

test("a name and a password submitted at the sign-in are escaped", async () => {
  const watched = await watch(await visits.visit(phone))
  const { page } = watched
  await page.goto(`${visits.url}/login?${new URLSearchParams({ next: poisons.markup })}`)
  await page.locator("#name").fill(poisons.closing)
  await page.locator("#password").fill(poisons.markup)
  await page.locator("#password").press("Enter")
  await page.locator("#password-error").waitFor()
  const entered = await page.inputValue("#name")
  expect({ entered, ...(await inspect(watched)) }).toEqual({ entered: poisons.closing, ...asText })
})

test("an invitation shows the name escaped", async () => {
  const watched = await watch(await visits.visit(phone))
  await watched.page.goto(visits.url + (await invite(visits.program, hostileUsername)))
  const greeting = await textOf(watched.page.locator("main p").first())
  expect(greeting).toContain(`\u2068${poisons.markup}`)
  expect(await inspect(watched)).toEqual(asText)
})
