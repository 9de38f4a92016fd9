/**
 * The figures in the documents are those of the last report. After a new one, this test says which sentences have
 * to change, and how.
 */
import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { medianOf } from "../../bench/report/race.ts"
import { findFinding, findLaps, postgresCosts, results } from "../../bench/report/results.ts"

const root = join(import.meta.dir, "../..")
const inOneLine = (text: string) => text.replace(/\s+/g, " ")

const count = (value: number) => Math.round(value).toLocaleString("en")
const digits = (value: number, length: number) => count(Number(value.toPrecision(length)))
const rate = (part: string, server: string | number, length = 2) =>
  digits(medianOf(findLaps(part, server), "rates"), length)
const micros = (part: string, server: string | number) =>
  count(medianOf(findLaps(part, server), "cpuMicros"))
const value = (part: string, start: string) => findFinding(part, start).value ?? Number.NaN
const ratio = (part: string, start: string) => value(part, start).toFixed(2)
const purchases = (part: string, server: number) =>
  count(Number.parseInt(findLaps(part, server).name, 10))

const { version, commit } = results.program
const { node, database } = postgresCosts()
const growth = "postgres-growth"
const memoryByMinute = findFinding("memory", "private memory after").note.match(/\d+/g) ?? []
const [, startThroughNode] =
  /through Node (\d+) ms/.exec(findFinding("start", "start to the first answer").note) ?? []
const [importedEachSecond = ""] = findFinding("import", "import").note.split(" ")

const sentences: Readonly<Record<string, readonly string[]>> = {
  "README.md": [
    `One core validates ${rate("validation", "pazar")} codes a second, ${ratio("validation", "validation, against the limit")} of what a server with a constant answer does.`,
    `A server starts in ${count(value("start", "start to the first answer"))} ms (${startThroughNode} by \`npx\`) and takes ${count(value("memory", "private memory of one node"))} MB at rest (version ${version}; [the whole report](bench/results.md)).`,
  ],
  "docs/operating/sizes.md": [
    `A node takes some ${digits(Number(memoryByMinute.at(-1)), 1)} MB of its own under load`,
    `One slow core validates about ${rate("validation", "pazar")} codes a second`,
    `a million sold products are ${count(1_000_000 / 86_400)} questions a second`,
  ],
  "docs/scaling.md": [
    `Measured by \`npm run bench\` with version ${version}, commit ${commit}; \`bench/results.md\` has the whole report.`,
    `On SQLite, one core: about ${rate("validation", "pazar")} validations a second at ${micros("validation", "pazar")} µs of CPU each; a server that reads the request and returns constant bytes takes ${micros("validation", "limit")} µs.`,
    `Items are read ${rate("item", "pazar")} times a second and accounts ${rate("account", "pazar")} times.`,
    `A list that is asked for again is sent ${ratio("list", "list of 1,000")} times as fast as constant bytes.`,
    `A feed is imported at ${digits(Number(importedEachSecond), 2)} lines a second.`,
    `Two cores answer ${ratio("cores", "validation on two cores")} times as many validations as one.`,
    `| | ${purchases(growth, 0)} purchases | ${purchases(growth, 1)} purchases |`,
    `| CPU of both, a validation | ${micros(growth, 0)} µs | ${micros(growth, 1)} µs |`,
    `| validations a second | ${rate(growth, 0, 3)} | ${rate(growth, 1, 3)} |`,
    `Round by round, a validation among many purchases costs ${ratio(growth, "CPU a validation")} times what it does among few, and ${count((100 * database) / (node + database))} % of it is the database's.`,
    `With a million purchases on both, PostgreSQL answers ${ratio("postgres", "validation on PostgreSQL")} times as many validations as SQLite.`,
    `A validation costs a node about ${(node / database).toFixed(1)} times what it costs a database server`,
  ],
}

/** `2 cores, 4 GB and 2 nodes`, `5 million`, `300,000`. */
const numberBefore = (text: string, unit: string) =>
  Number(new RegExp(`([\\d,]+) ${unit}`).exec(text)?.[1]?.replaceAll(",", ""))
const amountOf = (text: string) =>
  numberBefore(`${text} `, "") * (text.endsWith(" million") ? 1_000_000 : 1)

describe("docs/operating/sizes.md: what a machine carries", () => {
  const page = readFileSync(join(root, "docs/operating/sizes.md"), "utf8")
  const rows = page
    .split("\n")
    .filter((line) => /^\| \d+ cores?, /.test(line))
    .map((line) => line.split("|").map((cell) => cell.trim()))
  const bytesEach = numberBefore(page, "bytes a purchase")
  /** Codes a second on one core. */
  const measured = Number(rate("validation", "pazar").replaceAll(",", ""))

  test.each(rows)("%s%s, %s", (_, machine = "", _store, purchases = "", products = "") => {
    const memoryBytes = machine.includes(" MB")
      ? numberBefore(machine, "MB") * 1024 ** 2
      : numberBefore(machine, "GB") * 1024 ** 3
    expect(amountOf(purchases) * bytesEach).toBeLessThanOrEqual(memoryBytes)
    // Once a day each, and ten times the mean at the busiest moment.
    const questions = (10 * amountOf(products)) / 86_400
    expect(questions).toBeLessThanOrEqual(measured * numberBefore(machine, "cores?"))
  })

  test("it lists machines", () => {
    expect(rows.length).toBeGreaterThan(2)
  })
})

test.each(Object.entries(sentences))("%s has the figures of the report", (document, expected) => {
  const text = inOneLine(readFileSync(join(root, document), "utf8"))
  expect(expected.filter((sentence) => !text.includes(sentence))).toEqual([])
})
