import { expect, test } from "bun:test"
import { StoreUnavailable } from "../platform/error.ts"
import { handleFeed } from "./feed-endpoints.ts"
import type { FeedStore } from "./import-run.ts"

/** Pushes a feed to a database that cannot be written to, and collects the calls to the listener. */
async function push(method: string) {
  const fault = new StoreUnavailable("database or disk is full")
  const fail = () => Promise.reject(fault)
  const feed: FeedStore = {
    openBatches: fail,
    openDryRun: fail,
    findLastRun: fail,
    listLastFinishes: fail,
    listImportCounts: fail,
    findRun: fail,
    listRuns: fail,
    listTroubledRuns: fail,
    recordFailure: fail,
    readPending: fail,
    openSnapshot: fail,
    deleteOldTombstones: fail,
    listWrongSums: fail,
    repairSums: fail,
  }
  const unused = () => {
    throw new Error("this feed has no secrets")
  }
  const events: unknown[] = []
  const request = new Request("http://a/operator/feed", { method })
  const response = await handleFeed(
    { feed, prepareKey: unused, audit: { insert: unused, tally: unused }, now: unused },
    {
      request,
      actor: { kind: "token", name: "shop", ipRange: "" },
      onAdmitted: () => events.push("admitted"),
      onImported: () => events.push("imported"),
      onFault: (fault) => events.push(fault),
    },
  )
  return { status: response.status, events, fault }
}

test("405: GET is rejected before the timeout is lifted", async () => {
  expect((await push("GET")).events).toEqual([])
})

test("503: a database error is reported to the listener", async () => {
  const { status, events, fault } = await push("POST")
  expect(status).toBe(503)
  expect(events).toEqual(["admitted", fault])
})
