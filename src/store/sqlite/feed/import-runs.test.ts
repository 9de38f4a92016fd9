import { Database } from "bun:sqlite"
import { afterAll, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../../../tests/harness/program.ts"
import { createSqlite } from "../../../../tests/harness/stores/new-stores.ts"

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true }))

test("a thousand runs of each way are kept: many pushes do not displace the imports of files", async () => {
  const path = join(folder, "runs.db")
  const store = await createSqlite(path)
  const db = new Database(path)
  db.run(`INSERT INTO imports (source, via, line, started_at) VALUES ('a file', 'file', 1, 'then')`)
  db.run(`WITH RECURSIVE pushes (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM pushes LIMIT 1100)
    INSERT INTO imports (source, via, line, started_at) SELECT 'a push', 'push', at, 'then' FROM pushes`)
  db.close()
  const writer = await store.feed.openBatches({ source: "a push", via: "push" })
  await writer.finish({
    counts: { accepted: 0, adjusted: 0, waiting: 0, rejected: 0, removed: 0 },
    refusals: { groups: [], otherKinds: 0, otherProblems: 0 },
    removalProblem: null,
  })
  const runs = await store.feed.listRuns(5_000)
  const pushes = runs.filter(({ via }) => via === "push")
  // The newest is the empty one, of line 0.
  expect([pushes.length, pushes[0]?.line, pushes.at(-1)?.line]).toEqual([1_000, 0, 102])
  expect(await store.feed.findLastRun("a file")).toMatchObject({ via: "file", line: 1 })
  await store.close()
})
