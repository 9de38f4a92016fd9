/**
 * `npm ci` refuses this lock file for development: it lacks the optional packages of some platforms, and a
 * registry need not offer those. So these tests check what `npm ci` would.
 */
import { expect, test } from "bun:test"
import manifest from "../package.json"
import lock from "../package-lock.json"

type Entry = Readonly<{ version?: string; integrity?: string; resolved?: string; link?: boolean }>

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
    ([, { version, integrity = "", resolved, link }]) =>
      version === undefined ||
      !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity) ||
      resolved !== undefined ||
      link === true,
  )
  expect(loose.map(([path]) => path)).toEqual([])
})
