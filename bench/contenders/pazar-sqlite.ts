import type { Cores } from "../processes.ts"
import { pazarServer } from "../program.ts"
import type { Store } from "../stores.ts"
import { type Contender, startServer } from "./contender.ts"

/** One thread and the log of production, to nowhere. */
export function startPazarSqlite({ settings }: Store, cores: Cores): Promise<Contender> {
  return startServer({
    name: "pazar",
    command: [...pazarServer, "serve"],
    settings: { ...settings, PORT: "0", PAZAR_THREADS: "1", PAZAR_RATE_LIMIT: "off" },
    cores,
  })
}
