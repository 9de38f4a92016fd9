/** The contracts hold with serializable isolation: conflicts are retried. */
import { runPostgresContracts } from "../harness/stores/postgres-contracts.ts"

runPostgresContracts("serializable postgres", "default_transaction_isolation = serializable")
