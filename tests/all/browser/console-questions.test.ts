/** The questions of an operator's normal week, each answered within two clicks of the console's first page. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { version } from "../../../package.json"
import { formatTimestamp } from "../../../src/domain/values/time/timestamp.ts"
import { account, item, purchase } from "../../contracts/records.ts"
import { addUsage } from "../../contracts/store-records.ts"
import { type BrowserVisits, openBrowserVisits } from "../../harness/browser/browser-visits.ts"
import { unescapeHtml } from "../../harness/browser/docs-page.ts"
import { consoleViewAt, textOf } from "../../harness/http/page-views.ts"
import { addOperator, operatorPassword } from "../../harness/operators.ts"
import { startProgram } from "../../harness/program.ts"

let visits: BrowserVisits
let page: Page
let secret: string
const at = formatTimestamp(new Date())

beforeAll(async () => {
  visits = await openBrowserVisits(startProgram)
  const { program } = visits
  await program.load([account("ada"), item("ada", 7), purchase("abc-12345", 7)])
  await program.load([item("ada", 8, { price: {} })])
  await addOperator(program, "deniz")
  const issued = await program.issue("ada")
  secret = issued.secret
  const call = { keyId: issued.key.id, operation: "validate_purchase" } as const
  await addUsage(program.app.store, {
    calls: [{ ...call, day: at.slice(0, 10), outcome: "unknown_code", calls: 89 }],
  })
  page = await visits.visit({ javaScriptEnabled: false })
  await page.goto(`${visits.url}/console/login`)
  await page.fill("#name", "deniz")
  await page.fill("#password", operatorPassword)
  await page.click("main button[type=submit]")
  await page.waitForURL(`${visits.url}/console`)
})
afterAll(() => visits.close())

const { texts, words } = consoleViewAt("/console", "en")
const { imports, keys, purchases, status, traffic } = texts
const { author } = texts.authors
const { columns, copy } = words

/** From the first page: each step is a link of the page, or a text that is pasted and sent. */
type Step = string | Readonly<{ paste: () => string; send: string }>

const questions: readonly Readonly<{ ask: string; steps: readonly Step[]; answers: string[] }>[] = [
  {
    ask: "How many validations failed this week, and why?",
    steps: [traffic.title, words.range.days(7)],
    answers: [
      `${words.log.reasons.unknown_code.what} ${words.keyPages.operations.validate_purchase} 89`,
    ],
  },
  {
    ask: "Which import failed, and why?",
    steps: [imports.whyOf(2)],
    answers: [" price.regular ", `${imports.line(1)} 8`],
  },
  {
    ask: "Whose is this key?",
    steps: [keys.title, { paste: () => secret, send: keys.submit }],
    answers: [`${author} ada`],
  },
  {
    ask: "Is this code known?",
    steps: [purchases.title, { paste: () => "Code: ABC-12345!", send: purchases.submit }],
    answers: [
      `${columns.state} ${words.check.results.valid}`,
      `${columns.code} abc-12345 ${copy} ${author} ada`,
    ],
  },
  {
    ask: "Did last night's import run?",
    steps: [imports.title],
    answers: [
      `${imports.accepted} ${imports.adjusted} ${imports.waiting} ${imports.rejected} ${imports.removed}`,
      " test ",
      " UTC 3 0 0 0 0 ",
    ],
  },
  {
    ask: "Which version and store is this?",
    steps: [],
    answers: [`${columns.version} ${version} ${status.store}`],
  },
]

test.each(questions)("$ask", async ({ steps, answers }) => {
  await page.goto(`${visits.url}/console`)
  for (const step of steps) {
    if (typeof step === "string") {
      await page.getByRole("link", { name: step, exact: true }).first().click()
    } else {
      await page.locator("main input[type=text]").fill(step.paste())
      await page.getByRole("button", { name: step.send }).click()
    }
  }
  await page.waitForLoadState()
  expect(steps.length).toBeLessThanOrEqual(2)
  const text = unescapeHtml(textOf(await page.locator("main").innerHTML()))
  for (const answer of answers) expect(text).toContain(answer)
})
