/** The house rules that a machine can check. */
import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { basename, dirname, join, normalize } from "node:path"
import manifest from "../package.json"
import { migrations as postgresMigrations } from "../src/store/postgres/migrations/migrations.ts"
import type { Migration } from "../src/store/sql/migrate.ts"
import { migrations as sqliteMigrations } from "../src/store/sqlite/migrations/migrations.ts"

const root = join(import.meta.dir, "..")
const files = [
  ...new Bun.Glob("{src,tests,scripts,bin,bench,sdk}/**/*.{ts,tsx,mjs,sql,css}").scanSync(root),
].filter((file) => !/(^|\/)(node_modules|dist)\//.test(file))
const sources = files.filter((file) => /^(src|sdk\/src)\/.*\.tsx?$/.test(file))
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

/** For files under `from`: what their imports may start with. `node:` is allowed by name. */
const mayImport: readonly Readonly<{ from: string; to: readonly string[] }>[] = [
  // The client owns the types of what travels between the two.
  { from: "src/domain/", to: ["src/domain/", "sdk/src/wire.ts"] },
  { from: "sdk/src/", to: ["sdk/src/"] },
  { from: "src/operations/", to: ["src/domain/", "src/operations/"] },
  { from: "src/store/open.ts", to: ["src/domain/", "src/store/"] },
  { from: "src/store/contracts/", to: ["src/domain/", "src/store/contracts/"] },
  { from: "src/store/sql/", to: ["src/domain/", "src/store/sql/"] },
  {
    from: "src/store/sqlite/",
    to: ["src/domain/", "src/store/sql/", "src/store/sqlite/", "bun:sqlite", "node:"],
  },
  {
    from: "src/store/postgres/",
    to: ["src/domain/", "src/store/sql/", "src/store/postgres/", "pg"],
  },
  { from: "src/feed/", to: ["src/domain/", "src/feed/"] },
  {
    from: "src/pull/",
    to: ["src/domain/", "src/feed/", "src/pull/", "mysql2", "pg", "bun:sqlite", "entities"],
  },
  { from: "src/secrets/", to: ["src/domain/", "src/secrets/", "node:"] },
  { from: "src/signing/", to: ["src/domain/", "src/signing/", "node:"] },
  { from: "src/rate-limits/", to: ["src/domain/", "src/rate-limits/", "node:"] },
  { from: "src/webhooks/", to: ["src/domain/", "src/webhooks/", "node:"] },
  { from: "src/load-shedding/", to: ["src/domain/", "src/load-shedding/", "node:"] },
  { from: "src/sign-in-throttles/", to: ["src/domain/", "src/sign-in-throttles/"] },
  { from: "src/usage/", to: ["src/domain/", "src/usage/", "src/metrics/"] },
  { from: "src/metrics/", to: ["src/domain/", "src/metrics/", "node:"] },
  {
    from: "src/http/",
    to: [
      "src/domain/",
      "src/operations/",
      "src/feed/",
      "src/http/",
      "src/log/",
      "src/metrics/",
      "src/usage/",
      "clients/php/",
      "node:",
      "hono",
      "uqr",
    ],
  },
]

/** Inside the domain a subject imports only itself and those before it. */
const subjects = ["values", "catalogue", "events", "keys", "sign-in", "usage", "feed", "running"]

/** The modules that are loaded before the first line of this one runs. */
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

test("there are files to look at, and imports in them", () => {
  expect(modules.length).toBeGreaterThan(400)
  expect(files.filter(isTest).length).toBeGreaterThan(300)
  expect(imports.length).toBeGreaterThan(2_000)
})

describe("imports point inward", () => {
  test.each(mayImport)("$from imports only what it may", ({ from, to }) => {
    const own = imports.filter((found) => found.from.startsWith(from))
    expect(own).not.toEqual([])
    const strays = own.filter((found) => !to.some((start) => found.to.startsWith(start)))
    expect(strays.map(show)).toEqual([])
  })

  const onlyFrom = [
    { module: /^bun:sqlite$/, home: /^src\/(store\/sqlite\/|pull\/sqlite\.ts$)/ },
    { module: /^pg$/, home: /^src\/(store\/postgres\/|pull\/postgres\.ts$)/ },
    { module: /^mysql2/, home: /^src\/pull\/mysql\.ts$/ },
    { module: /^entities/, home: /^src\/pull\/strip-html\.ts$/ },
    { module: /^uqr$/, home: /^src\/http\/pages\/app\/second-factor\.tsx$/ },
    { module: /^hono/, home: /^src\/http\/(pages|workspace|docs|console)\// },
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

  test("a subject of the domain imports only those before it", () => {
    const folders = sources.filter((file) => /^src\/domain\/.*\//.test(file))
    expect(new Set(folders.map((file) => file.split("/")[2]))).toEqual(new Set(subjects))
    const subjectOf = (file: string) => subjects.indexOf(file.split("/")[2] ?? "")
    const strays = imports.filter(
      ({ from, to }) =>
        from.startsWith("src/domain/") &&
        to.startsWith("src/domain/") &&
        from !== "src/domain/store.ts" &&
        (subjectOf(to) === -1 || subjectOf(to) > subjectOf(from)),
    )
    expect(strays.map(show)).toEqual([])
  })

  test("`pazar version` and `pazar help` load no command", () => {
    const may =
      /^src\/(main\.ts|domain\/(values\/|catalogue\/sites\.ts)|cli\/([\w-]+\.ts|declarations\/|frame\/(command|printable)\.ts))/
    const loaded = loadedWith("src/main.ts")
    expect(loaded.filter((file) => !may.test(file))).toEqual([])
    expect(loaded.length).toBeGreaterThan(10)
  })

  test("a server on SQLite answers before it loads pages, descriptions or the other store", () => {
    const later =
      /^src\/(http\/(pages\/(?!paths)|workspace\/|console\/|docs\/)|http\/openapi\/(?!handlers)|store\/postgres\/(?!connection\/hosts))/
    const loaded = loadedWith("src/cli/running/serve.ts")
    expect(loaded.filter((file) => later.test(file))).toEqual([])
    expect(loaded.length).toBeGreaterThan(100)
  })

  test("workspace, console and docs do not import each other", () => {
    const roomOf = (file: string) => /^src\/http\/(workspace|console|docs)\//.exec(file)?.[1]
    expect(new Set(imports.map(({ from }) => roomOf(from))).size).toBe(4)
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

  test("no file imports itself, directly or through others", () => {
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

describe("the paths of docs/architecture.md", () => {
  /** They open the parts and hand them to each other. */
  const composition = [
    "src/server/server-app.ts",
    "src/server/app.ts",
    "src/store/open.ts",
    "src/store/sqlite/store.ts",
    "src/store/sqlite/feed/feed.ts",
  ]
  const isImported = (to: string, from: readonly string[]) =>
    imports.some((found) => found.to === to && from.includes(found.from))

  test.each([
    ["The path of a purchase code", 12],
    ["The path of a feed line", 15],
  ])("%s: each file is imported by one above it, or handed to it", (heading, stepsMax) => {
    const [, section = ""] = text("docs/architecture.md").split(`\n## ${heading}\n`)
    const [list = ""] = section.split("\n## ")
    const steps = [...list.matchAll(/^\d+\. `([^`]+)`.*?(\(handed over\))?$/gm)].map(
      ([, file = "", handed]) => ({ file, from: handed ? composition : null }),
    )
    const above = (at: number) => steps.slice(0, at).map(({ file }) => file)
    const strays = steps.filter(({ file, from }, at) =>
      at === 0 ? !sources.includes(file) : !isImported(file, from ?? above(at)),
    )
    expect(strays).toEqual([])
    expect(steps.length).toBeGreaterThan(9)
    expect(steps.length).toBeLessThanOrEqual(stepsMax)
  })

  test("the composition is one: each of its files is imported by another", () => {
    expect(composition.slice(1).filter((file) => !isImported(file, composition))).toEqual([])
  })
})

test("only main.ts reads the process", () => {
  const reading =
    /\b(process\.|Bun\.(env|argv|stdin|stdout|stderr|main)\b|import\.meta\.env)|[=(,:?] ?process\b|"(node:)?process"/
  const readers = [...modules, "src/main.ts"].filter((file) => reading.test(text(file)))
  expect(readers).toEqual(["src/main.ts"])
  expect("const { pid } = process").toMatch(reading)
})

test.each([
  ["reads the clock", /\b(Date\.now|Temporal\.Now|performance\.now|new Date\(\))/],
  ["names a flag of the command line", /(?<![\w-])--[a-z]{2}/],
  ["names a header of HTTP", /["'`](?:[A-Z][a-z]+-)+[A-Z][a-z]+["'`]|[Hh]eader/],
  ["names a temporary table", /\btemp(orary)?[ _.]table/i],
] as const)("nothing in the domain %s", (_, form) => {
  const domain = modules.filter((file) => file.startsWith("src/domain/"))
  expect(domain.length).toBeGreaterThan(50)
  expect(domain.filter((file) => form.test(text(file)))).toEqual([])
})

test("only the console is answered from the reads across all accounts", () => {
  const reads = /operatorReads|operatorLists|operator-reads|operator-lists|authorSearch/
  const readers = modules.filter((file) => file.startsWith("src/http/") && reads.test(text(file)))
  expect(readers).not.toEqual([])
  expect(readers.filter((file) => !file.startsWith("src/http/console/"))).toEqual([])
})

describe("a migration lets the version before go on", () => {
  /** Released before this rule: 23 of SQLite, 26 of PostgreSQL. */
  const released = { sqlite: 23, postgres: 26 }
  const destructive =
    /\b(DROP(?! INDEX)|RENAME|TRUNCATE)\b|\bDELETE FROM\b|\bALTER COLUMN\b|\bADD COLUMN \w+ \w+ NOT NULL(?! DEFAULT)/i
  const problemsOf = (steps: readonly Migration[], from: number) =>
    steps
      .filter(
        ({ version, sql, fill }) => version > from && destructive.test(`${sql} ${fill?.change}`),
      )
      .filter(({ version, oldest }) => oldest === undefined || oldest >= version)
      .map(({ version }) => version)

  test.each([
    ["sqlite", sqliteMigrations],
    ["postgres", postgresMigrations],
  ] as const)("%s: a step that drops or renames is the second of two", (kind, steps) => {
    expect(steps.length).toBeGreaterThan(released[kind])
    expect(problemsOf(steps, released[kind])).toEqual([])
  })

  test("the search for them finds what it should and nothing else", () => {
    const sqls = [
      "ALTER TABLE items DROP COLUMN body",
      "ALTER TABLE items RENAME TO things",
      "ALTER TABLE items ALTER COLUMN body TYPE json",
      "ALTER TABLE items ADD COLUMN note text NOT NULL",
      "DROP TABLE items",
    ]
    const steps = sqls.map((sql, at) => ({ version: at + 2, sql }))
    expect(problemsOf(steps, 0)).toEqual([2, 3, 4, 5, 6])
    expect(
      problemsOf(
        steps.map((step) => ({ ...step, oldest: step.version })),
        0,
      ).length,
    ).toBe(5)
    expect(
      problemsOf(
        steps.map((step) => ({ ...step, oldest: 1 })),
        0,
      ),
    ).toEqual([])
    const adding = [
      "CREATE TABLE notes (id integer)",
      "ALTER TABLE items ADD COLUMN note text NOT NULL DEFAULT ''",
    ]
    expect(
      problemsOf(
        adding.map((sql) => ({ version: 2, sql })),
        0,
      ),
    ).toEqual([])
  })
})

test("importing a module does nothing: no top-level await or let", () => {
  const busy = modules.filter((file) => /^(await|let|var)\b|^const .*= await\b/m.test(text(file)))
  expect(busy).toEqual([])
})

describe("no module has state of its own", () => {
  test("no file changes a collection that it declares at the top", () => {
    const strays = modules.flatMap((file) =>
      changedCollections(text(file)).map((name) => `${file}: ${name}`),
    )
    expect(strays).toEqual([])
  })

  test("the search for them finds what it should and nothing else", () => {
    const changed = [
      "const connections = new WeakMap<Database, Connection>()",
      "export const seen: WeakSet<object> = new WeakSet()",
      "const known = new Map<string, number>()",
      "const names =\n  new Set<string>()",
      "const counts = new Map([[1, 2]])\ncounts.set(2, 3)",
      "const words = new Set(list)\nconst add = () => {\n  words.add(1)\n}",
      "const queue: string[] = []\nfunction add() {\n  queue.push(1)\n}",
      "const slots = [1, 2]\nconst put = () => {\n  slots[0] = 3\n}",
      "const caches: Record<string, number> = {}\nconst put = (name: string) => {\n  caches[name] = 3\n}",
      "const bytes = new Uint8Array(4)\nconst put = () => {\n  bytes[0] += 1\n}",
    ]
    const constant = [
      "const sizes = new Map([[1, 2]])\nsizes.get(1)",
      "function use() {\n  const rows = new Map()\n  rows.set(1, 2)\n}",
      "const list = (): string[] => []",
      "const listOf = (text: string) => new Set(text)",
      "const words = [1, 2]\nconst isWord = (word: number) => words[0] === word",
      "const orders = { newest: 1 }\nconst order = orders[sort]\nothers.push(orders)",
    ]
    expect(changed.map(changedCollections).filter((names) => names.length !== 1)).toEqual([])
    expect(constant.flatMap(changedCollections)).toEqual([])
  })
})

/** The names of Maps, Sets, lists and records at the top of a module that it can change. */
function changedCollections(source: string): readonly string[] {
  const declarations = source.matchAll(
    /^(?:export )?const (\w+)(?:: [^=]+?)? =\s+(?:new (\w+)(?:<[^()]*>)?\(([^)]*)|[[{])/gm,
  )
  return [...declarations].flatMap(([, name = "", kind = "", given = ""]) => {
    // A weak collection, or an empty one, has no other use than to be filled later.
    const isFilledLater = /^Weak/.test(kind) || (/^(Map|Set)$/.test(kind) && given === "")
    return isFilledLater || isChanged(name, source) ? [name] : []
  })
}

function isChanged(name: string, source: string): boolean {
  const methods = "set|add|delete|clear|push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin"
  return new RegExp(
    `\\b${name}(?:\\.(?:${methods})\\(|\\[[^\\]]+\\]!? (?:[-+*/|&^?]{0,2})=(?!=)|\\.\\w+ (?:[-+*/|&^?]{0,2})=(?!=))`,
  ).test(source)
}

test("no file is longer than 400 lines, no test longer than 500", () => {
  const lines = (file: string) => text(file).split("\n").length - 1
  const isTooLong = (file: string) =>
    lines(file) > (isTest(file) || file.startsWith("tests/") ? 500 : 400)
  expect(files.filter(isTooLong)).toEqual([])
})

test("no folder holds more than 20 files", () => {
  const all = [...new Bun.Glob("{src,tests,scripts,bench}/**/*").scanSync(root)].filter(
    (file) => !/^bench\/(data|node_modules)\//.test(file),
  )
  const folders = Map.groupBy(all, (file) => dirname(file))
  const crowded = [...folders].filter(([, inside]) => inside.length > 20)
  expect(crowded.map(([folder, inside]) => `${folder}: ${inside.length}`)).toEqual([])
})

test("src holds main.ts alone", () => {
  expect([...new Bun.Glob("src/*").scanSync(root)]).toEqual(["src/main.ts"])
})

test("the suites of the ports import nothing from tests", () => {
  const suites = sources.filter((file) => file.startsWith("src/store/contracts/"))
  expect(suites.length).toBeGreaterThan(40)
  expect(suites.filter((file) => text(file).includes("/tests/"))).toEqual([])
})

test("no file is named utils, helpers or the like", () => {
  const drawer = /(^|\/)(utils?|helpers?|common|misc|shared|types|index)(\.[a-z]+)?(\/|$)/
  expect(files.filter((file) => drawer.test(file) && file !== "sdk/src/index.ts")).toEqual([])
})

describe("a test can fail", () => {
  const tests = files.filter((file) => isTest(file))

  test("every promise of an expectation is awaited", () => {
    const strays = tests.flatMap((file) =>
      unawaitedExpectations(text(file)).map((line) => `${file}:${line}`),
    )
    expect(strays).toEqual([])
  })

  test("the search finds unawaited expectations and nothing else", () => {
    const waitedFor = [
      'await expect(a(")")).rejects.toThrow()',
      "return expect(a).resolves.toBe(1)",
      "test(name, () =>",
      "  expect(b).rejects.toBe(1))",
      "expect(a).toBe(1)",
      "await expect(a).rejects.toThrow()",
    ]
    const leftAlone = [
      "  expect(a((1))).rejects.toBe(1)",
      "  expect(",
      "    a,",
      "  ).resolves.toBe(1)",
    ]
    expect(unawaitedExpectations(waitedFor.join("\n"))).toEqual([])
    expect(unawaitedExpectations(leftAlone.join("\n"))).toEqual([1, 2])
  })

  test("every contract suite is in the list, and every adapter runs the list", () => {
    const suites = files.filter((file) => /^src\/store\/.*\.contract\.ts$/.test(file))
    const list = text("src/store/contracts/contracts.ts")
    expect(suites.length).toBeGreaterThan(10)
    const isListed = (file: string) => list.includes(`/${basename(file)}"`)
    expect(suites.filter((file) => !isListed(file))).toEqual([])
    for (const name of ["sqlite", "postgres"]) {
      expect(text(`src/store/${name}/store.test.ts`)).toContain(`runStoreContracts("${name}", {`)
    }
  })
})

/** The lines of `expect(…).rejects` and `.resolves` that are not awaited, as Biome formats them. */
function unawaitedExpectations(source: string): readonly number[] {
  const lines = source.split("\n")
  return lines.flatMap((line, index) => {
    const [, indent] = /^(\s*)expect\(/.exec(line) ?? []
    if (indent === undefined || /=>$/.test(lines[index - 1] ?? "")) return []
    const rest = lines.slice(index + 1)
    const length = rest.findIndex(
      (next) => !next.startsWith(`${indent} `) && !next.startsWith(`${indent})`),
    )
    const statement = [line, ...rest.slice(0, length === -1 ? undefined : length)].join("\n")
    return /\)\s*\.(?:rejects|resolves)\b/.test(statement) ? [index + 1] : []
  })
}

test("every dependency is pinned exactly", () => {
  const { dependencies, devDependencies } = manifest
  const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
    ([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
  )
  expect(loose).toEqual([])
})

test("the changelog's newest heading is the version, and every version has a date", () => {
  const headings = text("CHANGELOG.md").match(/^## .*$/gm) ?? []
  const [, newest] = /^## (\S+)/.exec(headings[0] ?? "") ?? []
  expect(newest).toBe(manifest.version)
  expect(headings.filter((line) => !/^## \d+\.\d+\.\d+ \(\d{4}-\d\d-\d\d\)$/.test(line))).toEqual(
    [],
  )
})

test("no decision record is longer than 400 words", () => {
  const records = [...new Bun.Glob("docs/decisions/0*.md").scanSync(root)]
  const words = (file: string) =>
    text(file)
      .replace(/^Replaced by .*$/m, "")
      .split(/\s+/)
      .filter((word) => word !== "").length
  expect(records.length).toBeGreaterThan(40)
  expect(records.filter((file) => words(file) > 400)).toEqual([])
})
