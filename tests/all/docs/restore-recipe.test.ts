/** The steps in docs/operating/backup-and-moving.md that restore a store in PostgreSQL. */
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { authorTables, operatorTables } from "../../../src/store/sql/sign-in/sign-in-tables.ts"

test("they end every session and link, as `pazar restore` does", () => {
  const page = readFileSync(
    join(import.meta.dir, "../../../docs/operating/backup-and-moving.md"),
    "utf8",
  )
  const emptied = [...page.matchAll(/-c 'DELETE FROM (\w+)'/g)].map(([, table]) => table)
  // The notes of a session are deleted with it.
  const ended = [authorTables, operatorTables].flatMap(({ sessions, invitations, signInLinks }) =>
    [sessions, invitations, signInLinks].filter((table) => table !== null),
  )
  expect(emptied).toEqual(ended)
})
