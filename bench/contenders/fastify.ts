/** Fastify on Node with better-sqlite3, as an experienced engineer would write it. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Cores } from "../processes.ts"
import { type Store, storePath } from "../stores/bench-stores.ts"
import { type Contender, type Missing, startServer } from "./contender.ts"
import { lookUpKeyOf } from "./look-up-key.ts"

const name = "fastify"
const home = join(import.meta.dir, "..")

export async function startFastify(store: Store, cores: Cores): Promise<Contender | Missing> {
  if (!isInstalled() && !install()) {
    return { name, missing: "`npm install` in bench/ failed" }
  }
  return startServer({
    name,
    command: ["node", join(import.meta.dir, "fastify-server.mjs")],
    settings: {
      NODE_ENV: "production",
      DATABASE: storePath(store),
      LOOK_UP_KEY: lookUpKeyOf(store),
    },
    cores,
  })
}

const readJson = (path: string) => JSON.parse(readFileSync(path, "utf8"))

function isInstalled(): boolean {
  const wanted: Record<string, string> = readJson(join(home, "package.json")).dependencies
  return Object.entries(wanted).every(([name, version]) => findVersion(name) === version)
}

function findVersion(dependency: string): string | null {
  const path = join(home, "node_modules", dependency, "package.json")
  return existsSync(path) ? readJson(path).version : null
}

/** Takes minutes if better-sqlite3 has to be compiled. */
function install(): boolean {
  console.error("installing the packages of the Fastify server, once")
  const { exitCode } = Bun.spawnSync(
    ["npm", "install", "--no-package-lock", "--no-audit", "--no-fund"],
    { cwd: home, stdout: "inherit", stderr: "inherit" },
  )
  return exitCode === 0
}
