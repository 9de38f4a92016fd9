/** What the documents name: files and folders, commands with their options, variables, metrics and alerts. */
import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { commands } from "../../src/cli/commands.ts"
import { knownSettings } from "../../src/config/settings.ts"

const root = join(import.meta.dir, "../..")
const scan = (pattern: string) => [
  ...new Bun.Glob(pattern).scanSync({ cwd: root, onlyFiles: false }),
]
const read = (file: string) => readFileSync(join(root, file), "utf8")
const quotedIn = (text: string) =>
  [...text.matchAll(/`([^`\n]+)`/g)].map(([, quoted = ""]) => quoted)
const ours = ["CONTRIBUTING.md", "SECURITY.md", "README.md", ...scan("docs/**/*.md")]
const documents = [
  ...ours,
  ...["deploy/README.md", "sdk/README.md", "clients/php/README.md"],
  ...scan("examples/**/README.md"),
  ...scan("src/http/docs/text/**/*.md"),
]

const path =
  /^(?:(?:bench|bin|clients|deploy|docs|examples|man|scripts|sdk|src|tests)\/[\w./*-]*|[\w./*-]+\.(?:tsx?|mjs))$/
/** `x.test.ts` and `*.contract.ts` are names of any file. */
const isAnyFile = (word: string) => /^[x*]\./.test(word)

const pathsIn = (text: string) =>
  quotedIn(text)
    .flatMap((quoted) => quoted.split(" "))
    .filter((word) => path.test(word) && !isAnyFile(word))

test.each(ours)("%s names only files and folders that are there", (document) => {
  let folder = "."
  const missing = pathsIn(read(document)).filter((word) => {
    // A file without a folder is in that of the path before it, or below.
    if (!word.includes("/")) return scan(`${folder}/**/${word}`).length === 0
    folder = word.endsWith("/") ? word : dirname(word)
    return scan(word.replace(/\/$/, "")).length === 0
  })
  expect(missing).toEqual([])
})

/** Options of `npx`, of Node and of the program itself. */
const ofAll = ["--help", "--version"]
const byLength = commands.toSorted((a, b) => b.name.length - a.name.length)
const findCommand = (text: string) => byLength.find(({ name }) => `${text} `.startsWith(`${name} `))

/** Every use of a command, in a block or in backticks, up to where the shell begins another. */
function usesIn(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^```\w*\n(.*?)^```$/gms)].map(([, lines = ""]) => lines)
  const quoted = quotedIn(text.replace(/^```.*?^```$/gms, ""))
  const called = [
    ...blocks.flatMap((lines) => lines.replaceAll("\\\n", " ").split("\n")),
    ...quoted,
  ]
    .flatMap((line) => [...line.matchAll(/\bpazar(?:-as-service|:[\d.]+)? ([a-z].*)/g)])
    .map(([, rest = ""]) => rest)
  return [...called, ...quoted]
    .map((use) => use.split(/ [|&;<>]|[);]| {3}/)[0] ?? "")
    .filter((use) => findCommand(use) !== undefined)
}

const callsIn = (text: string) =>
  [...text.matchAll(/(?:npx |`|\$ )pazar ([a-z][a-z-]*(?: [a-z][a-z-]*)?)/g)].map(
    ([, name = ""]) => name,
  )

const namesIn = (text: string) =>
  text.match(/\b(?:PAZAR_[A-Z_]+|pazar_[a-z_]{2,}[a-z]|Pazar[A-Z][a-z]+[A-Z]\w+)\b/g) ?? []

test.each([
  ["paths", pathsIn],
  ["uses of commands", usesIn],
  ["calls of commands", callsIn],
  ["settings, metrics and alerts", namesIn],
] as const)("the search for %s finds many", (_, search) => {
  expect(documents.map(read).flatMap(search).length).toBeGreaterThan(100)
})

describe.each(documents)("%s", (document) => {
  const text = read(document)

  test("gives commands only options that they have", () => {
    const wrong = usesIn(text).filter((use) => {
      const known = [...(findCommand(use)?.usage.match(/--[a-z][a-z-]*/g) ?? []), ...ofAll]
      return (use.match(/(?<!\S)--[a-z][a-z-]*/g) ?? []).some((option) => !known.includes(option))
    })
    expect(wrong).toEqual([])
  })

  test("calls no command that does not exist", () => {
    expect(callsIn(text).filter((name) => !isCommand(name))).toEqual([])
  })
})

