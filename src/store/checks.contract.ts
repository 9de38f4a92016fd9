import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import {
  accountId,
  accountRecord,
  itemRecord,
  type OpenEmpty,
  purchaseRecord,
  put,
} from "../../tests/harness/stores/store-records.ts"
import { commandLine } from "../access/actor.ts"
import { message } from "../platform/problem.ts"
import type { Store } from "./store.ts"

export const storeChecksContract = (adapter: string, open: OpenEmpty) =>
  describe(`StoreChecks on ${adapter}`, () => {
    let store: Store
    beforeEach(async () => {
      store = await open()
      await put(store, accountRecord("ada"), itemRecord("ada", 1))
      await put(store, ...["a", "b", "c"].map((code) => purchaseRecord(code, 1)))
    })
    afterEach(() => store.close())

    test.each([true, false])(
      "an intact database has no corruption; thorough: %p",
      async (isThorough) => {
        expect(await store.checks.listCorruption(isThorough)).toEqual([])
      },
    )

    test("finds the time of the last import or action, not one from a clock that was ahead before", async () => {
      const isPast = async () =>
        Date.parse((await store.checks.findNewestTimestamp()) ?? "") <= Date.now()
      expect(await isPast()).toBe(true)
      const account = { id: await accountId(store, "ada"), username: "ada" }
      const insert = (at: string) =>
        store.audit.insert({
          at,
          kind: "key",
          action: "created",
          actor: commandLine,
          account,
          subjectId: "key_1",
          subjectName: "Shop",
          count: 1,
        })
      const ahead = "2100-01-02T03:04:05Z"
      await insert(ahead)
      expect(await store.checks.findNewestTimestamp()).toBe(ahead)
      await insert("2026-01-02T03:04:05Z")
      expect(await isPast()).toBe(true)
      await store.pulls.recordRound({
        name: "shop",
        everySeconds: 60,
        startedAt: ahead,
        endedAt: ahead,
        problem: message("internal_error"),
        isSuccess: false,
        runBefore: 99,
      })
      expect(await store.checks.findNewestTimestamp()).toBe(ahead)
      await put(store, accountRecord("bora"))
      expect(await isPast()).toBe(true)
    })

    test("PostgreSQL has a clock of its own", async () => {
      const clock = await store.checks.readClock()
      const differenceMs = Math.abs((clock?.getTime() ?? Date.now()) - Date.now())
      expect(differenceMs).toBeLessThan(60_000)
    })
  })
