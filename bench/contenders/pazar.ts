import type { Cores } from "../processes.ts"
import type { Settings } from "../program.ts"
import type { PostgresServer } from "../stores/bench-postgres.ts"
import type { Store } from "../stores/bench-stores.ts"
import { type Contender, startServer } from "./contender.ts"

/** The log has its production level and is discarded. */
export const startPazar = (
  { program, settings }: Store,
  cores: Cores,
  changes: Settings = {},
): Promise<Contender> =>
  startServer({
    name: "pazar",
    command: [...program.server, "serve"],
    settings: { ...settings, PORT: "0", PAZAR_THREADS: "1", PAZAR_RATE_LIMIT: "off", ...changes },
    cores,
  })

/** Measured together with the database server, because work can move between the two. */
export async function startPazarPostgres(
  store: Store,
  server: PostgresServer,
  cores: Cores,
): Promise<Contender> {
  const pazar = await startPazar(store, cores)
  return {
    ...pazar,
    name: "pazar, PostgreSQL",
    pids: () => [...pazar.pids(), ...server.pids()],
  }
}
