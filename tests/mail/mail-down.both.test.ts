import { expect, test } from "bun:test"
import type { Finding } from "../../src/doctor/finding.ts"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import { openVisitor } from "../harness/browser/visitor.ts"
import { pickFreePort } from "../harness/free-port.ts"
import { startProgram } from "../harness/program.ts"
import { account } from "../harness/records.ts"
import { runInProcess } from "../harness/run-in-process.ts"
import { openNewOperator } from "../harness/test-operators.ts"
import { until } from "../harness/until.ts"

test("mail down is in `doctor --quick`, on the home page and a metric, with the time an e-mail is given up", async () => {
  const token = "metrics-token-of-32-characters-or-more"
  const settings = {
    PAZAR_SMTP_URL: `smtp://127.0.0.1:${pickFreePort()}`,
    PAZAR_MAIL_FROM: "shop@example.com",
  }
  const program = await startProgram({ ...settings, PAZAR_METRICS_TOKEN: token })
  await program.load([account("ada", { email: "ada@example.com" })])
  const deniz = await openNewOperator(program, "deniz")
  const readMetric = async () => {
    const headers = { Authorization: `Bearer ${token}` }
    const text = await (await fetch(`${program.url}/metrics`, { headers })).text()
    return /^pazar_mail_ready (.*)$/m.exec(text)?.[1]
  }
  const examine = async () => {
    const args = ["doctor", "--quick", "--json"]
    const { stdout } = await runInProcess(program.folder, args, { env: settings })
    const { checks }: Readonly<{ checks: readonly Finding[] }> = JSON.parse(stdout)
    return checks.find(({ check }) => check === "e-mail")
  }
  program.startHousekeeping()
  expect(await examine()).toBeUndefined()
  await until(async () => (await readMetric()) === "1" || undefined)
  const resetPath = "/login/reset"
  await openVisitor(program.url).submit(resetPath, { email: "ada@example.com" }, resetPath)

  const { level, detail, hint } = await until(examine)
  expect([level, hint]).toEqual(["problem", expect.stringContaining("PAZAR_SMTP_URL")])
  expect(detail).toMatch(/since \S+Z; 1 e-mail .* until \d{4}-.*Z: .*127\.0\.0\.1/)
  expect(await readMetric()).toBe("0")
  expect(unescapeHtml((await deniz.get("/console")).text)).toContain("127.0.0.1")
  await program.close()
})
