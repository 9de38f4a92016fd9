import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { formatTimestamp } from "../../src/platform/time.ts"
import { deployFolder, readDeployFile, readYaml } from "../harness/deploy-files.ts"
import { type ReadSample, readPrometheusText } from "../harness/http/prometheus-text.ts"
import { type Matcher, readQuery } from "../harness/http/promql.ts"
import { type Program, startProgram, temporaryFolder } from "../harness/program.ts"
import { account } from "../harness/records.ts"
import { until } from "../harness/until.ts"

type Rule = Readonly<{
  alert: string
  expr: string
  labels: Readonly<Record<string, string>>
  annotations: Readonly<Record<string, string>>
}>
type Alerts = Readonly<{ groups: readonly Readonly<{ rules: readonly Rule[] }>[] }>
type Panel = Readonly<{
  id: number
  title: string
  gridPos: Readonly<{ x: number; y: number; w: number; h: number }>
  targets: readonly Readonly<{ expr: string; legendFormat: string }>[]
}>
type Dashboard = Readonly<{ panels: readonly Panel[] }>

const rules = readYaml<Alerts>("prometheus/alerts.yml").groups.flatMap((group) => group.rules)
const dashboard: Dashboard = JSON.parse(readDeployFile("grafana/pazar.json"))

/** The server has an import, a pull and a backup, so that every metric exists. */
const token = "metrics-token-of-32-characters-or-more"
let program: Program
let samples: readonly ReadSample[]
beforeAll(async () => {
  program = await startProgram({
    PAZAR_METRICS_TOKEN: token,
    PAZAR_SMTP_URL: "smtp://127.0.0.1:9",
    PAZAR_MAIL_FROM: "shop@example.com",
  })
  const at = formatTimestamp(new Date())
  await program.app.store.pulls.recordRound({
    isSuccess: true,
    name: "store",
    everySeconds: 300,
    startedAt: at,
    endedAt: at,
    problem: null,
    runBefore: 0,
  })
  await program.load([account("ada")])
  program.startHousekeeping()
  const late = [
    ...["last_import", "pull_due", "last_backup"].map((name) => `pazar_${name}_timestamp_seconds`),
    "pazar_mail_ready",
  ]
  samples = await until(async () => {
    const headers = { Authorization: `Bearer ${token}` }
    const text = await (await fetch(`${program.url}/metrics`, { headers })).text()
    const found = readPrometheusText(text).flatMap((family) => family.samples)
    return late.every((name) => found.some((sample) => sample.name === name)) ? found : undefined
  })
})
afterAll(() => program.close())

const targetLabels = ["instance", "job"]

function problemsOf(expression: string): readonly string[] {
  const { selectors, groupings } = readQuery(expression)
  const known = selectors.filter(({ name }) => name !== "up")
  const all = known.map(({ name }) => samples.filter((sample) => sample.name === name))
  const missing = known.filter((_, at) => all[at]?.length === 0).map(({ name }) => `no ${name}`)
  const unmatched = known.flatMap(({ name, matchers }, at) =>
    matchers
      .filter(({ label }) => !targetLabels.includes(label))
      .flatMap((matcher) => unmatchedBy(matcher, all[at] ?? []).map((one) => `${name}: no ${one}`)),
  )
  const labels = new Set(all.flat().flatMap((sample) => Object.keys(sample.labels)))
  const stray = groupings.filter((label) => !labels.has(label) && !targetLabels.includes(label))
  return [...missing, ...unmatched, ...stray.map((label) => `no label ${label}`)]
}

/** The values in a matcher that no series has, including excluded values. */
function unmatchedBy({ label, operator, value }: Matcher, series: readonly ReadSample[]) {
  const wanted = operator.endsWith("~") ? value.split("|") : [value]
  const real = new Set(series.map(({ labels }) => labels[label]))
  return wanted.filter((one) => !real.has(one)).map((one) => `${label}=${one}`)
}

test("a query with an unknown metric, label or value is detected", () => {
  const valid =
    'sum by (operation) (rate(pazar_requests_total{reason=~"ok|no_items"}[5m])) / 2 > 1e3'
  const bad = [
    "pazar_requests",
    'pazar_requests_total{operation!="validate"}',
    'pazar_requests_total{operation=~"read_item|read_items"}',
    'pazar_requests_total{author="ada"}',
    "sum by (author) (pazar_requests_total)",
    "histogram_quantile(0.9, pazar_request_duration_seconds)",
    "up * pazar_store_up",
  ]
  expect(problemsOf(valid)).toEqual([])
  expect(bad.filter((query) => problemsOf(query).length === 0)).toEqual([])
  expect(() => readQuery("sum(rate(pazar_requests_total[5m])")).toThrow("not PromQL")
})

test.each(rules)("$alert uses existing series", ({ expr }) => {
  expect(problemsOf(expr)).toEqual([])
})

describe("the dashboard", () => {
  test.each(dashboard.panels)("$title uses existing series and labels", ({ targets }) => {
    for (const { expr, legendFormat } of targets) {
      expect(problemsOf(expr)).toEqual([])
      const { groupings } = readQuery(expr)
      const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label ?? "")
      const labels = groupings.length > 0 ? groupings : targetLabels
      expect(shown.filter((label) => !labels.includes(label))).toEqual([])
    }
  })

  test("its panels do not overlap", () => {
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
  })
})

