/** Passkeys with the virtual authenticator of Chromium, which needs a host name. */
import { afterAll, afterEach, beforeAll, expect, setSystemTime, test } from "bun:test"
import type { Page } from "playwright-core"
import { noticeTexts } from "../../src/platform/pages/layout.tsx"
import { inLocale, t } from "../../src/platform/t.ts"
import { describeViolations, runAxe } from "../harness/browser/axe.ts"
import { openPage } from "../harness/browser/browser.ts"
import { samplePassword, startQuietWorkspace } from "../harness/browser/sample-workspace.ts"
import { pickFreePort } from "../harness/free-port.ts"
import type { Program } from "../harness/program.ts"
import { queryStore } from "../harness/stores/stored-rows.ts"

let program: Program
let url: string
beforeAll(async () => {
  const port = String(pickFreePort())
  url = `http://localhost:${port}`
  program = await startQuietWorkspace({ PORT: port, PAZAR_PUBLIC_URL: url })
})
afterAll(() => program.close())

let page: Page
afterEach(async () => {
  setSystemTime()
  await page.context().close()
  await queryStore(program, "DELETE FROM passkeys")
})

type Locale = "en" | "tr"

async function open(locale: Locale) {
  page = await openPage({ locale, bypassCSP: true })
  const devices = await page.context().newCDPSession(page)
  await devices.send("WebAuthn.enable")
  const { authenticatorId } = await devices.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...({ protocol: "ctap2", transport: "internal" } as const),
      ...{ hasResidentKey: true, hasUserVerification: true },
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { devices, authenticatorId }
}
const buttonNamed = (name: string) => page.getByRole("button", { name, exact: true })

async function signInByPassword(locale: Locale) {
  await page.goto(`${url}/login`)
  await page.fill("#name", "elif")
  await page.fill("#password", samplePassword)
  await buttonNamed(inLocale(locale, () => t("Sign in"))).click()
  await page.waitForURL(`${url}/workspace/elif`)
}
async function openNew(locale: Locale) {
  await page.goto(`${url}/workspace/elif/settings/security`)
  await page
    .getByRole("link", { name: inLocale(locale, () => t("Add a passkey")), exact: true })
    .click()
}
const create = (locale: Locale) =>
  buttonNamed(inLocale(locale, () => t("Create the passkey"))).click()
const untilDone = (locale: Locale, done: "passkey_added" | "passkey_removed") =>
  page.getByText(inLocale(locale, () => t(noticeTexts[done]))).waitFor()
const passkeyButton = (locale: Locale) =>
  buttonNamed(inLocale(locale, () => t("Sign in with a passkey")))

async function signOut() {
  await page.context().clearCookies()
  await page.goto(`${url}/login`)
}
async function expectAccessible() {
  expect(describeViolations(await runAxe(page))).toEqual([])
  await page.reload()
}
/** Changes what the script passes to the browser. `change` is JavaScript that has `publicKey`. */
const tamper = (method: "create" | "get", change: string) =>
  page.addInitScript(`{
    const real = navigator.credentials.${method}.bind(navigator.credentials)
    navigator.credentials.${method} = ({ publicKey }) => {
      ${change}
      return real({ publicKey })
    }
  }`)

async function addPasskey(locale: Locale = "en") {
  await signInByPassword(locale)
  await openNew(locale)
  await create(locale)
  await untilDone(locale, "passkey_added")
}

test.each(["en", "tr"] as const)("%s: added, and signed in with one click", async (locale) => {
  await open(locale)
  await signInByPassword(locale)
  await openNew(locale)
  await expectAccessible()
  expect(await page.locator("#name").inputValue()).toContain("Chrome")
  await page.fill("#name", "Telefonum")
  await create(locale)
  await untilDone(locale, "passkey_added")
  await page.getByText("Telefonum").waitFor()
  await expectAccessible()

  await signOut()
  await expectAccessible()
  await passkeyButton(locale).click()
  await page.waitForURL(`${url}/workspace/elif`)

  await page.goto(`${url}/workspace/elif/settings/security`)
  await page.getByRole("link", { name: inLocale(locale, () => t("Remove")), exact: true }).click()
  await page
    .getByRole("dialog")
    .getByText(
      inLocale(locale, () =>
        t("You can no longer sign in with it. Delete it on your device, too."),
      ),
    )
    .waitFor()
  await page.getByRole("dialog").getByRole("button").click()
  await untilDone(locale, "passkey_removed")
  await signOut()
  await passkeyButton(locale).click()
  await page
    .getByRole("alert")
    .getByText(
      inLocale(locale, () =>
        t(
          "The passkey was rejected: it was removed, or this page was open for too long. Try again.",
        ),
      ),
    )
    .waitFor()
  await expectAccessible()
})

