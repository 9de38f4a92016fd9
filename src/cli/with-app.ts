import { type App, openApp } from "../app.ts"
import { readConfig } from "../config.ts"
import type { CommandContext } from "./command.ts"

/** Opens the store for one command and closes it whatever happens. */
export async function withApp<T>(
  { env }: Pick<CommandContext, "env">,
  use: (app: App) => Promise<T>,
): Promise<T> {
  const app = await openApp(readConfig(env), "command")
  try {
    return await use(app)
  } finally {
    await app.close()
  }
}
