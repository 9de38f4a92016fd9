/** Judges a feed batch by batch and keeps the changes in a temporary table, which locks nothing. */
import type { Database } from "bun:sqlite"
import type { FeedJudge, FeedRecord } from "../../domain/feed.ts"
import { type JudgedRow, judgedRowsOf, overlayFound } from "../../domain/feed-judging.ts"
import { decideBatch, type Found, type Mentions, mentionsOf } from "../../domain/feed-rules.ts"
import { read } from "./database.ts"
import { prepareFoundReader } from "./feed-found.ts"

const temporaryTable = `
  CREATE TEMP TABLE judged (
    kind     TEXT NOT NULL,
    identity TEXT NOT NULL,
    parent   TEXT NOT NULL,
    lookup   TEXT,
    value    TEXT,
    is_gone  INTEGER NOT NULL,
    PRIMARY KEY (kind, identity)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX temp.judged_by_parent ON judged (kind, parent);
  CREATE INDEX temp.judged_by_lookup ON judged (lookup) WHERE lookup IS NOT NULL;`

/** Takes the connection over and closes it. */
export function openJudge(own: Database): FeedJudge {
  own.run(temporaryTable)
  const judged = prepareJudged(own)
  const readFound = prepareFoundReader(own, {
    isItem: (id) => judged.has("item", `${id}`),
    isPurchase: (code) => judged.has("purchase", code),
  })
  const removedAccounts = new Set<string>()

  function judge(records: readonly FeedRecord[]) {
    const mentions = mentionsOf(records)
    const found = judged.addInUse(readFound(mentions), mentions)
    const known = overlayFound(found, judged.list(mentions), removedAccounts)
    const { verdicts, changes } = decideBatch(records, known)
    for (const { username } of changes.accounts.removed) {
      removedAccounts.add(username)
      judged.removeSecrets(username)
    }
    judged.put(judgedRowsOf(changes))
    return verdicts
  }
  return {
    // One transaction a batch: it reads one state of the store, and does not hold on to it.
    judge: (records) => read(() => own.transaction(judge)(records)),
    async close() {
      own.close()
    },
  }
}

type Row = Omit<JudgedRow, "isGone"> & { isGone: number }

function prepareJudged(own: Database) {
  const columns = `kind, identity, parent, lookup, value, is_gone AS "isGone"`
  const find = own.query<Row, [string, string]>(
    `SELECT ${columns} FROM temp.judged WHERE kind = ? AND identity = ?`,
  )
  const findByLookup = own.query<Row, [string]>(
    `SELECT ${columns} FROM temp.judged WHERE lookup = ?`,
  )
  const listIdentities = own.query<{ identity: string }, [string, string]>(
    "SELECT identity FROM temp.judged WHERE kind = ? AND parent = ? AND is_gone = 0",
  )
  const insert = own.query(
    `INSERT OR REPLACE INTO temp.judged (kind, identity, parent, lookup, value, is_gone)
     VALUES ($kind, $identity, $parent, $lookup, $value, $isGone)`,
  )
  const removeSecrets = own.query(
    "DELETE FROM temp.judged WHERE kind IN ('key', 'password') AND parent = ?",
  )

  function hasOther(kind: "item" | "purchase", parent: string, mentioned: ReadonlySet<unknown>) {
    for (const { identity } of listIdentities.iterate(kind, parent)) {
      if (!mentioned.has(kind === "item" ? Number(identity) : identity)) return true
    }
    return false
  }

  return {
    has: (kind: JudgedRow["kind"], identity: string) => find.get(kind, identity) !== null,
    list(mentions: Mentions): readonly JudgedRow[] {
      const ofKind = (kind: JudgedRow["kind"], identities: Iterable<unknown>) =>
        Array.from(identities, (identity) => find.get(kind, `${identity}`))
      const rows = [
        ...ofKind("account", mentions.usernames),
        ...ofKind("item", mentions.itemIds),
        ...ofKind("purchase", mentions.codes),
        ...ofKind("key", mentions.keyIds),
        ...mentions.lookups.map((lookup) => findByLookup.get(Buffer.from(lookup).toString("hex"))),
        ...ofKind("password", mentions.passwordUsernames),
      ]
      return rows.flatMap((row) => (row === null ? [] : [{ ...row, isGone: row.isGone === 1 }]))
    },
    /** Adds the parents that are in use by what earlier batches brought. */
    addInUse(found: Found, { deletedUsernames, deletedItemIds, itemIds, codes }: Mentions): Found {
      const authors = [...deletedUsernames].filter((name) => hasOther("item", name, itemIds))
      const sold = [...deletedItemIds].filter((id) => hasOther("purchase", `${id}`, codes))
      return {
        ...found,
        accountsInUse: new Set([...found.accountsInUse, ...authors]),
        itemsInUse: new Set([...found.itemsInUse, ...sold]),
      }
    },
    put(rows: readonly JudgedRow[]): void {
      for (const row of rows) insert.run({ ...row, isGone: row.isGone ? 1 : 0 })
    },
    removeSecrets(username: string): void {
      removeSecrets.run(username)
    },
  }
}