test("docs/feed.md lists the options of an import", () => {
  const [, section = ""] = read("docs/feed.md").split("\n## Importing\n")
  const listed = [...section.matchAll(/^\| `(--[a-z-]+)/gm)].map(([, option]) => option)
  const usage = commands.find(({ name }) => name === "import")?.usage ?? ""
  expect(listed.length).toBeGreaterThan(5)
  expect(listed.toSorted()).toEqual((usage.match(/--[a-z][a-z-]*/g) ?? []).toSorted())
})

test("docs/operating/monitoring.md lists the checks of doctor", () => {
  const sources = scan("src/doctor/{check-*,examine}.ts").map(read).join("\n")
  const made = /(?:\b(?:ok|warning|problem)\(|\bcheck = )"([A-Za-z ]+)"/g
  const checks = [...sources.matchAll(made)].map(([, name = ""]) => name)
  const [, section = ""] = read("docs/operating/monitoring.md").split("\n## Looking for problems\n")
  const [table = ""] = section.split("\n## ")
  const listed = [...table.matchAll(/^\| `([A-Za-z ]+)`/gm)].map(([, name = ""]) => name)
  expect(listed.length).toBeGreaterThan(10)
  expect(listed.toSorted()).toEqual([...new Set(checks)].toSorted())
})

test("docs/operating/monitoring.md lists the messages of the log, with their levels", () => {
  const sources = scan("src/**/*.{ts,tsx}").filter((file) => !/\.(?:test|contract)\./.test(file))
  const written = /\b(log\.info|log\.warn|log\.error|log\.failure|holdFailure)\(\s*"([^"]+)"/g
  const levels: Readonly<Record<string, string>> = { "log.info": "info", "log.warn": "warn" }
  const messages = [...sources.map(read).join("\n").matchAll(written)].map(
    ([, call = "", message]) => `${message}: ${levels[call] ?? "error"}`,
  )
  const [, section = ""] = read("docs/operating/monitoring.md").split("\n## The log\n")
  const [table = ""] = section.split("\n## ")
  const listed = [...table.matchAll(/^\| (`.+?) +\| `(info|warn|error)` /gm)].flatMap(
    ([, cell = "", level]) => quotedIn(cell).map((message) => `${message}: ${level}`),
  )
  expect(messages.length).toBeGreaterThan(10)
  expect(listed.toSorted()).toEqual([...messages, "other failures: error"].toSorted())
})

test("bench/README.md lists the parts of the benchmark", () => {
  const sources = scan("bench/parts/*.ts").map(read).join("\n")
  const parts = [...sources.matchAll(/: Part = \{\n {2}name: "([a-z-]+)"/g)].map(
    ([, name = ""]) => name,
  )
  const [, section = ""] = read("bench/README.md").split("\n## The parts\n")
  const rows = section.split("\n").filter((line) => line.startsWith("| `"))
  const listed = rows.flatMap((row) => quotedIn(row.split(" | ")[0] ?? ""))
  expect(listed.length).toBeGreaterThan(10)
  expect(listed.toSorted()).toEqual(parts.toSorted())
})

/** Those of the clients are other names. */
test.each(documents.filter((file) => !/^(?:sdk|clients|src)\//.test(file)))(
  "%s names only settings, metrics and alerts that there are",
  (document) => {
    expect(namesIn(read(document)).filter((name) => !known.has(name))).toEqual([])
  },
)

/** The first word of a group is enough, and so is a command with an argument after it. */
function isCommand(text: string): boolean {
  const [first = ""] = text.split(" ")
  const group = commands.map(({ name }) => name).filter((name) => name.split(" ")[0] === first)
  return (
    first === "help" ||
    group.some((name) => [text, first].includes(name)) ||
    (text === first && group.length > 0)
  )
}

const metrics = [...read("docs/operating/monitoring.md").matchAll(/^\| `(pazar_\w+)/gm)]
const alerts = [...read("deploy/prometheus/alerts.yml").matchAll(/alert: (\w+)/g)]
const known = new Set([
  ...knownSettings,
  ...metrics.map(([, name = ""]) => name),
  ...alerts.map(([, name = ""]) => name),
  // Of the tests, of the outbox and of other programs.
  ...[
    "PAZAR_TEST_STORE",
    "PAZAR_URL",
    "pazar_outbox",
    "pazar_before",
    "PazarOutbox",
    "pazar_php_copies",
  ],
])
