/** Holds the dashboard and the alerts in deploy/ against the metrics of a real server, and against the docs. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { formatTimestamp } from "../../../src/domain/values/time/timestamp.ts"
import { account } from "../../contracts/records.ts"
import { until } from "../../contracts/until.ts"
import { deployFolder, readDeployFile, readYaml } from "../../harness/deploy-files.ts"
import {
  type ReadFamily,
  type ReadSample,
  readPrometheusText,
} from "../../harness/http/prometheus-text.ts"
import { type Matcher, readQuery } from "../../harness/http/promql.ts"
import { type Program, startProgram, temporaryFolder } from "../../harness/program.ts"
import { createMigratedStore } from "../../harness/stores/stores.ts"

type Rule = Readonly<{
  alert: string
  expr: string
  for?: string
  labels: Readonly<{ severity: string }>
  annotations: Readonly<{ summary: string }>
}>
type Alerts = Readonly<{ groups: readonly Readonly<{ name: string; rules: readonly Rule[] }>[] }>
type Panel = Readonly<{
  id: number
  type: string
  title: string
  gridPos: Readonly<{ x: number; y: number; w: number; h: number }>
  targets?: readonly Readonly<{ expr: string; legendFormat: string }>[]
}>
type Dashboard = Readonly<{
  panels: readonly Panel[]
  templating: Readonly<{ list: readonly Readonly<{ name: string; query: unknown }>[] }>
}>
type Scraping = Readonly<{
  rule_files: readonly string[]
  scrape_configs: readonly Readonly<{
    job_name: string
    metrics_path?: string
    authorization: Readonly<{ credentials_file: string }>
    static_configs: readonly Readonly<{ targets: readonly string[] }>[]
  }>[]
}>

const rules = readYaml<Alerts>("prometheus/alerts.yml").groups.flatMap((group) => group.rules)
const dashboard: Dashboard = JSON.parse(readDeployFile("grafana/pazar.json"))
const scraping = readYaml<Scraping>("prometheus/prometheus.yml")

/** Servers with everything that has metrics: PostgreSQL, an import and a pull; and an embedded store. */
const token = "metrics-token-of-32-characters-or-more"
const programs: Program[] = []
let families: readonly ReadFamily[]
let samples: readonly ReadSample[]
beforeAll(async () => {
  const store = await createMigratedStore()
  const program = await startProgram({ ...store, PAZAR_METRICS_TOKEN: token })
  const at = formatTimestamp(new Date())
  await program.app.store.pulls.noteRound({
    name: "store",
    everySeconds: 300,
    startedAt: at,
    endedAt: at,
    problem: null,
    runBefore: 0,
  })
  await program.load([account("ada")])
  program.startHousekeeping()
  const embedded = await startProgram({
    DATABASE_URL: `sqlite:${join(program.folder, "pazar.db")}`,
    PAZAR_METRICS_TOKEN: token,
  })
  programs.push(program, embedded)
  // The import, the pull and the backup show a moment later.
  families = await scrapeWith(
    program,
    "pazar_last_import_timestamp_seconds",
    "pazar_pull_due_timestamp_seconds",
    "pazar_purchases",
  )
  const others = await scrapeWith(embedded, "pazar_last_backup_timestamp_seconds")
  families = families.map((family, index) =>
    family.samples.length > 0 ? family : (others[index] ?? family),
  )
  samples = families.flatMap((family) => family.samples)
})
afterAll(async () => {
  for (const program of programs.toReversed()) await program.close()
})

/** A scrape once it has these metrics. */
const scrapeWith = (program: Program, ...names: readonly string[]) =>
  until(async () => {
    const headers = { Authorization: `Bearer ${token}` }
    const response = await fetch(`${program.url}/metrics`, { headers })
    const found = readPrometheusText(await response.text())
    const known = found.filter((family) => family.samples.length > 0).map(({ name }) => name)
    return names.every((name) => known.includes(name)) ? found : undefined
  })

/** Labels that Prometheus adds itself. */
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

