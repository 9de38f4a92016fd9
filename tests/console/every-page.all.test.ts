/** Every console page with hostile texts, on a phone: no axe violation, no horizontal scrolling, no injected markup. */

import { afterAll, beforeAll, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { commandLine } from "../../src/access/actor.ts"
import { emptyOutcome } from "../../src/feed/import-run.ts"
import { message } from "../../src/platform/problem.ts"
import { createEndpoint } from "../../src/webhooks/endpoint-operations.ts"
import { describeViolations, runAxe } from "../harness/browser/axe.ts"
import { openPage } from "../harness/browser/browser.ts"
import {
  codeOf,
  hostileUsername,
  itemIdOf,
  poisons,
  startHostileWorkspace,
} from "../harness/browser/hostile-author.ts"
import { findCutTexts, findSmallTargets, widthOf } from "../harness/browser/page-measurements.ts"
import { isEveryWay, listWays } from "../harness/browser/ways.ts"
import type { Program } from "../harness/program.ts"
import { addUsage } from "../harness/stores/store-records.ts"
import { addOperator, operatorPassword } from "../harness/test-operators.ts"

const phoneWidth = 320

let program: Program
let page: Page
let author: string
let keyId: string
let endpointId: string
let runId: number
let failedRunId: number
beforeAll(async () => {
  program = await startHostileWorkspace()
  const { store, now } = program.app
  await addOperator(program, "deniz")
  const account = await store.accounts.findByUsername(hostileUsername)
  author = `/authors/${account?.id}`
  const at = now()
    .toISOString()
    .replace(/\.\d+Z/, "Z")
  await store.audit.insert({
    at,
    kind: "purchase",
    action: "refunded",
    account,
    actor: { kind: "operator", name: poisons.markup, ipRange: poisons.closing },
    subjectId: poisons.long,
    subjectName: poisons.direction,
    count: 1,
    note: `${poisons.markup}${poisons.long}`,
  })
  await store.nodes.put({
    id: "1",
    host: poisons.markup,
    url: poisons.closing,
    version: poisons.template,
    threads: 1,
    startedAt: at,
    lastSeenAt: at,
  })
  keyId = (await store.keys.list(account?.id ?? 0))[0]?.id ?? ""
  const recording = program.app.endpointServices(commandLine)
  const url = `https://hooks.example/${poisons.long}`
  endpointId = (await createEndpoint(recording, account, { url, events: [] })).endpoint.id
  await store.messages.insertTest(endpointId, at)
  await addUsage(store, {
    calls: [
      {
        keyId,
        operation: "read_item",
        outcome: "unknown_item",
        day: at.slice(0, 10),
        calls: 7,
      },
    ],
    ipRanges: Array.from({ length: 20 }, (_, index) => ({
      keyId,
      ipRange: `10.0.${index}.0/24`,
      lastDay: at.slice(0, 10),
    })),
  })
  const writer = await store.feed.openBatches({ source: poisons.markup, via: "pull" })
  await writer.put(new Date(), [], 1)
  const other = message("other", { text: poisons.direction })
  const group = {
    type: poisons.markup,
    field: poisons.closing,
    ...other,
    lines: 1,
  }
  await writer.finish(new Date(), {
    ...emptyOutcome,
    counts: { ...emptyOutcome.counts, rejected: 1 },
    rejections: {
      groups: [{ ...group, samples: [{ line: 1, identity: poisons.long }] }],
      otherKinds: 1,
      otherProblems: 1,
    },
    removalProblem: message("other", { text: poisons.markup }),
  })
  runId = (await store.feed.listRuns(1))[0]?.id ?? 0
  await store.pulls.recordRound({
    isSuccess: true,
    name: poisons.long,
    everySeconds: 300,
    startedAt: "2026-01-31T12:00:00Z",
    endedAt: at,
    problem: message("other", { text: `${poisons.markup}${poisons.long}` }),
    runBefore: runId,
  })
  failedRunId = (await store.feed.listRuns(1))[0]?.id ?? 0
  const viewport = { width: phoneWidth, height: 740 }
  page = await openPage({ viewport, reducedMotion: "reduce", bypassCSP: true })
  await page.addInitScript("window.hacked = 0")
  await signIn(page)
})
afterAll(async () => {
  await page.context().close()
  await program.close()
})

async function signIn(page: Page): Promise<void> {
  await page.goto(`${program.url}/login?next=/console`)
  await page.fill("#name", "deniz")
  await page.fill("#password", operatorPassword)
  await page.click("main button[type=submit]")
  await page.waitForURL(`${program.url}/console`)
}

const paths = {
  status: () => "",
  authors: () => "/authors",
  "authors, none found": () => `/authors?q=${encodeURIComponent(`zz${poisons.markup}`)}`,
  "an author": () => author,
  suspend: () => `${author}/suspend`,
  traffic: () => "/traffic",
  purchases: () => "/purchases",
  "purchases of an author": () => `/purchases?author=${author.split("/")[2]}`,
  "keys of an author": () => `/keys?author=${author.split("/")[2]}`,
  "items of an author": () => `/items?author=${author.split("/")[2]}`,
  "a webhook of an author": () => `${author}/webhooks/${endpointId}`,
  items: () => "/items",
  "items, none found": () => `/items?q=${encodeURIComponent(`zz${poisons.markup}`)}`,
  "an item": () => `/items/${itemIdOf("markup")}`,
  "the log of an author": () => `${author}/log`,
  "the traffic of an author": () => `${author}/traffic`,
  search: () => "/search",
  keys: () => "/keys",
  "a key": () => `/keys/${keyId}`,
  imports: () => "/imports",
  "an import": () => `/imports/${runId}`,
  "a pull that failed": () => `/imports/${failedRunId}`,
  webhooks: () => "/webhooks",
  "add a webhook": () => "/webhooks/new",
  operators: () => "/operators",
  "invite an operator": () => "/operators/invite",
  "require a second factor": () => "/operators/second-factor/require",
  audit: () => "/audit",
  "audit of an author": () => `/audit?account=${encodeURIComponent(hostileUsername)}&days=7`,
  "audit of nobody": () => `/audit?account=${encodeURIComponent(poisons.markup)}`,
  settings: () => "/settings",
  "rotate the signing key": () => "/settings/signing-keys/rotate",
  security: () => "/security",
  "second factor": () => "/security/second-factor",
  "not found": () => "/none",
}
const shownInSuite = [
  ...["authors", "an author", "traffic", "imports", "an import", "operators", "audit"],
  ...["second factor", "purchases of an author", "items", "keys", "the log of an author"],
]
const shown = Object.entries(paths).filter(([name]) => isEveryWay || shownInSuite.includes(name))

for (const [index, [name, path]] of shown.entries()) {
  test.each(listWays(index))(`${name} (%s %s)`, async (locale, colorScheme) => {
    await page.emulateMedia({ colorScheme })
    const query = path().includes("?") ? `&lang=${locale}` : `?lang=${locale}`
    await page.goto(`${program.url}/console${path()}${query}`)
    expect({
      width: await widthOf(page),
      cut: await findCutTexts(page),
      small: await findSmallTargets(page),
      isHacked: await page.evaluate("window.hacked === 1"),
      strangers: await page
        .locator("main img, main svg:not(.qr, .spark, figure svg), main script")
        .count(),
      language: await page.locator("html").getAttribute("lang"),
      violations: describeViolations(await runAxe(page)),
    }).toEqual({
      violations: [],
      width: phoneWidth,
      cut: [],
      small: [],
      isHacked: false,
      strangers: 0,
      language: locale,
    })
  })
}

test("the sites of a purchase are shown as text", async () => {
  await page.goto(`${program.url}/console/purchases?lang=en`)
  await page.fill("#list [name=q]", codeOf("markup"))
  await page.press("#list [name=q]", "Enter")
  await page.locator("#sites").waitFor()
  expect({
    width: await widthOf(page),
    cut: await findCutTexts(page),
    isHacked: await page.evaluate("window.hacked === 1"),
    strangers: await page.locator("main img, main svg, main script").count(),
    violations: describeViolations(await runAxe(page)),
  }).toEqual({ violations: [], width: phoneWidth, cut: [], isHacked: false, strangers: 0 })
})

test("one click to the authors with the most requests; one search finds everything, also by keyboard", async () => {
  await page.goto(`${program.url}/console?lang=en`)
  await page.setViewportSize({ width: 1200, height: 800 })
  await page.getByRole("link", { name: "Authors", exact: true }).click()
  const calls = page.locator(`tbody a[href$="?days=7"]`)
  expect(await calls.textContent()).toBe("7")
  for (const keys of ["/", "Control+k"]) {
    await page.locator("h1").click()
    await page.keyboard.press(keys)
    await page.keyboard.type(codeOf("markup"))
    const found = page.waitForEvent("load")
    await page.keyboard.press("Enter")
    await found
    expect(page.url()).toContain("/check/")
    await page.goto(`${program.url}/console`)
  }
  await page.fill("#find", String(itemIdOf("markup")))
  await page.press("#find", "Enter")
  await page.waitForURL("**/console/search")
  expect(await page.locator(`a[href$="/items/${itemIdOf("markup")}"]`).count()).toBe(1)
  await page.setViewportSize({ width: phoneWidth, height: 740 })
  await page.goto(`${program.url}/console?lang=en`)
  await page.keyboard.press("/")
  expect(await page.evaluate("document.activeElement.id")).toBe("find")
})

test("without script: sign in, create a link and find it on the page", async () => {
  const plain = await openPage({ javaScriptEnabled: false, locale: "en" })
  await signIn(plain)
  await plain.goto(`${program.url}/console${author}`)
  await plain.click("a[href$='/invite']")
  await plain.click("main button[type=submit]")
  expect(await plain.locator(".secret code").textContent()).toMatch(/\/invite\/[\w-]{43}$/)
  await plain.context().close()
})

test("two clicks show who changed what yesterday, three rotate the signing key", async () => {
  const { store, now } = program.app
  const yesterday = new Date(now().getTime() - 24 * 60 * 60 * 1_000).toISOString()
  await store.audit.insert({
    at: `${yesterday.slice(0, 10)}T12:34:56Z`,
    kind: "operator",
    action: "removed",
    account: null,
    actor: { kind: "operator", name: "ece", ipRange: "192.0.2.0/24" },
    subjectId: "selim",
    subjectName: "",
    count: 1,
  })
  const visitor = await openPage({ viewport: { width: 1440, height: 900 }, locale: "en" })
  await signIn(visitor)
  let clicks = 0
  const click = async (name: string) => {
    await visitor
      .getByRole("link", { name, exact: true })
      .or(visitor.getByRole("button", { name, exact: true }))
      .first()
      .click()
    clicks += 1
  }
  await click("Logs")
  const day = visitor.locator(`tr.group:has-text("Yesterday") + tr`)
  for (const text of ["12:34:56", "ece", "Operator deleted", "selim"]) {
    expect(await day.textContent()).toContain(text)
  }
  expect(clicks).toBeLessThanOrEqual(2)
  await visitor.goto(`${program.url}/console`)
  clicks = 0
  const before = await store.signingKeys.list()
  await click("Settings")
  await click("Rotate the signing key")
  await visitor.locator("dialog[open] button[type=submit]").click()
  clicks += 1
  await visitor.getByText("The signing key was rotated.").waitFor()
  expect(clicks).toBe(3)
  expect((await store.signingKeys.list()).length).toBe(before.length + 1)
  await visitor.context().close()
})

test("without script: three clicks create a link for a new operator, which signs the operator in", async () => {
  const plain = await openPage({ javaScriptEnabled: false, locale: "en" })
  await signIn(plain)
  await plain.goto(`${program.url}/console/settings`)
  await plain.getByRole("link", { name: "Operators", exact: true }).click()
  await plain.getByRole("link", { name: "Invite operator" }).click()
  await plain.fill("#name", "Ümit")
  await plain.click("main button[type=submit]")
  const link = (await plain.locator(".secret code").textContent()) ?? ""
  const invited = await openPage({ javaScriptEnabled: false, locale: "en" })
  await invited.goto(link)
  for (const field of ["#password", "#repeat"]) await invited.fill(field, "elma armut pencere")
  await invited.click("main button[type=submit]")
  expect(await invited.locator(".person summary").textContent()).toBe("Ümit")
  await invited.goto(`${program.url}/console/security`)
  await invited.getByRole("link", { name: "Set up 2FA" }).click()
  expect(await invited.locator(".qr").count()).toBe(1)
  await invited.context().close()
  await plain.context().close()
})
