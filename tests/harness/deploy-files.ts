/** What stands in deploy/, and what the program says about the settings used there. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { ConfigError, type Environment, readConfig } from "../../src/config.ts"

export const root = join(import.meta.dir, "../..")
export const deployFolder = join(root, "deploy")

export const readDeployFile = (path: string) => readFileSync(join(deployFolder, path), "utf8")

/** One document, as the caller knows it to be: its shape is judged by the tests that use it. */
export const readYaml = <T>(path: string) => Bun.YAML.parse(readDeployFile(path)) as T

export const deployFiles: readonly string[] = readdirSync(deployFolder, {
  recursive: true,
  withFileTypes: true,
})
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => join(parentPath, name).slice(deployFolder.length + 1))
  // What an operator keeps there is nobody's business.
  .filter((path) => !/^(secrets\/|\.env$)/.test(path))

/** Every variable that the program looks at. */
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

/** The program's complaints, or none. */
export function problemsOf(env: Environment): readonly string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.message.split("\n- ").slice(1)
  }
}
