import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ConfigError, readConfig } from "../../src/config/config.ts"
import type { Environment } from "../../src/platform/cli/command.ts"
import { temporaryFolder } from "./program.ts"

export const root = join(import.meta.dir, "../..")
export const deployFolder = join(root, "deploy")

export const readDeployFile = (path: string) => readFileSync(join(deployFolder, path), "utf8")

export const installGuide = readFileSync(join(root, "docs/install.md"), "utf8")

export const installBlocks: readonly string[] = [
  ...installGuide.matchAll(/^```(\w*)\n(.*?)^```$/gms),
].flatMap(([, language, lines = ""]) => (language === "" ? [lines] : []))

/** One document of the type that the caller expects; the tests check its fields. */
export const readYaml = <T>(path: string) => Bun.YAML.parse(readDeployFile(path)) as T

export const deployFiles: readonly string[] = readdirSync(deployFolder, {
  recursive: true,
  withFileTypes: true,
})
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => join(parentPath, name).slice(deployFolder.length + 1))
  .filter((path) => !/^(secrets\/|\.env$)/.test(path))

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

/** The problems that the program reports if a master key is mounted. */
export function problemsOf(env: Environment): readonly string[] {
  const isMounted = env.PAZAR_MASTER_KEY_FILE !== undefined
  try {
    readConfig(isMounted ? { ...env, PAZAR_MASTER_KEY_FILE: writeMasterKey() } : env)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.message.split("\n- ").slice(1)
  }
}

function writeMasterKey(): string {
  const path = join(temporaryFolder(), "master-key")
  writeFileSync(path, Buffer.alloc(32, 7).toString("base64"), { mode: 0o600 })
  return path
}
