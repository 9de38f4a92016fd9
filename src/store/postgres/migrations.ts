import type { Migration } from "../migrate.ts"
import initial from "./migrations/0001-initial.sql" with { type: "text" }
import workspace from "./migrations/0002-workspace.sql" with { type: "text" }
import keyChanges from "./migrations/0003-key-changes.sql" with { type: "text" }
import feedAtSpeed from "./migrations/0004-feed-at-speed.sql" with { type: "text" }
import signInFailures from "./migrations/0005-sign-in-failures.sql" with { type: "text" }
import findPurchases from "./migrations/0006-find-purchases.sql" with { type: "text" }
import codesByHash from "./migrations/0007-codes-by-hash.sql" with { type: "text" }
import feedRules from "./migrations/0008-feed-rules.sql" with { type: "text" }
import notesAndDates from "./migrations/0009-notes-and-dates.sql" with { type: "text" }
import refusalsWithoutWrites from "./migrations/0010-refusals-without-writes.sql" with {
  type: "text",
}
import signingKeys from "./migrations/0011-signing-keys.sql" with { type: "text" }
import buyers from "./migrations/0012-buyers.sql" with { type: "text" }
import importRuns from "./migrations/0013-import-runs.sql" with { type: "text" }
import suspensionAndLinks from "./migrations/0014-suspension-and-links.sql" with { type: "text" }
import keyUse from "./migrations/0015-key-use.sql" with { type: "text" }
import asOf from "./migrations/0016-as-of.sql" with { type: "text" }
import nodes from "./migrations/0017-nodes.sql" with { type: "text" }
import operators from "./migrations/0018-operators.sql" with { type: "text" }
import traffic from "./migrations/0019-traffic.sql" with { type: "text" }
import askedCodes from "./migrations/0020-asked-codes.sql" with { type: "text" }
import pullRounds from "./migrations/0021-pull-rounds.sql" with { type: "text" }
import waitingAndWords from "./migrations/0022-waiting-and-operators-words.sql" with {
  type: "text",
}
import operatorTokens from "./migrations/0023-operator-tokens.sql" with { type: "text" }
import feedsWords from "./migrations/0024-feeds-words-in-audit.sql" with { type: "text" }

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
  { version: 20, sql: askedCodes },
  { version: 21, sql: pullRounds },
  { version: 22, sql: waitingAndWords },
  { version: 23, sql: operatorTokens },
  { version: 24, sql: feedsWords },
]
