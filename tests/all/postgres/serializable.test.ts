/** An operator may choose the strictest isolation: conflicts are then retried. */
import { runPostgresContracts } from "../../harness/stores/postgres-contracts.ts"

runPostgresContracts("serializable postgres", "default_transaction_isolation = serializable")
