/**
 * Prints the shipped packages and the font as CycloneDX JSON: `npm run --silent sbom > sbom.json`. The lock file and
 * the font are the only inputs, so the same commit gives the same bytes. (`npm sbom --omit=dev` of npm 11 leaves out `pg`, which a
 * development tool needs too.)
 */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import lock from "../package-lock.json"

export type LockEntry = Readonly<{
  version?: string
  integrity?: string
  license?: string
  dev?: boolean
  dependencies?: Readonly<Record<string, string>>
  optionalDependencies?: Readonly<Record<string, string>>
}>
export type LockedPackage = LockEntry & Readonly<{ path: string; name: string }>

const entries: Readonly<Record<string, LockEntry>> = lock.packages

export const lockedPackages: readonly LockedPackage[] = Object.entries(entries)
  .filter(([path]) => path !== "")
  .map(([path, entry]) => ({ ...entry, path, name: path.replace(/^.*node_modules\//, "") }))

export const shippedPackages = lockedPackages.filter(({ dev }) => dev !== true)

const purlOf = (name: string, version = "") => `pkg:npm/${name.replace("@", "%40")}@${version}`

/** The package that Node.js resolves for `name` inside the package at `path`, or null if it is not installed. */
function resolve(path: string, name: string): LockedPackage | null {
  for (
    let folder = path;
    ;
    folder = folder.replace(/(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$/, "")
  ) {
    const candidate = folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    const found = shippedPackages.find((each) => each.path === candidate)
    if (found !== undefined || folder === "") return found ?? null
  }
}

const dependenciesOf = (path: string, entry: LockEntry) =>
  Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })
    .map((name) => resolve(path, name))
    .filter((found) => found !== null)
    .map(({ name, version }) => purlOf(name, version))
    .toSorted()

const componentOf = ({ name, version, integrity = "", license }: LockedPackage) => ({
  type: "library",
  "bom-ref": purlOf(name, version),
  name,
  version,
  purl: purlOf(name, version),
  hashes: [
    {
      alg: "SHA-512",
      content: Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex"),
    },
  ],
  licenses: [{ license: { id: license } }],
})

const font = {
  type: "file",
  "bom-ref": "inter.woff2",
  name: "Inter",
  version: "4.1.0",
  purl: "pkg:github/rsms/inter@v4.1",
  hashes: [
    {
      alg: "SHA-512",
      content: createHash("sha512")
        .update(readFileSync(join(import.meta.dir, "../src/http/pages/assets/fonts/inter.woff2")))
        .digest("hex"),
    },
  ],
  licenses: [{ license: { id: "OFL-1.1" } }],
}

export function createSbom() {
  const own = purlOf(lock.name, lock.version)
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": own,
        name: lock.name,
        version: lock.version,
        purl: own,
        licenses: [{ license: { id: "MIT" } }],
      },
    },
    components: [...shippedPackages.map(componentOf), font],
    dependencies: [
      {
        ref: own,
        dependsOn: [
          ...dependenciesOf("", { dependencies: lock.packages[""].dependencies }),
          font["bom-ref"],
        ],
      },
      { ref: font["bom-ref"], dependsOn: [] },
      ...shippedPackages.map((each) => ({
        ref: purlOf(each.name, each.version),
        dependsOn: dependenciesOf(each.path, each),
      })),
    ],
  }
}

if (import.meta.main) console.log(JSON.stringify(createSbom(), null, 2))
