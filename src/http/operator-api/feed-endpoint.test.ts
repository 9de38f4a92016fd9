import { expect, test } from "bun:test"
import type { FeedStore } from "../../domain/feed/feed-record.ts"
import { StoreUnavailable } from "../../domain/store.ts"
import { handleFeed } from "./feed-endpoint.ts"

/** A store that cannot be written to, and what the listener was told. */
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
  }
  const nothing = () => {
    throw new Error("no secret is in this feed")
  }
  const secrets = {
    prepareKey: nothing,
    keys: { lookup: nothing, encrypt: nothing, decrypt: nothing },
    passwords: { encrypt: nothing, decrypt: nothing },
    travel: { sealKey: nothing, unsealKey: nothing, createFeedSeal: nothing },
    mayReplacePasswords: false,
  }
  const told: unknown[] = []
  const request = new Request("http://a/operator/feed", { method })
  const response = await handleFeed(
    { feed, secrets, audit: { tally: nothing }, now: nothing },
    {
      request,
      actor: { kind: "token", name: "shop", ipRange: "" },
      onAdmitted: () => told.push("admitted"),
      onImported: () => told.push("taken"),
      onFault: (what) => told.push(what),
    },
  )
  return { status: response.status, told, fault }
}

test("405: a request that does not push is given no time", async () => {
  expect((await push("GET")).told).toEqual([])
})

test("503: what is wrong with the store is told to the operator, once admitted", async () => {
  const { status, told, fault } = await push("POST")
  expect(status).toBe(503)
  expect(told).toEqual(["admitted", fault])
})
