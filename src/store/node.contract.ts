import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import type { OpenEmpty } from "../../tests/harness/stores/store-records.ts"
import type { Node } from "./node.ts"
import type { Store } from "./store.ts"

const one: Node = {
  id: "node_1",
  host: "pazar-7f",
  url: "http://0.0.0.0:8080",
  version: "1.2.3",
  threads: 4,
  startedAt: "2026-06-30T12:00:00Z",
  lastSeenAt: "2026-06-30T12:10:00Z",
}
const later: Node = { ...one, id: "node_0", host: "İzmir", startedAt: "2026-06-30T12:05:00Z" }

export const nodeStoreContract = (adapter: string, open: OpenEmpty) =>
  describe(`NodeStore on ${adapter}`, () => {
    let store: Store
    beforeEach(async () => {
      store = await open()
      await store.nodes.put(later)
      await store.nodes.put(one)
    })
    afterEach(() => store.close())

    const list = (since = one.startedAt) => store.nodes.list(since)

    test("lists the nodes seen since a timestamp, oldest first", async () => {
      expect(await list()).toEqual([one, later])
      expect(await list(one.lastSeenAt)).toEqual([one, later])
      expect(await list("2026-06-30T12:10:01Z")).toEqual([])
    })

    test("putting a node again updates when it was last seen", async () => {
      const seenAgain = { ...one, lastSeenAt: "2026-06-30T12:11:00Z" }
      await store.nodes.put(seenAgain)
      expect(await list("2026-06-30T12:10:01Z")).toEqual([seenAgain])
      expect(await list()).toHaveLength(2)
    })

    test("removes a node, and deletes expired ones", async () => {
      await store.nodes.put({ ...later, lastSeenAt: "2026-06-30T12:11:00Z" })
      await store.nodes.deleteExpired("2026-06-30T12:10:01Z")
      expect((await list()).map(({ id }) => id)).toEqual(["node_0"])
      await store.nodes.remove("node_1")
      await store.nodes.remove("node_0")
      expect(await list()).toEqual([])
    })
  })
