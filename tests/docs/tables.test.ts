/** The tables of the API's reasons and of the clients' options, against the program and the clients. */
import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { DomainError, type Failure } from "../../src/domain/values/error.ts"
import { failureOutcome } from "../../src/http/api/answer/outcome.ts"
import { unservedOutcome } from "../../src/http/api/envato/answer-sale.ts"
import { en } from "../../src/http/openapi/translations/en.ts"

const root = join(import.meta.dir, "../..")
const read = (file: string) => readFileSync(join(root, file), "utf8")
const quotedIn = (cell = "") => [...cell.matchAll(/`([^`]+)`/g)].map(([, quoted = ""]) => quoted)

/** The cells of the table under a heading. */
function rowsOf(file: string, heading: string): readonly (readonly string[])[] {
  const [, section = ""] = read(file).split(`\n## ${heading}\n`)
  const [, ...rows] = (/(?:^\|.*\n)+/m.exec(section)?.[0] ?? "").trimEnd().split("\n").slice(1)
  return rows.map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

test("docs/api.md lists every reason with its statuses", () => {
  const variant = { locale: "en", isLocaleNegotiated: false, keyHeaders: "" } as const
  const failures = Object.keys(en.reasons).filter((name): name is Failure => name !== "ok")
  const statusOf = (error: unknown) => failureOutcome(error, null, variant, null).status
  const expected = [
    ...failures.map((reason) => `${statusOf(new DomainError(reason))} ${reason}`),
    ...["200 ok", "304 ok", `${statusOf(new Error())} unavailable`],
    `${unservedOutcome().status} unknown_path`,
  ]
  const listed = rowsOf("docs/api.md", "Errors").flatMap(([statuses = "", reasons]) =>
    statuses.split(", ").flatMap((status) => quotedIn(reasons).map((name) => `${status} ${name}`)),
  )
  expect(listed.toSorted()).toEqual(expected.toSorted())
})

describe("the options of the PHP client", () => {
  const [, declared = ""] =
    /\$defaults = \[(.*?)\];/s.exec(read("clients/php/src/options.php")) ?? []
  const defaults = new Map(
    [...declared.matchAll(/'(\w+)' => ([^,]+)/g)].map(([, name = "", value = ""]) => [name, value]),
  )
  /** Numbers, and texts that are not empty. */
  const literals = [...defaults]
    .map(([name, value]) => [name, value.replace("self::DAY", "86400").replace(/^'(.+)'$/, "`$1`")])
    .filter(([, value = ""]) => /^[\d`]/.test(value))
  const ofBoot = ["name", "title", "file", "network"]

  test.each([
    ["clients/php/README.md", "Options", []],
    ["src/http/docs/text/en/guides/clients.md", "Options of the PHP client", ofBoot],
    ["src/http/docs/text/tr/guides/clients.md", "PHP istemcisinin seçenekleri", ofBoot],
  ])("are all in %s, with their defaults", (file, heading, others) => {
    const rows = rowsOf(file, heading)
    expect(rows.flatMap(([name]) => quotedIn(name)).toSorted()).toEqual(
      [...defaults.keys(), ...others].toSorted(),
    )
    const listed = new Map(rows.map(([name, preset]) => [quotedIn(name)[0] ?? "", preset]))
    expect(literals.length).toBe(6)
    expect(literals.map(([name = ""]) => [name, listed.get(name)])).toEqual(literals)
  })
})

test("sdk/README.md lists the options of the TypeScript client, with their numbers", () => {
  const [, declared = ""] =
    /const \{\n(.*?)\.\.\.others\n {2}\} = options/s.exec(read("sdk/src/client.ts")) ?? []
  const options = [...declared.matchAll(/^ {4}(\w+)(?:: \w+)?(?: = ([^,\n]+))?,$/gm)]
  expect(options.length).toBeGreaterThan(5)
  const rows = rowsOf("sdk/README.md", "Options")
  expect(rows.flatMap(([name]) => quotedIn(name)).toSorted()).toEqual(
    options.map(([, name = ""]) => name).toSorted(),
  )
  const numbers = options
    .filter(([, , value = ""]) => /^\d/.test(value))
    .map(([, name = "", value = ""]) => [name, value.replaceAll("_", "")])
  const listed = rows
    .filter(([, preset = ""]) => /^\d/.test(preset))
    .map(([name, preset = ""]) => [quotedIn(name)[0] ?? "", preset])
  expect(numbers).not.toEqual([])
  expect(listed.toSorted()).toEqual(numbers.toSorted())
})