/** The values in a matcher that no series has, also where it excludes them. */
function unmatchedBy({ label, operator, value }: Matcher, series: readonly ReadSample[]) {
  const wanted = operator.endsWith("~") ? value.split("|") : [value]
  const real = new Set(series.map(({ labels }) => labels[label]))
  return wanted.filter((one) => !real.has(one)).map((one) => `${label}=${one}`)
}

describe("a query", () => {
  test("with a metric, a label or a value that does not exist is found", () => {
    const good =
      'sum by (operation) (rate(pazar_requests_total{reason=~"ok|no_items"}[5m])) / 2 > 1e3'
    const bad = [
      "pazar_requests",
      'pazar_requests_total{operation="validate"}',
      'pazar_requests_total{operation!="validate"}',
      'pazar_requests_total{operation=~"read_item|read_items"}',
      'pazar_requests_total{author="ada"}',
      "sum by (author) (pazar_requests_total)",
      "histogram_quantile(0.9, pazar_request_duration_seconds)",
      "up * pazar_store_up",
    ]
    expect(problemsOf(good)).toEqual([])
    expect(bad.filter((query) => problemsOf(query).length === 0)).toEqual([])
  })
})

test.each([
  "sum(rate(pazar_requests_total[5m])",
  "pazar_store_up)",
  "pazar_store_up{",
  "pazar_store_up by (instance)",
  "",
])("%j is no query", (query) => {
  expect(() => readQuery(query)).toThrow("not PromQL")
})

describe("the alerts", () => {
  test.each(rules)("$alert asks for series that exist, and says what is wrong", (rule) => {
    expect(problemsOf(rule.expr)).toEqual([])
    expect(["page", "ticket"]).toContain(rule.labels.severity)
    const named = [...rule.annotations.summary.matchAll(/\{\{ \$labels\.(\w+) \}\}/g)]
    const { selectors } = readQuery(rule.expr)
    const labels = samples
      .filter(({ name }) => selectors.some((selector) => selector.name === name))
      .flatMap((sample) => Object.keys(sample.labels))
    const stray = named.filter(([, label = ""]) => ![...labels, ...targetLabels].includes(label))
    expect(stray).toEqual([])
  })

  test("each has its own name", () => {
    const names = rules.map(({ alert }) => alert)
    expect(new Set(names).size).toBe(names.length)
  })
})

