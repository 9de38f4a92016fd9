import { expect, test } from "bun:test"
import { sampleWorld } from "../../domain/catalogue/sample-world.ts"
import { publicTestKey } from "../../domain/keys/api-key.ts"
import { unlimited } from "../../domain/running/limits.ts"
import { createInFlight } from "../../limits/in-flight.ts"
import { createLog } from "../../log/log.ts"
import { createResponseCache } from "../api/answer/response-cache.ts"
import type { Server } from "../request/handler.ts"
import { createApiRoutes } from "./routes.ts"

test("every call with a key is concluded, with whether the key was accepted", async () => {
  const counted: string[] = []
  const keys = {
    accepted: { ...publicTestKey, id: "key_accepted" },
    revoked: { ...publicTestKey, id: "key_revoked", revokedAt: "2026-01-01T00:00:00Z" },
    expired: { ...publicTestKey, id: "key_expired", expiresAt: "2026-01-01T00:00:00Z" },
  }
  const routes = createApiRoutes({
    api: {
      catalogue: sampleWorld,
      sampleWorld,
      siteLocale: "en",
      now: () => new Date(),
      limits: unlimited,
      inFlight: createInFlight(),
      findEarlierKey: () => null,
      lookUpKey: async () => null,
      findCachedKey: (secret) => keys[secret as keyof typeof keys], // only these are sent
      cache: createResponseCache(),
      prepareSigning: async () => () => null,
    },
    log: createLog("silent", () => {}),
    callerOf: () => ({ address: () => "192.0.2.1" }),
    conclude(response, { route }, { keyId, reason, isKeyAccepted }, caller) {
      counted.push(`${keyId} ${route} ${reason} ${isKeyAccepted} ${caller?.address()}`)
      return response
    },
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
    "key_accepted read_account ok true 192.0.2.1",
    "key_revoked read_account revoked_key false 192.0.2.1",
    "key_expired read_account expired_key false 192.0.2.1",
  ])
})
