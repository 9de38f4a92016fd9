/** The files in deploy/, and the problems of their settings. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { ConfigError, type Environment, readConfig } from "../../src/config/config.ts"

export const root = join(import.meta.dir, "../..")
export const deployFolder = join(root, "deploy")

export const readDeployFile = (path: string) => readFileSync(join(deployFolder, path), "utf8")

/** One document of the type that the caller expects; the tests check its members. */
export const readYaml = <T>(path: string) => Bun.YAML.parse(readDeployFile(path)) as T

export const deployFiles: readonly string[] = readdirSync(deployFolder, {
  recursive: true,
  withFileTypes: true,
})
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => join(parentPath, name).slice(deployFolder.length + 1))
  // Files of an operator are not tested.
  .filter((path) => !/^(secrets\/|\.env$)/.test(path))

/** Every variable that the program reads. */
export function knownSettings(): ReadonlySet<string> {
  const names = new Set<string>()
  const listening: Environment = new Proxy(
    {},
    {
      get(_, name) {
        names.add(String(name))
        return undefined
      },
    },
  )
  readConfig(listening)
  return names
}

/** The problems that the program reports. */
export function problemsOf(env: Environment): readonly string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.message.split("\n- ").slice(1)
  }
}
