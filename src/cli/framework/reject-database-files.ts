import { readConfig } from "../../config/config.ts"
import { assertNotOwnFile } from "../../store/open.ts"
import type { CommandContext } from "./command.ts"

/** Throws RefusedError where a command is to write its output into a file of the store. Null for none. */
export function rejectDatabaseFiles(
  { env }: Pick<CommandContext, "env">,
  ...paths: readonly (string | null)[]
): void {
  const { store } = readConfig(env)
  for (const path of paths) if (path !== null) assertNotOwnFile(store, path)
}
