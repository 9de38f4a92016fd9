import { describe, expect, test } from "bun:test"
import manifest from "../../../package.json"
import { createSbom, lockedPackages, shippedPackages } from "../../../scripts/sbom.ts"

/** These licenses require only that their own text is distributed. */
const permissive = ["MIT", "MIT-0", "ISC", "0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause"]
/** Tools that are not shipped, such as axe-core for the pages' tests. */
const toolLicenses = ["MPL-2.0", "PSF-2.0", "MIT OR Apache-2.0", "Unlicense"]

describe("licenses", () => {
  test("every shipped package can be distributed in a closed-source product", () => {
    const others = shippedPackages.filter(({ license = "" }) => !permissive.includes(license))
    expect(others.map(({ name, license }) => [name, license])).toEqual([])
  })

  test("every tool has a known license", () => {
    const known = [...permissive, ...toolLicenses]
    const others = lockedPackages.filter(({ license = "" }) => !known.includes(license))
    expect(others.map(({ name, dev }) => [name, dev])).toEqual([])
  })
})

describe("npm run sbom", () => {
  const bom = createSbom()
  const names = bom.components.map(({ name }) => name)

  test("contains every dependency and every package it requires", () => {
    expect(Object.keys(manifest.dependencies).filter((name) => !names.includes(name))).toEqual([])
    expect(names).toContain("pg-protocol")
    expect(names).not.toContain("typescript")
    expect(bom.metadata.component.version).toBe(manifest.version)
  })

  test("has a version, a hash and a license for each", () => {
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
    const refs = bom.components.map((component) => component["bom-ref"])
    // Types are a peer dependency of mysql2: installed, and never loaded.
    expect(refs.filter((ref) => !seen.has(ref) && !/types/.test(ref))).toEqual([])
  })
})
