import type { Migration } from "../../sql/migrate.ts"
import pullRounds from "./0.9/0021-pull-rounds.sql" with { type: "text" }
import waitingAndWords from "./0.9/0022-waiting-and-operators-words.sql" with { type: "text" }
import operatorTokens from "./0.9/0023-operator-tokens.sql" with { type: "text" }
import feedsWords from "./0.9/0024-feeds-words-in-audit.sql" with { type: "text" }
import sites from "./0.11/0025-sites.sql" with { type: "text" }
import failedCalls from "./0.11/0026-failed-calls.sql" with { type: "text" }
import webhooks from "./0.12/0027-webhooks.sql" with { type: "text" }
import secondFactors from "./0.12/0028-second-factors-of-authors.sql" with { type: "text" }
import moving from "./0.12/0029-moving.sql" with { type: "text" }
import salesByDate from "./0.12/0030-sales-by-date.sql" with { type: "text" }
import authorsByUse from "./0.12/0031-authors-by-use.sql" with { type: "text" }
import notesOfChangedKeys from "./0.12/0032-notes-of-changed-keys.sql" with { type: "text" }
import initial from "./until-0.8/0001-initial.sql" with { type: "text" }
import workspace from "./until-0.8/0002-workspace.sql" with { type: "text" }
import keyChanges from "./until-0.8/0003-key-changes.sql" with { type: "text" }
import feedAtSpeed from "./until-0.8/0004-feed-at-speed.sql" with { type: "text" }
import signInFailures from "./until-0.8/0005-sign-in-failures.sql" with { type: "text" }
import findPurchases from "./until-0.8/0006-find-purchases.sql" with { type: "text" }
import codesByHash from "./until-0.8/0007-codes-by-hash.sql" with { type: "text" }
import feedRules from "./until-0.8/0008-feed-rules.sql" with { type: "text" }
import notesAndDates from "./until-0.8/0009-notes-and-dates.sql" with { type: "text" }
import refusalsWithoutWrites from "./until-0.8/0010-refusals-without-writes.sql" with {
  type: "text",
}
import signingKeys from "./until-0.8/0011-signing-keys.sql" with { type: "text" }
import buyers from "./until-0.8/0012-buyers.sql" with { type: "text" }
import importRuns from "./until-0.8/0013-import-runs.sql" with { type: "text" }
import suspensionAndLinks from "./until-0.8/0014-suspension-and-links.sql" with { type: "text" }
import keyUse from "./until-0.8/0015-key-use.sql" with { type: "text" }
import asOf from "./until-0.8/0016-as-of.sql" with { type: "text" }
import nodes from "./until-0.8/0017-nodes.sql" with { type: "text" }
import operators from "./until-0.8/0018-operators.sql" with { type: "text" }
import traffic from "./until-0.8/0019-traffic.sql" with { type: "text" }
import askedCodes from "./until-0.8/0020-asked-codes.sql" with { type: "text" }

export const migrations: readonly Migration[] = [
  { version: 1, sql: initial },
  { version: 2, sql: workspace },
  { version: 3, sql: keyChanges },
  { version: 4, sql: feedAtSpeed },
  { version: 5, sql: signInFailures },
  { version: 6, sql: findPurchases },
  { version: 7, sql: codesByHash },
  { version: 8, sql: feedRules },
  { version: 9, sql: notesAndDates },
  { version: 10, sql: refusalsWithoutWrites },
  { version: 11, sql: signingKeys },
  { version: 12, sql: buyers },
  { version: 13, sql: importRuns },
  { version: 14, sql: suspensionAndLinks },
  { version: 15, sql: keyUse },
  { version: 16, sql: asOf },
  { version: 17, sql: nodes },
  { version: 18, sql: operators },
  { version: 19, sql: traffic },
  // Programs before 0.8.0 are stopped; those of 0.8.0 and later go on beside all steps that follow.
  { version: 20, sql: askedCodes, oldest: 20 },
  { version: 21, sql: pullRounds },
  { version: 22, sql: waitingAndWords },
  { version: 23, sql: operatorTokens },
  { version: 24, sql: feedsWords },
  { version: 25, sql: sites },
  { version: 26, sql: failedCalls },
  { version: 27, sql: webhooks },
  { version: 28, sql: secondFactors },
  { version: 29, sql: moving },
  { version: 30, sql: salesByDate },
  { version: 31, sql: authorsByUse },
  { version: 32, sql: notesOfChangedKeys },
]
