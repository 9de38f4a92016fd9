import { createWorkQueue } from "../platform/timers.ts"
import { type PasswordHasher, passwordCharactersMax } from "./password.ts"

export type PasswordCost = Readonly<{ memoryCost: number; timeCost: number }>

export const owaspCost: PasswordCost = { memoryCost: 19_456, timeCost: 2 }
/** A hash takes 19 MB and about 80 ms of a core. */
const concurrentMax = 2
/** A longer queue would take more than two seconds: return 503 instead. */
const queuedMax = 40
/** UTF-16 units. Allows for accents that are typed as separate characters. */
const unitsMax = 4 * passwordCharactersMax

export function createPasswordHasher(cost = owaspCost): PasswordHasher {
  // Argon2 runs on other threads, so the event loop needs no pause between two hashes.
  const queue = createWorkQueue(concurrentMax, () => Promise.resolve(), queuedMax)
  const options = { algorithm: "argon2id", ...cost } as const
  const dummyHash = createDummyHash(cost)
  return {
    hash: (password) => queue(() => Bun.password.hash(normalize(password), options)),
    async verify(password, hash) {
      // No stored password is longer. Normalizing a run of accents takes quadratic time.
      const isPossible = password.length <= unitsMax
      const normalized = isPossible ? normalize(password) : "-"
      const isMatch = await queue(() => Bun.password.verify(normalized, hash ?? dummyHash))
      return isMatch && isPossible && hash !== null
    },
  }
}

/** Verified for unknown usernames, so that they take as long as existing ones. */
const createDummyHash = ({ memoryCost, timeCost }: PasswordCost) =>
  `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=1$${"A".repeat(43)}$${"A".repeat(43)}`

/** Keyboards produce composed or decomposed characters for the same password. */
const normalize = (password: string) => password.normalize("NFKC")
