import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import {
  keyRecord,
  type OpenEmpty,
  openWithAuthors,
  put,
} from "../../tests/harness/stores/store-records.ts"
import type { Store } from "../store/store.ts"
import type { FailedRequest, LoggedRequest } from "./usage.ts"

const now = "2026-06-22T12:00:00Z"

export const failedRequestStoreContract = (adapter: string, open: OpenEmpty) =>
  describe(`FailedRequestStore on ${adapter}`, () => {
    let store: Store
    let ada: number
    let bob: number
    beforeEach(async () => {
      ;[store, ada, bob] = await openWithAuthors(open)
      await store.keys.insert(keyRecord("key_1", { accountId: ada }))
      await store.keys.insert(keyRecord("key_2", { accountId: bob, kind: "vk", name: "Tema" }))
    })
    afterEach(() => store.close())

    const failed = (at: string, changes: Partial<FailedRequest> = {}): FailedRequest => ({
      keyId: "key_1",
      operation: "validate_purchase",
      reason: "unknown_code",
      ipRange: "192.0.2.0/24",
      code: "8f14…3e21",
      firstAt: at,
      lastAt: at,
      calls: 1,
      ...changes,
    })
    const logged = (call: FailedRequest): LoggedRequest => ({
      ...call,
      ...(call.keyId === "key_1"
        ? ({ accountId: ada, username: "ada", name: "Anahtar", kind: "sk" } as const)
        : ({ accountId: bob, username: "bob", name: "Tema", kind: "vk" } as const)),
    })
    const add = (...failures: readonly FailedRequest[]) => store.counts.add(now, { failures })
    const list = (account = ada, at = now) => store.failedRequests.list(account, at)
    async function thinAll(at: string): Promise<void> {
      let after: string | null = ""
      while (after !== null) after = await store.counts.prune(at, after, 1_000)
    }

    test("lists the failed requests of the author, newest first", async () => {
      const early = failed("2026-06-22T08:00:00Z")
      const late = failed("2026-06-22T09:00:00Z", { reason: "rate_limited", code: "", calls: 7 })
      const ofBob = failed("2026-06-22T10:00:00Z", { keyId: "key_2" })
      await add(early, late, ofBob, failed("2026-06-22T11:00:00Z", { keyId: "key_gone" }))
      expect(await list()).toEqual([logged(late), logged(early)])
      expect(await list(bob)).toEqual([logged(ofBob)])
    })

    test("lists the failed requests of all authors with the given error codes, without test keys", async () => {
      await store.keys.insert(keyRecord("key_test", { accountId: bob, kind: "tk" }))
      const early = failed("2026-06-22T08:00:00Z")
      const late = failed("2026-06-22T10:00:00Z", { keyId: "key_2" })
      const others = [
        failed(now, { reason: "rate_limited" }),
        failed(now, { keyId: "key_test" }),
        failed("2026-06-15T12:00:00Z"),
      ]
      await add(early, late, ...others)
      const { listOfAll } = store.failedRequests
      expect(await listOfAll(["unknown_code"], now)).toEqual([logged(late), logged(early)])
      expect(await listOfAll(["unknown_code", "rate_limited", "no_items"], now)).toEqual(
        [failed(now, { reason: "rate_limited" }), late, early].map(logged),
      )
      expect(await listOfAll([], now)).toEqual([])
    })

    test("equal requests of a day are one entry with first and last timestamp", async () => {
      await add(failed("2026-06-22T08:00:00Z", { calls: 2 }))
      await add(failed("2026-06-22T07:00:00Z"))
      await add(failed("2026-06-22T09:00:00Z", { calls: 4 }))
      await add(failed("2026-06-21T23:59:59Z"))
      const [firstAt, lastAt] = ["2026-06-22T07:00:00Z", "2026-06-22T09:00:00Z"]
      expect(await list()).toEqual([
        logged(failed("", { firstAt, lastAt, calls: 7 })),
        logged(failed("2026-06-21T23:59:59Z")),
      ])
    })

    test("entries that differ in any column are separate", async () => {
      const at = "2026-06-22T08:00:00Z"
      const differences: readonly Partial<FailedRequest>[] = [
        {},
        { operation: "release_site" },
        { reason: "site_limit" },
        { ipRange: "" },
        { code: "" },
      ]
      await add(...differences.map((each) => failed(at, each)))
      const listed = await list()
      expect(listed).toHaveLength(differences.length)
      expect(listed).toEqual(
        expect.arrayContaining(differences.map((each) => logged(failed(at, each)))),
      )
    })

    test("keeps the newest 500 entries of an author", async () => {
      const start = Date.parse("2026-06-22T00:00:00Z")
      const at = (second: number) =>
        new Date(start + second * 1000).toISOString().replace(".000", "")
      const ofBob = failed("2026-06-20T00:00:00Z", { keyId: "key_2" })
      await add(ofBob)
      for (let first = 0; first < 1_500; first += 50) {
        const some = Array.from({ length: 50 }, (_, index) =>
          failed(at(first + index), {
            code: `code ${first + index}`,
          }),
        )
        await add(...some)
      }
      const listed = await list()
      expect(listed).toHaveLength(500)
      expect(listed[0]?.code).toBe("code 1499")
      expect(listed.at(-1)?.code).toBe("code 1000")
      expect(await list(bob)).toEqual([logged(ofBob)])
      // One row at a time, so that the deleted rows are counted.
      let rows = 0
      while ((await store.counts.prune("2027-01-01T00:00:00Z", "", 1)) === "") rows += 1
      expect(rows).toBeLessThanOrEqual(650)
    })

    test("entries older than 7 days are not listed, and are deleted", async () => {
      await add(failed("2026-06-14T23:00:00Z"), failed("2026-06-16T12:00:00Z"))
      expect(await list()).toEqual([logged(failed("2026-06-16T12:00:00Z"))])
      await thinAll(now)
      expect(await list(ada, "2026-06-17T00:00:00Z")).toEqual([
        logged(failed("2026-06-16T12:00:00Z")),
      ])
    })

    test("deleting an account deletes its entries", async () => {
      await add(failed(now), failed(now, { keyId: "key_2" }))
      await put(store, { type: "deleted account", username: "ada" })
      expect(await list()).toEqual([])
      expect(await list(bob)).toHaveLength(1)
    })
  })
