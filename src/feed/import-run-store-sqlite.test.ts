import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { createSqlite } from "../../tests/harness/stores/create-stores.ts"
import { createSqlitePaths } from "../../tests/harness/stores/sqlite-paths.ts"
import { emptyOutcome } from "./import-run.ts"

const freshPath = createSqlitePaths()

test("a thousand runs per method are kept: pushes do not displace file imports", async () => {
  const path = freshPath()
  const store = await createSqlite(path)
  const db = new Database(path)
  db.run(`INSERT INTO imports (source, via, line, started_at) VALUES ('a file', 'file', 1, 'then')`)
  db.run(`WITH RECURSIVE pushes (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM pushes LIMIT 1198)
    INSERT INTO imports (source, via, line, started_at) SELECT 'a push', 'push', at, 'then' FROM pushes`)
  db.close()
  const finish = async () => {
    const writer = await store.feed.openBatches({ source: "a push", via: "push" })
    await writer.finish(new Date(), emptyOutcome)
    const pushes = (await store.feed.listRuns(5_000)).filter(({ via }) => via === "push")
    return [pushes.length, pushes[0]?.line, pushes.at(-1)?.line]
  }
  // The newest run is empty, with line 0. Old runs are deleted after run 1200, not after every run.
  expect(await finish()).toEqual([1_000, 0, 200])
  expect(await finish()).toEqual([1_001, 0, 200])
  expect(await store.feed.findLastRun("a file")).toMatchObject({ via: "file", line: 1 })
  await store.close()
})
