/**
 * `npm ci` takes this lock file: tests/deploy/image.test.ts runs it. It also has the packages of development tools for other
 * machines. Some of those have no hash, because the registry that it was made with does not offer them.
 */
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import manifest from "../package.json"
import lock from "../package-lock.json"

type Entry = Readonly<{
  version?: string
  integrity?: string
  resolved?: string
  link?: boolean
  dev?: boolean
  optional?: boolean
  os?: readonly string[]
  cpu?: readonly string[]
  libc?: readonly string[]
  engines?: Readonly<Record<string, string>>
}>

const entries: Readonly<Record<string, Entry>> = lock.packages
const packages = Object.entries(entries).filter(([path]) => path.startsWith("node_modules/"))

test("the lock file was made of this package.json", () => {
  const { name, version, dependencies, devDependencies } = manifest
  expect(lock.packages[""]).toMatchObject({ name, version, dependencies, devDependencies })
})

test("every dependency is locked at the version that package.json pins", () => {
  const pinned = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
  const locked = pinned.map(([name]) => [name, entries[`node_modules/${name}`]?.version])
  expect(locked).toEqual(pinned)
})

test("every package is locked with the hash of its content, whichever registry it comes from", () => {
  expect(packages.length).toBeGreaterThan(100)
  const loose = packages.filter(
    ([, { version, integrity, resolved, link, ...rest }]) =>
      version === undefined ||
      !(integrity === undefined
        ? isToolOfOtherMachine(rest)
        : /^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity)) ||
      resolved !== undefined ||
      link === true,
  )
  expect(loose.map(([path]) => path)).toEqual([])
})

/** Not for Linux with glibc on x64 or arm64, where CI runs. */
const isToolOfOtherMachine = ({ dev, optional, os = [], cpu = [], libc = [] }: Entry) =>
  dev === true &&
  optional === true &&
  !(
    os.includes("linux") &&
    libc.includes("glibc") &&
    cpu.some((name) => /^(x64|arm64)$/.test(name))
  )

test("everything that is shipped runs on the oldest Node that package.json promises", () => {
  const [, oldest] = /^>=(\d+)$/.exec(manifest.engines.node) ?? []
  const strangers = packages.filter(
    ([, { dev, engines }]) =>
      dev !== true && !Bun.semver.satisfies(`${oldest}.0.0`, engines?.node ?? "*"),
  )
  expect(strangers.map(([path]) => path)).toEqual([])
})

test("no package tells anybody that it was installed", () => {
  expect(manifest.scarfSettings.enabled).toBe(false)
  expect(manifest.allowScripts["@scarf/scarf"]).toBe(false)
})

test("the record of development tools names every one of them", () => {
  const record = readFileSync(
    join(import.meta.dir, "../docs/decisions/0043-development-tools.md"),
    "utf8",
  )
  const named = [...record.matchAll(/^\| `([^`]+)`/gm)].map(([, name = ""]) => name)
  const matches = (pattern: string, name: string) =>
    pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern
  const tools = Object.keys(manifest.devDependencies)
  expect(tools.filter((tool) => !named.some((name) => matches(name, tool)))).toEqual([])
  expect(named.filter((name) => !tools.some((tool) => matches(name, tool)))).toEqual([])
})
