import { readConfig } from "../../config/config.ts"
import type { App } from "../../server/app.ts"
import type { CommandContext } from "./command.ts"

/**
 * Opens the store for one command and closes it whatever happens. The program is loaded here, so that
 * `--help` and a mistyped command answer at once.
 */
export async function withApp<T>(
  { env }: Pick<CommandContext, "env">,
  use: (app: App) => Promise<T>,
): Promise<T> {
  const { openApp } = await import("../../server/app.ts")
  const app = await openApp(readConfig(env))
  try {
    return await use(app)
  } finally {
    await app.close()
  }
}