/** Values are in promtool's notation: `0x59 3` is sixty times 0 and then 3. */
type Case = Readonly<{
  alert: string
  /** Minutes between two values, and between two looks at the rules; each look takes promtool several milliseconds. */
  step?: number
  series: Readonly<Record<string, string>>
  /** Whether it fires, by the minute. */
  fires: Readonly<Record<number, boolean>>
}>
const node = 'instance="a",job="pazar"'
const cases: readonly Case[] = [
  {
    alert: "PazarStoreNotWritable",
    series: { [`pazar_store_writable{${node}}`]: "1 0x5 1x20" },
    fires: { 1: false, 4: true, 8: false },
  },
  {
    // Due at 20 minutes, then again after a success.
    alert: "PazarPullOverdue",
    series: { [`pazar_pull_due_timestamp_seconds{${node}}`]: "1200x29 3600x60" },
    fires: { 19: false, 25: true, 31: false, 61: true },
  },
  {
    // A round of a pull that fails once, and an import that is not repeated.
    alert: "PazarImportFailed",
    series: { [`pazar_failed_imports{${node}}`]: "0 1x5 0x30 1x60 0x30" },
    fires: { 5: false, 20: false, 45: false, 60: true, 110: false },
  },
  {
    // The same 61 records in every run, and one more in a later one.
    alert: "PazarFeedRefused",
    series: {
      [`pazar_feed_records_total{${node},via="pull",result="rejected"}`]: "0+61x300",
      [`pazar_feed_newly_rejected_total{${node},via="pull"}`]: "61x120 62x180",
      [`pazar_feed_newly_rejected_total{${node},via="push"}`]: "0x300",
    },
    fires: { 100: false, 125: true, 200: false },
  },
  {
    // Sales, a few refunds, then a wrong import; a week later the lower number is the usual one.
    alert: "PazarPurchasesDropped",
    step: 60,
    series: {
      [`pazar_purchases{${node},state="valid"}`]: "1000+1x24 1000x24 940x300",
      [`pazar_purchases{${node},state="revoked"}`]: "0x348",
    },
    fires: { [24 * 60]: false, [48 * 60]: false, [51 * 60]: true, [260 * 60]: false },
  },
  {
    // One in ten of only 20 purchases.
    alert: "PazarPurchasesDropped",
    step: 60,
    series: { [`pazar_purchases{${node},state="valid"}`]: "20x24 18x24" },
    fires: { [30 * 60]: false },
  },
  {
    // From 2 % to 10 % after eight days: 100 validations an hour.
    alert: "PazarUnknownCodes",
    step: 60,
    series: {
      [`pazar_requests_total{${node},operation="validate_purchase",reason="ok"}`]:
        "0+98x192 18816+90x100",
      [`pazar_requests_total{${node},operation="validate_purchase",reason="unknown_code"}`]:
        "0+2x192 384+10x100",
    },
    fires: { [100 * 60]: false, [192 * 60]: false, [220 * 60]: true },
  },
  {
    // From 8 % to 15 %, which is less than twice as much.
    alert: "PazarUnknownCodes",
    step: 60,
    series: {
      [`pazar_requests_total{${node},operation="validate_purchase",reason="ok"}`]:
        "0+92x192 17664+85x100",
      [`pazar_requests_total{${node},operation="validate_purchase",reason="unknown_code"}`]:
        "0+8x192 1536+15x100",
    },
    fires: { [220 * 60]: false },
  },
  {
    // Half of 96 validations a day.
    alert: "PazarUnknownCodes",
    step: 60,
    series: {
      [`pazar_requests_total{${node},operation="validate_purchase",reason="ok"}`]: "0+2x300",
      [`pazar_requests_total{${node},operation="validate_purchase",reason="unknown_code"}`]:
        "0x192 0+2x100",
    },
    fires: { [220 * 60]: false },
  },
  {
    alert: "PazarBackupOverdue",
    step: 20,
    series: { [`pazar_backup_due_timestamp_seconds{${node}}`]: `${26 * 3600}x100` },
    fires: { [25 * 60]: false, [28 * 60]: true },
  },
  {
    alert: "PazarDiskLow",
    series: { [`pazar_disk_free_bytes{${node}}`]: "2000000000x9 1000x30" },
    fires: { 9: false, 25: true },
  },
]

function ruleOf(name: string): Rule {
  const rule = rules.find(({ alert }) => alert === name)
  if (rule === undefined) throw new Error(`there is no alert ${name}`)
  return rule
}

describe("promtool", () => {
  test.each(cases)("$alert fires when it should, and not before", async (given) => {
    const folder = temporaryFolder()
    const { labels, annotations } = ruleOf(given.alert)
    // An alert about one node names it.
    const isOfNode = annotations.summary.includes("$labels.instance")
    const expected = {
      exp_labels: { ...labels, ...(isOfNode ? { instance: "a", job: "pazar" } : {}) },
      exp_annotations: {
        ...annotations,
        summary: annotations.summary.replace("{{ $labels.instance }}", "a"),
      },
    }
    const interval = `${given.step ?? 1}m`
    const tests = {
      rule_files: [join(deployFolder, "prometheus/alerts.yml")],
      evaluation_interval: interval,
      tests: [
        {
          interval,
          input_series: Object.entries(given.series).map(([series, values]) => ({
            series,
            values,
          })),
          alert_rule_test: Object.entries(given.fires).map(([minute, isFiring]) => ({
            eval_time: `${minute}m`,
            alertname: given.alert,
            exp_alerts: isFiring ? [expected] : [],
          })),
        },
      ],
    }
    const path = join(folder, "tests.json")
    writeFileSync(path, JSON.stringify(tests))
    const child = Bun.spawn(["promtool", "test", "rules", path], { stdout: "pipe", stderr: "pipe" })
    const [told, failed] = [await child.stdout.text(), await child.stderr.text()]
    expect({ status: await child.exited, told: `${told}${failed}` }).toEqual({
      status: 0,
      told: expect.stringContaining("SUCCESS"),
    })
    rmSync(folder, { recursive: true })
  })
})