test.each([
  ["EdDSA", -8],
  ["ES256", -7],
  ["RS256", -257],
])("a key for %s", async (_, algorithm) => {
  await open("en")
  await tamper("create", `publicKey.pubKeyCredParams = [{ type: "public-key", alg: ${algorithm} }]`)
  await addPasskey()
  const [stored] = await queryStore(program, "SELECT algorithm FROM passkeys")
  expect(stored).toEqual({ algorithm })
  await signOut()
  await passkeyButton("en").click()
  await page.waitForURL(`${url}/workspace/elif`)
})

const untilRejected = () =>
  page
    .getByRole("alert")
    .getByText(
      "The passkey was rejected: it was removed, or this page was open for too long. Try again.",
    )
    .waitFor()

test("somebody who was not verified is rejected", async () => {
  const { devices, authenticatorId } = await open("en")
  await addPasskey()
  await signOut()
  await devices.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false })
  await tamper("get", `publicKey.userVerification = "discouraged"`)
  await page.reload()
  await passkeyButton("en").click()
  await untilRejected()
})

test("another challenge is rejected", async () => {
  await open("en")
  await addPasskey()
  await signOut()
  await tamper("get", "publicKey.challenge = new Uint8Array(32)")
  await page.reload()
  await passkeyButton("en").click()
  await untilRejected()
})

test("a page that was open for hours needs one click, too", async () => {
  await open("en")
  await addPasskey()
  await signOut()
  setSystemTime(new Date(Date.now() + 3 * 3_600_000))
  await page.evaluate("performance.now = () => 3 * 3_600_000")
  await passkeyButton("en").click()
  await page.waitForURL(`${url}/workspace/elif`)
})

test("a copy of the authenticator is rejected", async () => {
  const { devices, authenticatorId } = await open("en")
  await addPasskey()
  const { credentials } = await devices.send("WebAuthn.getCredentials", { authenticatorId })
  const [copy] = credentials
  if (copy === undefined) throw new Error("no passkey")
  for (let times = 0; times < 2; times += 1) {
    await signOut()
    await passkeyButton("en").click()
    await page.waitForURL(`${url}/workspace/elif`)
  }
  await devices.send("WebAuthn.clearCredentials", { authenticatorId })
  await devices.send("WebAuthn.addCredential", { authenticatorId, credential: copy })
  await signOut()
  await passkeyButton("en").click()
  await untilRejected()
})

test("a device gets one passkey, and canceling says what to do", async () => {
  const { devices, authenticatorId } = await open("en")
  await addPasskey()
  await openNew("en")
  await create("en")
  await page
    .getByText("No passkey was created. This device may already have one for you.")
    .waitFor()
  await devices.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false })
  await signOut()
  await passkeyButton("en").click()
  await page.getByText("No passkey was used. Try again, or sign in with your password.").waitFor()
  await devices.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true })
  await passkeyButton("en").click()
  await page.waitForURL(`${url}/workspace/elif`)
})

test.each([
  ["without WebAuthn", "localhost", "delete window.PublicKeyCredential"],
  ["at another address", "127.0.0.1", ""],
])("%s nothing is offered", async (_, host, script) => {
  await open("en")
  await page.addInitScript(script)
  const elsewhere = url.replace("localhost", host)
  await page.goto(`${elsewhere}/login`)
  // The main script shows this choice, so the scripts have run.
  await page.locator("[data-shows-passwords]").waitFor()
  await page.waitForLoadState("load")
  expect(await page.locator("form:has([data-passkey]):visible").count()).toBe(0)
  expect(await page.locator("main form:visible").count()).toBe(1)
})
