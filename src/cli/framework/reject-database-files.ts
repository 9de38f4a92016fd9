import { readConfig } from "../../config/config.ts"
import { assertNotOwnFile } from "../../store/open.ts"
import type { CommandContext } from "./command.ts"

/** Throws UserError if a path is a file of the database, which output must not overwrite. Ignores null. */
export function rejectDatabaseFiles(
  { env }: Pick<CommandContext, "env">,
  ...paths: readonly (string | null)[]
): void {
  const { store } = readConfig(env)
  for (const path of paths) if (path !== null) assertNotOwnFile(store, path)
}
