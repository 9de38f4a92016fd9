/**
 * Prints the shipped packages as CycloneDX JSON: `npm run --silent sbom > sbom.json`. The lock file is the only
 * input, so the same commit gives the same bytes. (`npm sbom --omit=dev` of npm 11 leaves out `pg`, which a
 * development tool needs too.)
 */
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
    components: shippedPackages.map(componentOf),
    dependencies: [
      { ref: own, dependsOn: dependenciesOf("", { dependencies: lock.packages[""].dependencies }) },
      ...shippedPackages.map((each) => ({
        ref: purlOf(each.name, each.version),
        dependsOn: dependenciesOf(each.path, each),
      })),
    ],
  }
}

if (import.meta.main) console.log(JSON.stringify(createSbom(), null, 2))