describe("the dashboard", () => {
  const panels = dashboard.panels.filter(({ type }) => type !== "row")
  const queries = [...panels.flatMap(({ targets = [] }) => targets), ...rules]

  test("has panels", () => {
    expect(panels.length).toBeGreaterThan(15)
  })

  test.each(panels)("$title asks for series that exist", ({ targets = [] }) => {
    expect(targets.length).toBeGreaterThan(0)
    expect(targets.flatMap(({ expr }) => problemsOf(expr))).toEqual([])
    for (const { expr, legendFormat } of targets) {
      const { groupings } = readQuery(expr)
      const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label ?? "")
      const kept = groupings.length > 0 ? groupings : targetLabels
      expect(shown.filter((label) => !kept.includes(label))).toEqual([])
    }
  })

  test("every metric of ours is on it or in an alert", () => {
    const used = queries.flatMap(({ expr }) => readQuery(expr).selectors.map(({ name }) => name))
    const unused = families.filter(
      ({ name }) => name.startsWith("pazar_") && !used.some((one) => one.startsWith(name)),
    )
    expect(unused.map(({ name }) => name)).toEqual([])
  })

  test("it and the alerts sum pushes over the nodes, and take the largest value of runs, which every node counts", () => {
    const counted = /pazar_(?:feed_\w+|import_runs)_total/
    const form =
      /(sum|max)(?: by \([\w, ]+\))? ?\(\w+\(pazar_(?:feed_\w+|import_runs)_total\{[^}]*?via(!?=)"push"/g
    const right = ["sum =", "max !=", "sum =,max !="]
    const counting = queries.filter(({ expr }) => counted.test(expr))
    expect(counting.length).toBeGreaterThan(2)
    const wrong = counting.filter(({ expr }) => {
      const uses = [...expr.matchAll(form)].map(([, over, operator]) => `${over} ${operator}`)
      return !right.includes(uses.join())
    })
    expect(wrong.map(({ expr }) => expr)).toEqual([])
  })

  test("its panels do not overlap, and its variables exist", () => {
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
    const named = [...readDeployFile("grafana/pazar.json").matchAll(/\$\{?(\w+)/g)].map(
      ([, name]) => name,
    )
    const known = [...dashboard.templating.list.map(({ name }) => name), "__rate_interval", "__all"]
    expect(named).toContain("instance")
    expect([...new Set(named)].filter((name) => !known.includes(name ?? ""))).toEqual([])
    const asked = [
      ...JSON.stringify(dashboard.templating).matchAll(/label_values\((\w+), (\w+)\)/g),
    ]
    expect(asked).not.toEqual([])
    expect(
      asked.flatMap(([, metric, label]) => problemsOf(`sum by (${label}) (${metric})`)),
    ).toEqual([])
  })
})

describe("the scrape", () => {
  const [job] = scraping.scrape_configs

  test("is the job that the alerts name, by nodes and not through the proxy, with the token", () => {
    expect(scraping.rule_files).toEqual(["alerts.yml"])
    expect(rules.map(({ expr }) => expr).join()).toContain(`up{job="${job?.job_name}"}`)
    expect(job?.metrics_path ?? "/metrics").toBe("/metrics")
    expect(job?.authorization.credentials_file).toStartWith("/")
    const nodes = Object.keys(
      readYaml<{ services: Readonly<Record<string, unknown>> }>("compose.yaml").services,
    ).filter((name) => name.startsWith("pazar-"))
    expect(job?.static_configs.flatMap(({ targets }) => targets)).toEqual(
      nodes.map((name) => `${name}:8080`),
    )
  })
})
