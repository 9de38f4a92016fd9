import { statfsSync, statSync } from "node:fs"
import { dirname } from "node:path"
import type { Config } from "../config/config.ts"

/** Returns null for PostgreSQL, and if the folder of the database does not exist. */
export function readDiskSpace({ store }: Pick<Config, "store">) {
  if (store.kind !== "sqlite") return null
  const folder = dirname(store.path)
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return null
  const { bavail, bsize } = statfsSync(folder)
  const storeBytes = sizeOf(store.path) + sizeOf(`${store.path}-wal`)
  return { freeBytes: bavail * bsize, storeBytes }
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0
