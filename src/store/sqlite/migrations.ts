import type { Database } from "bun:sqlite"
import type { Migration } from "../migrate.ts"
import initial from "./migrations/0001-initial.sql" with { type: "text" }
import workspace from "./migrations/0002-workspace.sql" with { type: "text" }
import signInFailures from "./migrations/0003-sign-in-failures.sql" with { type: "text" }
import purchasesByPlace from "./migrations/0004-purchases-by-place.sql" with { type: "text" }
import accountIds from "./migrations/0005-account-ids.sql" with { type: "text" }
import notesAndDates from "./migrations/0006-notes-and-dates.sql" with { type: "text" }
import cachedRows from "./migrations/0007-cached-rows.sql" with { type: "text" }
import signingKeys from "./migrations/0008-signing-keys.sql" with { type: "text" }
import buyers from "./migrations/0009-buyers.sql" with { type: "text" }
import importRuns from "./migrations/0010-import-runs.sql" with { type: "text" }
import suspensionAndLinks from "./migrations/0011-suspension-and-links.sql" with { type: "text" }
import keyUse from "./migrations/0012-key-use.sql" with { type: "text" }
import asOf from "./migrations/0013-as-of.sql" with { type: "text" }
import nodes from "./migrations/0014-nodes.sql" with { type: "text" }
import operators from "./migrations/0015-operators.sql" with { type: "text" }
import traffic from "./migrations/0016-traffic.sql" with { type: "text" }
import askedCodes from "./migrations/0017-asked-codes.sql" with { type: "text" }
import pullRounds from "./migrations/0018-pull-rounds.sql" with { type: "text" }
import waitingAndWords from "./migrations/0019-waiting-and-operators-words.sql" with {
  type: "text",
}
import operatorTokens from "./migrations/0020-operator-tokens.sql" with { type: "text" }
import feedsWords from "./migrations/0021-feeds-words-in-audit.sql" with { type: "text" }
import { writeChecksums } from "./purchase-rowids.ts"

/** `prepare` does what SQL cannot, in the same transaction. */
type SqliteMigration = Migration & Readonly<{ prepare?(db: Database): void }>

export const migrations: readonly SqliteMigration[] = [
  { version: 1, sql: initial },
  { version: 2, sql: workspace },
  { version: 3, sql: signInFailures },
  { version: 4, sql: purchasesByPlace, prepare: writeChecksums },
  { version: 5, sql: accountIds },
  { version: 6, sql: notesAndDates },
  { version: 7, sql: cachedRows },
  { version: 8, sql: signingKeys },
  { version: 9, sql: buyers },
  { version: 10, sql: importRuns },
  { version: 11, sql: suspensionAndLinks },
  { version: 12, sql: keyUse },
  { version: 13, sql: asOf },
  { version: 14, sql: nodes },
  { version: 15, sql: operators },
  { version: 16, sql: traffic },
  { version: 17, sql: askedCodes },
  { version: 18, sql: pullRounds },
  { version: 19, sql: waitingAndWords },
  { version: 20, sql: operatorTokens },
  { version: 21, sql: feedsWords },
]
