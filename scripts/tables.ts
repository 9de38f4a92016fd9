/**
 * Writes the tables of documents that repeat source: `npx bun scripts/tables.ts`. A table is between `<!-- table:
 * NAME -->` and `<!-- /table -->`. A test checks that all are up to date.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { commands, renderUsage } from "../src/cli.ts"
import { settings } from "../src/config/settings.ts"
import { accountLineFields, itemLineFields, purchaseLineFields } from "../src/feed/feed-record.ts"
import { findDefault } from "../src/feed/normalize-record.ts"
import {
  findRecordField,
  listCommonFields,
  type RecordField,
  type RecordType,
} from "../src/pull/row-reader.ts"
import { createMetrics, listMetricFamilies } from "../src/usage/metrics.ts"

type Row = readonly string[]
type Alert = Readonly<{ alert: string; annotations: Readonly<{ cause: string; action: string }> }>
type AlertFile = Readonly<{ groups: readonly Readonly<{ rules: readonly Alert[] }>[] }>
const root = join(import.meta.dir, "..")
const code = (text: string) => `\`${text}\``

const commandRows = await Promise.all(
  commands.map(async (command) => [code(await renderUsage(command)), command.summary]),
)

const tables: Readonly<Record<string, () => readonly Row[]>> = {
  settings: () => [
    ["setting", "default", "meaning"],
    ...settings.map(({ names, defaultText, meaning }) => [
      names.map(code).join(" or "),
      defaultText,
      meaning,
    ]),
  ],
  commands: () => [["command", "description"], ...commandRows],
  alerts: () => [["alert", "likely cause", "what to do"], ...listAlerts()],
  "account-fields": () => listFields("account", accountLineFields),
  "item-fields": () => listFields("item", itemLineFields),
  "purchase-fields": () => listFields("purchase", purchaseLineFields),
  metrics: () => [["metric", "type", "meaning"], ...listMetrics()],
}

const typeNames: Readonly<Record<RecordField["kind"], string>> = {
  text: "string",
  link: "URL",
  number: "number",
  flag: "boolean",
  timestamp: "timestamp",
  texts: "array of strings",
  links: "array of URLs",
  "link map": "object of URLs",
}

/** Documented once for all record types. */
const commonFields: readonly string[] = ["type", "patch", "deleted", "as_of"]

/** Fields with the same type and default share a row. */
function listFields(type: RecordType, fields: Readonly<Record<string, unknown>>): readonly Row[] {
  const usual = listCommonFields(type)
  const others = Object.keys(fields).filter(
    (name) =>
      !commonFields.includes(name) &&
      !usual.some((each) => each === name || each.startsWith(`${name}.`)),
  )
  const rows = [...usual, ...others].flatMap((name): readonly Row[] => {
    const field = findRecordField(type, name)
    return field === null ? [] : [[code(name), typeNames[field.kind], defaultOf(type, name)]]
  })
  const groups = Map.groupBy(rows, ([, kind, preset]) => `${kind} ${preset}`)
  const merged = [...groups.values()].map((group) => [
    group.map(([name]) => name).join(", "),
    ...(group[0]?.slice(1) ?? []),
  ])
  const isRequired = (row: Row) => row.at(-1) === "required"
  const sorted = [...merged.filter(isRequired), ...merged.filter((row) => !isRequired(row))]
  return [["field", "type", "default"], ...sorted]
}

function defaultOf(type: RecordType, name: string): string {
  const preset = findDefault(type, name, { username: "USERNAME", id: "ID" })
  if (preset !== undefined)
    return code(typeof preset === "string" && preset !== "" ? preset : JSON.stringify(preset))
  return findRecordField(type, name)?.isRequired && !name.startsWith("media.")
    ? "required"
    : "optional"
}

/** Alertmanager shows the same texts. */
function listAlerts(): readonly Row[] {
  const text = readFileSync(join(root, "deploy/prometheus/alerts.yml"), "utf8")
  const { groups } = Bun.YAML.parse(text) as AlertFile
  return groups
    .flatMap(({ rules }) => rules)
    .map(({ alert, annotations: { cause, action } }) => [code(alert), cause, action])
}

function listMetrics(): readonly Row[] {
  return listMetricFamilies(createMetrics(), "", null).map(
    ({ name, type, help, samples: [sample] }) => {
      const labels = Object.keys(sample?.labels ?? {}).filter((label) => label !== "le")
      return [code(`${name}${labels.length === 0 ? "" : `{${labels.join(",")}}`}`), type, help]
    },
  )
}

/** Pads cells to the width of their column, as the formatter of this repository does. */
function renderTable([head = [], ...rows]: readonly Row[]): string {
  const escaped = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll("|", "\\|")))
  const widths = head.map((_, at) => Math.max(...escaped.map((row) => row[at]?.length ?? 0), 3))
  const line = (row: Row) =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`
  const [first = [], ...others] = escaped
  return [first, widths.map((width) => "-".repeat(width)), ...others].map(line).join("\n")
}

export const documents = [...new Bun.Glob("docs/**/*.md").scanSync(root)].map((file) =>
  join(root, file),
)

export function renderDocument(text: string): string {
  return text.replaceAll(/<!-- table: ([\w-]+) -->.*?<!-- \/table -->/gs, (_, name: string) => {
    const rows = tables[name]
    if (rows === undefined) throw new Error(`unknown table ${name}`)
    return `<!-- table: ${name} -->\n\n${renderTable(rows())}\n\n<!-- /table -->`
  })
}

if (import.meta.main) {
  for (const file of documents) {
    const text = await Bun.file(file).text()
    const rendered = renderDocument(text)
    if (rendered !== text) await Bun.write(file, rendered)
  }
}
