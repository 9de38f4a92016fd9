/** Which file may import which. docs/architecture.md explains rooms and endings. */
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"

const rooms =
  `main.ts cli.ts demo server console workspace docs buyer doctor config store pull feed people purchases
  items api signing keys usage webhooks accounts mail access contract platform sdk`.split(/\s+/)
/** The endings apply to the rooms from `buyer` down, but not to those that combine subjects. */
const subjects = rooms
  .slice(rooms.indexOf("buyer"))
  .filter((room) => !["doctor", "config", "store", "api", "platform", "sdk"].includes(room))
/** A file may import these endings, and words: `key.ts` is a word, `key-store.ts` has an ending. */
const endings: Readonly<Record<string, readonly string[]>> = {
  word: [],
  operations: ["operations"],
  store: ["store"],
  endpoints: ["operations", "endpoints"],
  pages: ["operations", "endpoints", "pages"],
  commands: ["operations", "commands"],
}
/** Where a package may be imported. */
const packages: Readonly<Record<string, RegExp>> = {
  "bun:sqlite": /^(platform\/database|store|pull)\//,
  pg: /^(platform\/database|pull)\//,
  mysql2: /^pull\//,
  entities: /^pull\//,
  minisearch: /^docs\//,
  oauth4webapi: /^people\//,
  uqr: /^people\//,
  nodemailer: /^mail\//,
  hono: /\.tsx$|-pages\.ts$|^people\/cookies\.ts|^platform\/(pages\/|http\/compression\.ts)/,
}

const root = join(import.meta.dir, "..")
const files = ["src", "sdk/src"]
  .flatMap((folder) => [...new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scanSync(root)])
  .filter((file) => !/\.(test|contract|d)\.tsx?$/.test(file))
const statement =
  /^(?:import|export)( type)? (?:[\w\s,{}*]+ from )?"([^"]+)"|\bimport\("([^"]+)"\)/gm
const withoutSrc = (path: string) => path.replace(/^src\//, "")

const imports = files.flatMap((file) =>
  [...readFileSync(join(root, file), "utf8").matchAll(statement)].map((found) => {
    const [, type, early, late = ""] = found
    const target = early ?? late
    return {
      from: withoutSrc(file),
      to: withoutSrc(target.startsWith(".") ? join(dirname(file), target) : target),
      /** When `from` is loaded, not later. */
      isLoaded: type === undefined && early !== undefined,
    }
  }),
)
const inside = imports.filter(({ to }) => files.some((file) => withoutSrc(file) === to))

const firstOf = (path: string) => path.split("/")[0] ?? ""
const endingOf = (file: string) =>
  /-(operations|store|endpoints|commands)(?:-\w+)?\.ts$/.exec(file)?.[1] ??
  (/-pages\.ts$|\.tsx$/.test(file) ? "pages" : "word")

function expectNone(strays: readonly Readonly<{ from: string; to: string }>[]) {
  const pairs = strays.map(({ from, to }) => `${from} ${to}`)
  expect(pairs).toEqual([])
}

test("a room imports only itself and lower rooms", () => {
  const floor = (file: string) => rooms.indexOf(firstOf(file))
  expectNone(inside.filter(({ from, to }) => floor(to) < floor(from)))
})

test("in platform, folders import themselves and values such as time.ts; pages also http", () => {
  const folderOf = (file: string) => /^platform\/(\w+)\//.exec(file)?.[1] ?? "values"
  const allowed = (from: string) => [from, "values", ...(from === "pages" ? ["http"] : [])]
  const between = inside.filter((each) =>
    [each.from, each.to].every((f) => firstOf(f) === "platform"),
  )
  expectNone(between.filter(({ from, to }) => !allowed(folderOf(from)).includes(folderOf(to))))
})

test("the ending of a file says what it may import", () => {
  const isForeign = (from: string, to: string) => ![...(endings[from] ?? []), "word"].includes(to)
  const between = inside.filter(
    ({ from, to }) =>
      subjects.includes(firstOf(from)) && !["api", "platform", "sdk"].includes(firstOf(to)),
  )
  expectNone(between.filter(({ from, to }) => isForeign(endingOf(from), endingOf(to))))
})

test("each package is imported in its place only", () => {
  const outside = imports.filter(({ to }) => !to.startsWith("node:") && !/\.\w+$/.test(to))
  expectNone(outside.filter(({ from, to }) => !packages[firstOf(to)]?.test(from)))
})

function listReached(first: string, steps = inside): ReadonlySet<string> {
  const next = Map.groupBy(steps, ({ from }) => from)
  const reached = new Set([first])
  for (const file of reached) for (const { to } of next.get(file) ?? []) reached.add(to)
  return reached
}

test("no file imports itself, directly or indirectly", () => {
  const targets = new Set(inside.map(({ to }) => to))
  const reached = new Map([...targets].map((file) => [file, listReached(file)]))
  expectNone(inside.filter(({ from, to }) => reached.get(to)?.has(from)))
})

const listLoaded = (first: string) => [
  ...listReached(
    first,
    inside.filter(({ isLoaded }) => isLoaded),
  ),
]

test("`pazar version` and `pazar help` load no command", () => {
  const loaded = listLoaded("main.ts")
  expect(loaded).toContain("cli.ts")
  const light = /^(main|cli|platform\/[\w-]+|platform\/cli\/[\w-]+)\.ts$/
  expect(loaded.filter((file) => !light.test(file))).toEqual([])
})

test("a server on SQLite responds before it loads pages, descriptions or the PostgreSQL adapter", () => {
  const loaded = listLoaded("server/serve-commands.ts")
  expect(loaded).toContain("store/sqlite.ts")
  const later =
    /\.tsx$|^platform\/pages\/|^contract\/openapi|^docs\/(?!openapi-endpoints)|postgres(?!-hosts)/
  expect(loaded.filter((file) => later.test(file))).toEqual([])
})
