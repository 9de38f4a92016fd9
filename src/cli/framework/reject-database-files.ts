import { readConfig } from "../../config/config.ts"
import { assertNotOwnFile } from "../../store/open.ts"
import type { CommandContext } from "./command.ts"

/** Throws UserError if `path` is a file of the database, which output must not overwrite. Ignores null. */
export function rejectDatabaseFiles({ env }: CommandContext, path: string | null): void {
  const { store } = readConfig(env)
  if (path !== null) assertNotOwnFile(store, path)
}
