/** The last whole report, for the documents and the model that take their figures from it. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { type Laps, medianOf } from "./race.ts"
import type { Report, Section } from "./report.ts"
import { median } from "./statistics.ts"

/** Written by `renderJson`. */
export const results: Omit<Report, "measuredAt"> = JSON.parse(
  readFileSync(join(import.meta.dir, "../results.json"), "utf8"),
)

function findSection(part: string): Section {
  const section = results.sections.find(({ name }) => name === part)
  if (section === undefined) throw new Error(`the report has no part ${part}`)
  return section
}

/** By the name of the server, or by its place in the table. */
export function findLaps(part: string, server: string | number): Laps {
  const { laps } = findSection(part)
  const found = typeof server === "number" ? laps[server] : laps.find(({ name }) => name === server)
  if (found === undefined) throw new Error(`${part} has no server ${server}`)
  return found
}

/** The many purchases of `postgres-growth`, and what a validation among them costs node and database. */
export function postgresCosts() {
  const laps = findLaps("postgres-growth", 1)
  const database = median(laps.databaseMicros)
  const node = medianOf(laps, "cpuMicros") - database
  return { purchases: Number.parseInt(laps.name, 10), node, database }
}