/** Values are in promtool's notation: `0x59 3` is sixty times 0 and then 3. */
type Case = Readonly<{
  alert: string
  /** Minutes between two values and between two evaluations; each evaluation takes promtool several milliseconds. */
  step?: number
  series: Readonly<Record<string, string>>
  labels?: Readonly<Record<string, string>>
  fires: Readonly<Record<number, boolean>>
}>
const node = 'instance="a",job="pazar"'
const labels = { instance: "a", job: "pazar" }
const validations = `pazar_request_duration_seconds_bucket{${node},operation="validate_purchase"`
const cases: readonly Case[] = [
  {
    alert: "PazarDown",
    series: { [`up{${node}}`]: "1 0x5 1x20" },
    labels,
    fires: { 1: false, 4: true, 8: false },
  },
  {
    alert: "PazarStoreFailing",
    series: { [`pazar_store_ready{${node}}`]: "1 0x5 1x20" },
    labels,
    fires: { 1: false, 4: true, 8: false },
  },
  {
    alert: "PazarStoreFailing",
    series: {
      [`pazar_store_ready{${node}}`]: "1x30",
      [`pazar_store_writable{${node}}`]: "1 0x5 1x20",
    },
    labels,
    fires: { 1: false, 4: true, 8: false },
  },
  {
    alert: "PazarServerErrors",
    series: {
      [`pazar_requests_total{${node},reason="ok"}`]: "0+1000x60",
      [`pazar_requests_total{${node},reason="unavailable"}`]: "0+5x20 100+20x40",
    },
    fires: { 20: false, 35: true },
  },
  {
    alert: "PazarSlowValidations",
    series: {
      [`${validations},le="0.5"}`]: "0+100x30 3000+98x40",
      [`${validations},le="1"}`]: "0+100x70",
      [`${validations},le="+Inf"}`]: "0+100x70",
    },
    fires: { 29: false, 60: true },
  },
  {
    alert: "PazarImportFailed",
    step: 5,
    series: {
      [`pazar_import_runs_total{${node},via="file",outcome="failed"}`]: "0x12 1x60",
    },
    labels: { via: "file" },
    fires: { 50: false, 70: true, 200: false },
  },
  {
    alert: "PazarImportFailed",
    step: 5,
    series: { [`pazar_import_runs_total{${node},via="pull",outcome="failed"}`]: "0x12 1x60" },
    labels: { via: "pull" },
    fires: { 50: false, 70: true, 200: false },
  },
  {
    // Due after 20 minutes, then again after a success.
    alert: "PazarPullOverdue",
    series: { [`pazar_pull_due_timestamp_seconds{${node}}`]: "1200x29 3600x60" },
    fires: { 19: false, 25: true, 31: false, 61: true },
  },
  {
    alert: "PazarBackupOverdue",
    step: 20,
    series: { [`pazar_last_backup_timestamp_seconds{${node}}`]: "0x100" },
    fires: { [25 * 60]: false, [28 * 60]: true },
  },
  {
    alert: "PazarMailFailing",
    series: {
      [`pazar_mail_ready{${node}}`]: "1 0x40 1x20",
      'pazar_mail_ready{instance="b",job="pazar"}': "1x80",
    },
    fires: { 14: false, 17: true, 45: false },
  },
  {
    alert: "PazarDiskLow",
    series: { [`pazar_disk_free_bytes{${node}}`]: "2000000000x9 1000x30" },
    labels,
    fires: { 9: false, 25: true },
  },
]

test("every alert has a case", () => {
  expect([...new Set(cases.map(({ alert }) => alert))]).toEqual(rules.map(({ alert }) => alert))
})

test.each(cases)("promtool: $alert fires when it should, and not before", async (testCase) => {
  const folder = temporaryFolder()
  const rule = rules.find(({ alert }) => alert === testCase.alert)
  const added: Readonly<Record<string, string>> = testCase.labels ?? {}
  const summary = rule?.annotations.summary?.replace(
    /\{\{ \$labels\.(\w+) \}\}/g,
    (_, label) => added[label] ?? "no label",
  )
  const expected = {
    exp_labels: { ...rule?.labels, ...added },
    exp_annotations: { ...rule?.annotations, summary },
  }
  const interval = `${testCase.step ?? 1}m`
  const tests = {
    rule_files: [join(deployFolder, "prometheus/alerts.yml")],
    evaluation_interval: interval,
    tests: [
      {
        interval,
        input_series: Object.entries(testCase.series).map(([series, values]) => ({
          series,
          values,
        })),
        alert_rule_test: Object.entries(testCase.fires).map(([minute, isFiring]) => ({
          eval_time: `${minute}m`,
          alertname: testCase.alert,
          exp_alerts: isFiring ? [expected] : [],
        })),
      },
    ],
  }
  const path = join(folder, "tests.json")
  writeFileSync(path, JSON.stringify(tests))
  const child = Bun.spawn(["promtool", "test", "rules", path], { stdout: "pipe", stderr: "pipe" })
  const output = (await child.stdout.text()) + (await child.stderr.text())
  expect([await child.exited, output]).toEqual([0, expect.stringContaining("SUCCESS")])
  rmSync(folder, { recursive: true })
})
