import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"

const root = join(import.meta.dir, "..")
const sources = ["src", "sdk/src"].flatMap((folder) => [
  ...new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scanSync(root),
])
const isTest = (file: string) => /\.(test|contract)\.tsx?$/.test(file)
const modules = sources.filter((file) => file !== "src/main.ts" && !isTest(file))
const text = (file: string) => readFileSync(join(root, file), "utf8")

type Import = Readonly<{ from: string; to: string }>

const imports: readonly Import[] = sources
  .filter((file) => !isTest(file))
  .flatMap((from) =>
    [...text(from).matchAll(/(?:from|import)(?:\s+|\s*\()"([^"]+)"/g)].map(([, target = ""]) => ({
      from,
      to: target.startsWith(".") ? normalize(join(dirname(from), target)) : target,
    })),
  )

/** The allowed prefixes of imports, by folder. `node:` modules are allowed by name. */
const mayImport: readonly Readonly<{ from: string; to: readonly string[] }>[] = [
  // The client defines the types of requests and responses.
  { from: "src/domain/", to: ["src/domain/", "sdk/src/wire.ts", "node:net"] },
  { from: "sdk/src/", to: ["sdk/src/"] },
  { from: "src/operations/", to: ["src/domain/", "src/operations/"] },
  { from: "src/store/open-store.ts", to: ["src/domain/", "src/store/"] },
  { from: "src/store/sql/", to: ["src/domain/", "src/store/sql/"] },
  {
    from: "src/store/sqlite/",
    to: ["src/domain/", "src/store/sql/", "src/store/sqlite/", "bun:sqlite", "node:"],
  },
  {
    from: "src/store/postgres/",
    to: ["src/domain/", "src/store/sql/", "src/store/postgres/", "pg"],
  },
  { from: "src/feed/", to: ["src/domain/", "src/feed/", "node:"] },
  {
    from: "src/pull/",
    to: ["src/domain/", "src/feed/", "src/pull/", "mysql2", "pg", "bun:sqlite", "entities"],
  },
  {
    from: "src/config/",
    to: [
      "src/config/",
      "src/domain/",
      "src/platform/",
      "src/secrets/",
      "src/store/open-store.ts",
      "node:",
    ],
  },
  { from: "src/secrets/", to: ["src/domain/", "src/secrets/", "node:"] },
  { from: "src/signing/", to: ["src/domain/", "src/signing/", "node:"] },
  { from: "src/limits/", to: ["src/domain/", "src/limits/"] },
  { from: "src/mail/", to: ["src/domain/", "src/mail/", "node:", "nodemailer"] },
  { from: "src/people/", to: ["src/domain/", "src/people/", "oauth4webapi"] },
  { from: "src/webhooks/", to: ["src/domain/", "src/webhooks/", "node:"] },
  { from: "src/counters/", to: ["src/domain/", "src/counters/", "node:"] },
  {
    from: "src/http/",
    to: [
      "src/domain/",
      "src/operations/",
      "src/feed/",
      "src/http/",
      "src/platform/",
      "src/counters/",
      "clients/php/",
      "docs/",
      "node:",
      "hono",
      "minisearch",
      "uqr",
    ],
  },
]

/** A subject of the domain imports only itself and the subjects before it. */
const subjects = [
  "values",
  "catalog",
  "events",
  "keys",
  "mail",
  "sign-in",
  "usage",
  "feed",
  "limits",
  "health",
]

function loadedWith(first: string): readonly string[] {
  const reached = new Set([first])
  for (const file of reached) {
    const source = text(file).replaceAll(/^import type [^"]*"[^"]+"$/gm, "")
    for (const [, target = ""] of source.matchAll(/^(?:import|\}) .*from "(\.[^"]+)"/gm)) {
      reached.add(normalize(join(dirname(file), target)))
    }
  }
  return [...reached]
}

const show = ({ from, to }: Import) => `${from} imports ${to}`

test("there are files to check, and imports in them", () => {
  expect(modules).toContain("src/store/store.ts")
  expect(imports).toContainEqual({ from: "src/store/open-store.ts", to: "src/store/store.ts" })
})

