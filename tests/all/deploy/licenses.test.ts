/** The licences of all packages, and the list of what is shipped. */
import { describe, expect, test } from "bun:test"
import manifest from "../../../package.json"
import { createSbom, lockedPackages, shippedPackages } from "../../../scripts/sbom.ts"

/** They ask for no more than their own text to be passed on. */
const permissive = ["MIT", "ISC", "0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause"]
/** Tools that run beside the code and are not shipped: PHP for the clients' tests, axe-core for the pages'. */
const ofToolsOnly = ["GPL-2.0-or-later", "MPL-2.0", "PSF-2.0", "MIT OR Apache-2.0", "Unlicense"]
/** Its package.json names none; the repository it is published from is GPL-2.0-or-later. */
const unnamed = "@php-wasm/util"

describe("licences", () => {
  test("every shipped package may be passed on in a closed product", () => {
    const others = shippedPackages.filter(({ license = "" }) => !permissive.includes(license))
    expect(others.map(({ name, license }) => [name, license])).toEqual([])
  })

  test("every tool has a licence that is known", () => {
    const known = [...permissive, ...ofToolsOnly]
    const others = lockedPackages.filter(({ license = "" }) => !known.includes(license))
    expect(others.map(({ name, dev }) => [name, dev])).toEqual([[unnamed, true]])
  })
})

describe("npm run sbom", () => {
  const bom = createSbom()
  const names = bom.components.map(({ name }) => name)

  test("names every dependency and every package that it needs", () => {
    expect(Object.keys(manifest.dependencies).filter((name) => !names.includes(name))).toEqual([])
    expect(names).toContain("pg-protocol")
    expect(names).not.toContain("typescript")
    expect(bom.metadata.component.version).toBe(manifest.version)
  })

  test("gives each a version, a hash and a licence", () => {
    const bare = bom.components.filter(
      ({ version = "", hashes, licenses }) =>
        !/^\d+\.\d+\.\d+/.test(version) ||
        !/^[0-9a-f]{128}$/.test(String(hashes[0]?.content)) ||
        licenses[0]?.license.id === undefined,
    )
    expect(bare).toEqual([])
  })

  test("reaches every package from the program", () => {
    const graph = new Map(bom.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]))
    const seen = new Set([bom.metadata.component.purl])
    for (const ref of seen) for (const next of graph.get(ref) ?? []) seen.add(next)
    const refs = bom.components.map(({ purl }) => purl)
    // Types are a peer of mysql2: installed, and never loaded.
    expect(refs.filter((ref) => !seen.has(ref) && !/types/.test(ref))).toEqual([])
  })
})
