import { expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../tests/harness/program.ts"
import { createSqlite } from "../../tests/harness/stores/new-stores.ts"
import type { Node } from "../domain/running/node.ts"
import { adoptMasterKey } from "./master-key.ts"
import { replaceMasterKey } from "./replace-master-key.ts"

test("each server that lacks the new key is told once", async () => {
  const folder = temporaryFolder()
  const { metadata, sealedRows, close } = await createSqlite(join(folder, "pazar.db"))
  const source = { from: "made", path: join(folder, "master-key") } as const
  await adoptMasterKey(metadata, source)
  const node = (id: string): Node => ({
    id,
    host: "h",
    url: `http://${id}`,
    version: "1.0.0",
    threads: 1,
    startedAt: "2026-06-01T12:00:00Z",
    lastSeenAt: "2026-06-01T12:00:00Z",
  })
  const lacking = [node("a"), node("a"), node("b"), node("b")]
  const told: string[] = []
  await replaceMasterKey(
    {
      metadata,
      sealedRows,
      nodes: { list: async () => lacking.splice(0, 1) },
      now: () => new Date("2026-06-01T12:00:00Z"),
      pause: async () => {},
      onWaiting: ({ url }) => told.push(url),
      onProgress: () => {},
    },
    source,
    "before",
  )
  expect(told).toEqual(["http://a", "http://b"])
  await close()
  rmSync(folder, { recursive: true })
})
