/** From a failed delivery to its redelivery in a real browser. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { commandLine } from "../../src/access/actor.ts"
import { requireAccount } from "../../src/accounts/account-operations.ts"
import { createEndpoint } from "../../src/webhooks/endpoint-operations.ts"
import { openPage } from "../harness/browser/browser.ts"
import { startQuietWorkspace } from "../harness/browser/sample-workspace.ts"
import { openSignedIn } from "../harness/browser/visitor.ts"
import { failDelivery } from "../harness/failed-delivery.ts"
import type { Program } from "../harness/program.ts"
import { openReceiver } from "../harness/webhook-receiver.ts"

const receiver = openReceiver()
let program: Program
let page: Page
let webhookPath: string

beforeAll(async () => {
  program = await startQuietWorkspace({}, { webhookReceiver: receiver.url })
  const { store, endpointServices } = program.app
  const elif = await requireAccount(store.accounts, "elif")
  const url = receiver.url
  const services = endpointServices(commandLine)
  const { endpoint } = await createEndpoint(services, elif, { url, events: [] })
  webhookPath = `/workspace/elif/settings/webhooks/${endpoint.id}`
  await failDelivery(program, endpoint.id, Date.now())
  program.startHousekeeping()
  page = await openPage()
  const visitor = await openSignedIn(program.url, "elif")
  await page
    .context()
    .addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url: program.url })))
})
afterAll(async () => {
  await page.context().close()
  await program.close()
  await receiver.close()
})

const untilDelivered = () => page.locator("#attempts .pill", { hasText: "Delivered" }).waitFor()
/** Lost with the document. */
const mark = () => page.evaluate("globalThis.isSame = true")
const isSame = () => page.evaluate<boolean>("globalThis.isSame === true")

test("a failed delivery is redelivered with two clicks, and its result appears without a reload", async () => {
  await page.goto(`${program.url}${webhookPath}`)
  await page.locator("tr", { hasText: "Failed" }).click()
  await page.waitForURL(/\/messages\//)
  expect(await page.locator("#attempts tbody tr").count()).toBe(1)
  await Promise.all([
    page.waitForEvent("load"),
    page.getByRole("button", { name: "Redeliver" }).click(),
  ])
  await mark()
  await untilDelivered()
  expect(await isSame()).toBe(true)
  expect(await page.locator("#attempts tbody tr").allInnerTexts()).toEqual([
    expect.stringMatching(/200.*thanks/s),
    expect.stringMatching(/500.*broken/s),
  ])
})

test("the result of a test event appears without a reload", async () => {
  await page.goto(`${program.url}${webhookPath}`)
  await page.getByRole("button", { name: "Send a test event" }).click()
  await page.waitForURL(/\/messages\//)
  await mark()
  await untilDelivered()
  expect(await isSame()).toBe(true)
})
