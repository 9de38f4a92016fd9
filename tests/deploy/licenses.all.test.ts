import { describe, expect, test } from "bun:test"
import lock from "../../package-lock.json"

type LockedPackage = Readonly<{ dev?: boolean; license?: string }>
// The type of an imported JSON file has a field per package.
const entries: Readonly<Record<string, LockedPackage>> = lock.packages
const packages = Object.entries(entries).filter(([path]) => path !== "")

/** These licenses require only that their own text is distributed. */
const permissive = ["MIT", "MIT-0", "ISC", "0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause"]
/** Tools that are not shipped, such as axe-core for the pages' tests. */
const toolLicenses = ["MPL-2.0", "PSF-2.0", "MIT OR Apache-2.0", "Unlicense"]

describe("licenses", () => {
  test("every shipped package can be distributed in a closed-source product", () => {
    const others = packages.filter(
      ([, { dev = false, license = "" }]) => !dev && !permissive.includes(license),
    )
    expect(others).toEqual([])
  })

  test("every tool has a known license", () => {
    const known = [...permissive, ...toolLicenses]
    expect(packages.filter(([, { license = "" }]) => !known.includes(license))).toEqual([])
  })
})