describe("imports point inward", () => {
  test.each(mayImport)("$from imports only allowed modules", ({ from, to }) => {
    const own = imports.filter((found) => found.from.startsWith(from))
    expect(own).not.toEqual([])
    const strays = own.filter((found) => !to.some((start) => found.to.startsWith(start)))
    expect(strays.map(show)).toEqual([])
  })

  const onlyFrom = [
    { module: /^bun:sqlite$/, home: /^src\/(store\/sqlite\/|pull\/sqlite-source\.ts$)/ },
    { module: /^pg$/, home: /^src\/(store\/postgres\/|pull\/postgres-source\.ts$)/ },
    { module: /^mysql2/, home: /^src\/pull\/mysql-source\.ts$/ },
    { module: /^entities/, home: /^src\/pull\/strip-html\.ts$/ },
    { module: /^minisearch$/, home: /^src\/http\/docs\/search\.ts$/ },
    { module: /^oauth4webapi$/, home: /^src\/oidc\// },
    { module: /^uqr$/, home: /^src\/http\/pages\/app\/security-page\.tsx$/ },
    {
      module: /^hono/,
      home: /^src\/http\/(pages\/|buyer\/|workspace\/|docs\/|console\/|api\/response\/compression)/,
    },
    {
      module: /^src\/store\/(sqlite|postgres)\//,
      home: /^src\/store\/(open\.ts|sqlite\/|postgres\/)/,
    },
  ]
  test.each(onlyFrom)("$module is imported only from $home", ({ module, home }) => {
    const found = imports.filter(({ to }) => module.test(to))
    expect(found).not.toEqual([])
    expect(found.filter(({ from }) => !home.test(from)).map(show)).toEqual([])
  })

  test("nothing imports main.ts", () => {
    expect(imports.filter(({ to }) => to === "src/main.ts").map(show)).toEqual([])
  })

  test("a subject of the domain imports only subjects before it", () => {
    const folders = sources.filter((file) => /^src\/domain\/.*\//.test(file))
    expect(new Set(folders.map((file) => file.split("/")[2]))).toEqual(new Set(subjects))
    const subjectOf = (file: string) => subjects.indexOf(file.split("/")[2] ?? "")
    const strays = imports.filter(
      ({ from, to }) =>
        from.startsWith("src/domain/") &&
        to.startsWith("src/domain/") &&
        from !== "src/store/store.ts" &&
        (subjectOf(to) === -1 || subjectOf(to) > subjectOf(from)),
    )
    expect(strays.map(show)).toEqual([])
  })

  test("`pazar version` and `pazar help` load no command", () => {
    const may =
      /^src\/(main\.ts|config\/settings\.ts|domain\/values\/|cli\/([\w-]+\.ts|framework\/(command|control-characters)\.ts))/
    const loaded = loadedWith("src/main.ts")
    expect(loaded.filter((file) => !may.test(file))).toEqual([])
  })

  test("a server on SQLite responds before it loads pages, descriptions or the PostgreSQL adapter", () => {
    const later =
      /^src\/(http\/(pages\/(?!paths)|workspace\/|console\/|docs\/)|http\/openapi\/(?!openapi-handlers)|store\/postgres\/(?!connection\/hosts))/
    const loaded = loadedWith("src/server/serve-commands.ts")
    expect(loaded.filter((file) => later.test(file))).toEqual([])
  })

  test("workspace, console and docs do not import each other", () => {
    const roomOf = (file: string) => /^src\/http\/(workspace|console|docs)\//.exec(file)?.[1]
    const strays = imports.filter(({ from, to }) => {
      const [room, other] = [roomOf(from), roomOf(to)]
      return room !== undefined && other !== undefined && room !== other
    })
    expect(strays.map(show)).toEqual([])
  })

  test("no two folders import each other", () => {
    const between = new Set(imports.map(({ from, to }) => `${dirname(from)} ${dirname(to)}`))
    const mutual = [...between].filter((pair) => {
      const [from, to] = pair.split(" ")
      return from !== to && between.has(`${to} ${from}`)
    })
    expect(mutual).toEqual([])
  })

  test("no file imports itself, directly or indirectly", () => {
    const next = Map.groupBy(imports, ({ from }) => from)
    const isReachable = (from: string, goal: string, seen: Set<string>): boolean =>
      (next.get(from) ?? []).some(({ to }) => {
        if (to === goal) return true
        if (seen.has(to)) return false
        seen.add(to)
        return isReachable(to, goal, seen)
      })
    expect(sources.filter((file) => isReachable(file, file, new Set()))).toEqual([])
  })
})

test("only main.ts reads the process", () => {
  const reading =
    /\b(process\.|Bun\.(env|argv|stdin|stdout|stderr|main)\b|import\.meta\.env)|[=(,:?] ?process\b|"(node:)?process"/
  const withoutComments = (file: string) => text(file).replaceAll(/\/\*.*?\*\/|\/\/ .*?$/gms, "")
  const readers = [...modules, "src/main.ts"].filter((file) => reading.test(withoutComments(file)))
  expect(readers).toEqual(["src/main.ts"])
  expect("const { pid } = process").toMatch(reading)
})
