import type { Cores } from "../processes/processes.ts"
import type { PostgresServer } from "../stores/postgres.ts"
import type { Store } from "../stores/stores.ts"
import type { Contender } from "./contender.ts"
import { startPazar } from "./pazar.ts"

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
    databasePids: server.pids,
  }
}
