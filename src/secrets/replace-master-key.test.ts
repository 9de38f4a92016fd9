import { afterEach, beforeEach, expect, test } from "bun:test"
import { readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../tests/harness/program.ts"
import { createSqlite } from "../../tests/harness/stores/new-stores.ts"
import type { Node } from "../domain/running/node.ts"
import { RefusedError } from "../domain/values/error.ts"
import { adoptMasterKey, nextMark, nextPathOf } from "./master-key.ts"
import { type Replacing, replaceMasterKey } from "./replace-master-key.ts"

let folder: string
let store: Awaited<ReturnType<typeof createSqlite>>
let source: Readonly<{ from: "made"; path: string }>
beforeEach(async () => {
  folder = temporaryFolder()
  store = await createSqlite(join(folder, "pazar.db"))
  source = { from: "made", path: join(folder, "master-key") }
  await adoptMasterKey(store.metadata, source)
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

const node = (id: string): Node => ({
  id,
  host: "h",
  url: `http://${id}`,
  version: "1.0.0",
  threads: 1,
  startedAt: "2026-06-01T12:00:00Z",
  lastSeenAt: "2026-06-01T12:00:00Z",
})

const replace = (
  list: () => Promise<readonly Node[]>,
  changed: Partial<Pick<Replacing, "onWaiting" | "pause">> = {},
) =>
  replaceMasterKey(
    {
      metadata: store.metadata,
      sealedRows: store.sealedRows,
      nodes: { list },
      now: () => new Date("2026-06-01T12:00:00Z"),
      pause: async () => {},
      onWaiting: () => {},
      onProgress: () => {},
      ...changed,
    },
    source,
    "before",
  )

test("each server that lacks the new key is told once", async () => {
  const lacking = [node("a"), node("a"), node("b"), node("b")]
  const told: string[] = []
  await replace(async () => lacking.splice(0, 1), { onWaiting: ({ url }) => told.push(url) })
  expect(told).toEqual(["http://a", "http://b"])
})

test("a new key that was lost before anything was sealed with it gives way to another", async () => {
  await expect(replace(async () => [node("a")])).rejects.toThrow(RefusedError)
  rmSync(nextPathOf(source.path))
  expect(await replace(async () => [])).toMatchObject({ path: source.path })
  expect(await store.metadata.find(nextMark)).toBeNull()
})

test("a new key that has sealed is never given up for another", async () => {
  const stop = () => Promise.reject(new Error("killed"))
  await expect(replace(async () => [], { pause: stop })).rejects.toThrow("killed")
  rmSync(nextPathOf(source.path))
  await expect(replace(async () => [])).rejects.toThrow(RefusedError)
})

test("of two replacements at once the first gives way, before it seals", async () => {
  const first = replace(async () => {
    await store.metadata.put(nextMark, "announced another")
    return []
  })
  await expect(first).rejects.toThrow(RefusedError)
})

test("of two that seal at once the later one keeps no copy of the new key", async () => {
  let isFirst = true
  const second = replace(async () => [], {
    async pause() {
      if (isFirst) await replace(async () => [])
      isFirst = false
      rmSync(`${source.path}.replaced-before`, { force: true })
    },
  })
  await expect(second).rejects.toThrow(RefusedError)
  expect(readdirSync(folder).filter((name) => name.startsWith("master-key"))).toEqual([
    "master-key",
  ])
})
