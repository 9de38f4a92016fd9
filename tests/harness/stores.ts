/** The kinds of store the program runs on; what holds on one must hold on the other. */
import { randomBytes } from "node:crypto"
import type { Environment } from "../../src/config.ts"
import { type PostgresServer, startPostgres } from "./postgres.ts"

export type StoreKind = Readonly<{
  name: string
  /** The settings of a program on a new, empty store of this kind. */
  createEnvironment(): Promise<Environment>
  stop(): Promise<void>
}>

export function storeKinds(): readonly StoreKind[] {
  let server: Promise<PostgresServer> | null = null
  return [
    { name: "SQLite", createEnvironment: async () => ({}), stop: async () => {} },
    {
      name: "PostgreSQL",
      async createEnvironment() {
        server ??= startPostgres()
        return {
          DATABASE_URL: await (await server).createDatabase(),
          PAZAR_MASTER_KEY: randomBytes(32).toString("base64"),
        }
      },
      async stop() {
        await (await server)?.stop()
      },
    },
  ]
}
