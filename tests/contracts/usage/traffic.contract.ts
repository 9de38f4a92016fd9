import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import type { Store } from "../../../src/domain/store.ts"
import type { TrafficCount, TrafficUnit } from "../../../src/domain/usage/usage.ts"
import type { OpenEmpty } from "../store-records.ts"

const request = (count: number, detail = "ok", operation = "read_item"): TrafficCount => ({
  kind: "request",
  operation,
  detail,
  count,
})
const signIn: TrafficCount = { kind: "sign_in", operation: "", detail: "wrong", count: 3 }

export const trafficStoreContract = (adapter: string, open: OpenEmpty) =>
  describe(`TrafficStore on ${adapter}`, () => {
    let store: Store
    beforeEach(async () => {
      store = await open()
    })
    afterEach(() => store.close())

    const add = (hour: string, ...counts: TrafficCount[]) =>
      store.counts.add(hour, { traffic: counts })
    const later = "2026-07-01T00:00:00Z"
    const totals = (since: string, unit: TrafficUnit = "hour", until = later) =>
      store.traffic.listTotals(since, until, unit)
    const list = (since: string, until: string, unit: TrafficUnit) =>
      store.traffic.listRequests(["read_item", "list_items"], since, until, unit)

    test("adds up what any number of programs add, from the hour of a moment on", async () => {
      await Promise.all([
        add("2026-06-22T10:00:00Z", request(1), signIn),
        add("2026-06-22T11:00:00Z", request(10), request(5, "unknown_item")),
        add("2026-06-22T11:00:00Z", request(100)),
        add("2026-06-22T11:00:00Z", request(7, "ok", "validate_purchase")),
      ])
      expect(await totals("2026-06-22T11:59:59Z")).toEqual([
        request(110),
        request(5, "unknown_item"),
        request(7, "ok", "validate_purchase"),
      ])
      expect(await totals("2026-06-21T12:00:00Z")).toContainEqual(signIn)
      expect(await totals("2026-06-22T12:00:00Z")).toEqual([])
      expect(await totals("2026-06-22T12:00:00Z", "day")).toContainEqual(request(111))
      expect(await totals("2026-06-22T09:00:00Z", "hour", "2026-06-22T10:59:59Z")).toEqual([
        request(1),
        signIn,
      ])
    })

    test("lists the requests of each hour or day, oldest first", async () => {
      await add("2026-06-22T23:00:00Z", request(4), signIn, request(90, "ok", "page"))
      await add("2026-06-22T09:00:00Z", request(1), request(2, "missing_key", "list_items"))
      await add("2026-06-22T23:00:00Z", request(5, "ok", "list_items"))
      await add("2026-06-23T00:00:00Z", request(8))
      const row = (period: string, reason: string, count: number) => ({ period, reason, count })
      expect(await list("2026-06-22T09:30:00Z", later, "hour")).toEqual([
        row("2026-06-22T09", "missing_key", 2),
        row("2026-06-22T09", "ok", 1),
        row("2026-06-22T23", "ok", 9),
        row("2026-06-23T00", "ok", 8),
      ])
      expect(await list("2026-06-22T09:30:00Z", later, "day")).toEqual([
        row("2026-06-22", "missing_key", 2),
        row("2026-06-22", "ok", 10),
        row("2026-06-23", "ok", 8),
      ])
      expect(await list("2026-06-23T00:00:00Z", "2026-06-23T23:59:59Z", "day")).toEqual([
        row("2026-06-23", "ok", 8),
      ])
    })

    test("forgets hours after a week and days after 400, in batches", async () => {
      await add("2025-05-18T23:00:00Z", request(1))
      await add("2025-05-19T00:00:00Z", request(2))
      for (const hour of [10, 11, 12]) await add(`2026-06-15T${hour}:00:00Z`, request(hour))
      await add("2026-06-16T00:00:00Z", request(50))
      const removed: number[] = []
      do removed.push(await store.counts.forget("2026-06-23T12:00:00Z", 2))
      while (removed.at(-1) !== 0)
      expect(removed).toEqual([3, 2, 1, 0])
      const kept = async (unit: TrafficUnit) =>
        (await list("2020-01-01T00:00:00Z", later, unit)).map(({ period, count }) => [
          period,
          count,
        ])
      expect(await kept("hour")).toEqual([["2026-06-16T00", 50]])
      expect(await kept("day")).toEqual([
        ["2025-05-19", 2],
        ["2026-06-15", 33],
        ["2026-06-16", 50],
      ])
    })
  })
