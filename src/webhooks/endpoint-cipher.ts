import { randomBytes } from "node:crypto"
import { randomBase62 } from "../platform/crypto/base62.ts"
import {
  createCipher,
  deriveId,
  idLength,
  keysOf,
  type MasterKey,
  type MasterKeys,
  subKey,
} from "../platform/crypto/cipher.ts"
import type { EndpointCipher } from "./endpoint.ts"
import type { EventCipher } from "./event.ts"

const secretBytes = 32

export function createEndpointCipher(master: MasterKey | MasterKeys): EndpointCipher {
  const idKey = subKey(keysOf(master).current, "webhook id")
  return {
    createEndpointId: () => `ep_${randomBase62(idLength)}`,
    deriveEndpointId: (text) => `ep_${deriveId(idKey, text)}`,
    createSecret: () => `whsec_${randomBytes(secretBytes).toString("base64")}`,
    ...createCipher<string>(master, "webhook", (endpointId) => [endpointId]),
  }
}

export const createEventCipher = (master: MasterKey | MasterKeys): EventCipher =>
  createCipher<string>(master, "event", (type) => [type])
