import { runPostgresContracts } from "../../tests/harness/stores/postgres-contracts.ts"

runPostgresContracts("postgres")
