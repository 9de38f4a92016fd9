import type { Database } from "bun:sqlite"
import type { Migration } from "../../sql/migrate.ts"
import pullRounds from "./0.9/0018-pull-rounds.sql" with { type: "text" }
import waitingAndWords from "./0.9/0019-waiting-and-operators-words.sql" with { type: "text" }
import operatorTokens from "./0.9/0020-operator-tokens.sql" with { type: "text" }
import feedsWords from "./0.9/0021-feeds-words-in-audit.sql" with { type: "text" }
import sites from "./0.11/0022-sites.sql" with { type: "text" }
import failedCalls from "./0.11/0023-failed-calls.sql" with { type: "text" }
import webhooks from "./0.12/0024-webhooks.sql" with { type: "text" }
import secondFactors from "./0.12/0025-second-factors-of-authors.sql" with { type: "text" }
import moving from "./0.12/0026-moving.sql" with { type: "text" }
import salesByDate from "./0.12/0027-sales-by-date.sql" with { type: "text" }
import authorsByUse from "./0.12/0028-authors-by-use.sql" with { type: "text" }
import { writeChecksums } from "./purchase-rowids.ts"
import initial from "./until-0.8/0001-initial.sql" with { type: "text" }
import workspace from "./until-0.8/0002-workspace.sql" with { type: "text" }
import signInFailures from "./until-0.8/0003-sign-in-failures.sql" with { type: "text" }
import purchasesByPlace from "./until-0.8/0004-purchases-by-place.sql" with { type: "text" }
import accountIds from "./until-0.8/0005-account-ids.sql" with { type: "text" }
import notesAndDates from "./until-0.8/0006-notes-and-dates.sql" with { type: "text" }
import cachedRows from "./until-0.8/0007-cached-rows.sql" with { type: "text" }
import signingKeys from "./until-0.8/0008-signing-keys.sql" with { type: "text" }
import buyers from "./until-0.8/0009-buyers.sql" with { type: "text" }
import importRuns from "./until-0.8/0010-import-runs.sql" with { type: "text" }
import suspensionAndLinks from "./until-0.8/0011-suspension-and-links.sql" with { type: "text" }
import keyUse from "./until-0.8/0012-key-use.sql" with { type: "text" }
import asOf from "./until-0.8/0013-as-of.sql" with { type: "text" }
import nodes from "./until-0.8/0014-nodes.sql" with { type: "text" }
import operators from "./until-0.8/0015-operators.sql" with { type: "text" }
import traffic from "./until-0.8/0016-traffic.sql" with { type: "text" }
import askedCodes from "./until-0.8/0017-asked-codes.sql" with { type: "text" }

/** `prepare` does what SQL cannot, in the same transaction. */
export type SqliteMigration = Migration & Readonly<{ prepare?(db: Database): void }>

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
  // Programs before 0.8.0 are stopped; those of 0.8.0 and later go on beside all steps that follow.
  { version: 17, sql: askedCodes, oldest: 17 },
  { version: 18, sql: pullRounds },
  { version: 19, sql: waitingAndWords },
  { version: 20, sql: operatorTokens },
  { version: 21, sql: feedsWords },
  { version: 22, sql: sites },
  { version: 23, sql: failedCalls },
  { version: 24, sql: webhooks },
  { version: 25, sql: secondFactors },
  { version: 26, sql: moving },
  { version: 27, sql: salesByDate },
  { version: 28, sql: authorsByUse },
]
