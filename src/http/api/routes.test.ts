import { expect, test } from "bun:test"
import { admitAll } from "../../domain/admission.ts"
import { publicTestKey } from "../../domain/public-test-key.ts"
import { unlimited } from "../../domain/rate-limits.ts"
import { sampleWorld } from "../../domain/sample-world.ts"
import { createWorkQueue, untilNextTurn } from "../../domain/work-queue.ts"
import { createLog } from "../../log.ts"
import type { Server } from "../handler.ts"
import { createCompression } from "./compression.ts"
import { createResponseCache } from "./response-cache.ts"
import { createApiRoutes } from "./routes.ts"

test("calls with a key that is refused are counted, but not the networks they come from", async () => {
  const counted: string[] = []
  const keys = {
    accepted: { ...publicTestKey, id: "key_accepted" },
    revoked: { ...publicTestKey, id: "key_revoked", revokedAt: "2026-01-01T00:00:00Z" },
    expired: { ...publicTestKey, id: "key_expired", expiresAt: "2026-01-01T00:00:00Z" },
  }
  const routes = createApiRoutes({
    api: {
      ...{ catalogue: sampleWorld, sampleWorld, siteLocale: "en", now: () => new Date() },
      ...{ ...unlimited, lookUpKey: () => null },
      findCachedKey: (secret) => keys[secret as keyof typeof keys], // only these are sent
      cache: createResponseCache(() => {}),
      compression: createCompression(createWorkQueue(1, untilNextTurn)),
      inOwnTurn: createWorkQueue(1, untilNextTurn),
      prepareSigning: () => () => null,
    },
    usage: {
      count: (keyId, operation, outcome) => counted.push(`${keyId} ${operation} ${outcome}`) > 0,
      see: (keyId) => counted.push(`${keyId} was seen`),
    },
    askedCodes: { note: () => {} },
    admission: admitAll,
    log: createLog("silent", () => {}),
    callerOf: () => ({ address: () => "" }),
    conclude: (response) => response,
    currentBaseUrl: () => "http://pazar",
    common: {},
  })
  const handle = routes["/api/account/details"]
  // Only long lists and networks ask the server for something.
  const server = {} as Server
  const statuses: (number | undefined)[] = []
  for (const secret of Object.keys(keys)) {
    const request = new Request("http://pazar/", { headers: { "X-Api-Key": secret } })
    statuses.push((await handle?.(request, server))?.status)
  }
  expect(statuses).toEqual([200, 401, 401])
  expect(counted).toEqual([
    ...["key_accepted read_account ok", "key_accepted was seen"],
    ...["key_revoked read_account revoked_key", "key_expired read_account expired_key"],
  ])
})
