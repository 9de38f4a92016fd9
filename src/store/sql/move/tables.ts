/**
 * What `pazar move` takes along. Every table of a store is in one of these two lists; a test compares them with the
 * schemas. Columns need no list: they come from the schema.
 */
import { canaryMark } from "../../../domain/store.ts"
import { moveMarks } from "./marks.ts"

export type MovedTable = Readonly<{
  name: string
  /** The columns that find a row, or the few rows that are moved together. */
  key: readonly string[]
  /** Other tables refer to it: its rows are changed in place, never deleted and added anew. */
  isReferredTo?: true
  /** Rows that do not meet it stay behind. */
  condition?: string
}>

/** A table comes after those that it refers to. */
export const movedTables: readonly MovedTable[] = [
  {
    name: "metadata",
    key: ["name"],
    condition: `t.name NOT IN (${moveMarks.map((name) => `'${name}'`).join()})`,
  },
  { name: "accounts", key: ["id"], isReferredTo: true },
  { name: "items", key: ["id"], isReferredTo: true },
  { name: "purchases", key: ["code"], isReferredTo: true },
  { name: "purchase_counts", key: ["account_id"] },
  { name: "asked_codes", key: ["code"] },
  { name: "purchase_sites", key: ["code"] },
  { name: "site_releases", key: ["code"] },
  { name: "api_keys", key: ["id"], isReferredTo: true },
  { name: "usage", key: ["key_id", "period", "operation", "outcome"] },
  { name: "key_sightings", key: ["key_id", "network"] },
  { name: "network_calls", key: ["key_id", "network", "day", "operation"] },
  { name: "item_calls", key: ["key_id", "day", "item_id"] },
  {
    name: "failed_calls",
    key: ["key_id", "day", "operation", "reason", "network", "code"],
  },
  { name: "author_calls", key: ["account_id", "day"] },
  { name: "key_rejections", key: ["day", "key_id", "outcome"] },
  { name: "sign_in_rejections", key: ["day", "account_id", "outcome"] },
  { name: "traffic", key: ["unit", "period", "kind", "operation", "detail"] },
  { name: "signing_keys", key: ["place"] },
  { name: "passwords", key: ["account_id"] },
  { name: "known_networks", key: ["account_id", "network"] },
  { name: "invitations", key: ["token_digest"] },
  { name: "second_factors", key: ["account_id"] },
  { name: "recovery_codes", key: ["account_id", "digest"] },
  { name: "preferences", key: ["account_id"] },
  { name: "operators", key: ["id"], isReferredTo: true },
  { name: "operator_passwords", key: ["operator_id"] },
  { name: "operator_known_networks", key: ["operator_id", "network"] },
  { name: "operator_invitations", key: ["token_digest"] },
  { name: "operator_second_factors", key: ["operator_id"] },
  { name: "operator_recovery_codes", key: ["operator_id", "digest"] },
  { name: "operator_tokens", key: ["name"] },
  { name: "audit_events", key: ["id"] },
  { name: "webhook_endpoints", key: ["id"], isReferredTo: true },
  { name: "webhook_events", key: ["id"] },
  { name: "webhook_messages", key: ["id"] },
  { name: "imports", key: ["id"] },
  { name: "pulls", key: ["name"] },
  { name: "waiting", key: ["kind", "identity"] },
  { name: "tombstones", key: ["kind", "identity"] },
]

/** What `pazar migrate` writes into a new store; it comes from the old one instead. */
export const tablesOfNew: readonly string[] = ["metadata", "signing_keys"]

/** Finds a row if a store holds more than that. */
export const selectUsed = [
  `SELECT 1 FROM metadata WHERE name <> '${canaryMark}'`,
  ...movedTables
    .filter(({ name }) => !tablesOfNew.includes(name))
    .map(({ name }) => `SELECT 1 FROM ${name}`),
].join(" UNION ALL ")

/** Sessions end with a move. The others are of one database, or hold what lasts for minutes. */
export const leftOutTables: readonly string[] = [
  "sessions",
  "session_notes",
  "sign_in_links",
  "operator_sessions",
  "operator_session_notes",
  "sign_in_failures",
  "nodes",
  "cached_rows",
  "key_changes",
  "schema_steps",
  "schema_version",
  "move_changes",
]
