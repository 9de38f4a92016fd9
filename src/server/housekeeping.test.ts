import { expect, test } from "bun:test"
import { createClock } from "../../tests/harness/clock.ts"
import { createLog } from "../platform/log.ts"
import type { Node, NodeStore } from "../store/node.ts"
import { openNodeHeartbeat } from "./housekeeping.ts"

const node = { id: "node_1", host: "a", url: "http://a:8080", version: "1.2.3", threads: 2 }

function open(fault: Error | null = null) {
  const storedNodes = new Map<string, Node>()
  const forgotten: string[] = []
  const clock = createClock()
  let text = ""
  let passMinute = () => {}
  const orFail = async (work: () => void) => {
    if (fault !== null) throw fault
    work()
  }
  const nodes: NodeStore = {
    put: (each) => orFail(() => storedNodes.set(each.id, each)),
    remove: (id) => orFail(() => storedNodes.delete(id)),
    list: async () => [...storedNodes.values()],
    deleteExpired: (before) => orFail(() => forgotten.push(before)),
  }
  const log = createLog("info", (more) => {
    text += more
  })
  const every = (ms: number, work: () => void) => {
    expect(ms).toBe(60_000)
    passMinute = () => {
      clock.forward(60)
      work()
    }
    return () => {
      passMinute = () => {}
    }
  }
  const heartbeat = openNodeHeartbeat({ nodes, now: clock.now, every, log }, node)
  const logged = () => {
    log.flush()
    return text
  }
  return {
    heartbeat,
    storedNodes,
    forgotten,
    passMinute: () => passMinute(),
    logged,
  }
}

test("a node is recorded immediately, updated every minute, and deleted at the end", async () => {
  const { heartbeat, storedNodes, forgotten, passMinute } = open()
  const startedAt = "2026-06-15T12:00:00Z"
  expect([...storedNodes.values()]).toEqual([{ ...node, startedAt, lastSeenAt: startedAt }])
  passMinute()
  await heartbeat.close()
  expect(forgotten).toEqual(["2026-06-14T12:00:00Z", "2026-06-14T12:01:00Z"])
  expect(storedNodes.size).toBe(0)
})

test("a read-only database is logged and does not stop the server", async () => {
  const { heartbeat, logged } = open(new Error("the store is lost"))
  await heartbeat.close()
  expect(logged()).toMatch(/"level":"error".*the store is lost/)
})
