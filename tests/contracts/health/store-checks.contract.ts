import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { commandLine } from "../../../src/domain/sign-in/audit-event.ts"
import type { Store } from "../../../src/domain/store.ts"
import {
  accountId,
  accountRecord,
  itemRecord,
  type OpenEmpty,
  purchaseRecord,
  put,
} from "../store-records.ts"

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

    test("samples the requested number of codes, or all", async () => {
      const { sampleCodes } = store.checks
      expect((await sampleCodes(10)).toSorted()).toEqual(["a", "b", "c"])
      const two = await sampleCodes(2)
      expect([two.length, new Set(two).size]).toEqual([2, 2])
    })

    test("finds the newest recorded timestamp", async () => {
      expect(Date.parse((await store.checks.findNewestTimestamp()) ?? "")).toBeLessThan(
        Date.now() + 1,
      )
      const at = "2100-01-02T03:04:05Z"
      await store.audit.insert({
        at,
        kind: "key",
        action: "created",
        actor: commandLine,
        account: { id: await accountId(store, "ada"), username: "ada" },
        subjectId: "key_1",
        subjectName: "Shop",
        count: 1,
      })
      expect(await store.checks.findNewestTimestamp()).toBe(at)
    })

    test("PostgreSQL has a clock of its own", async () => {
      const clock = await store.checks.readClock()
      const differenceMs = Math.abs((clock?.getTime() ?? Date.now()) - Date.now())
      expect(differenceMs).toBeLessThan(60_000)
    })
  })
