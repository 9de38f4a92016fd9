/** Argon2id, a few at a time: at OWASP's cost each takes 19 MB and about 80 ms of a core. */
import { type PasswordHasher, passwordCharactersMax } from "../../domain/sign-in/password.ts"
import { createWorkQueue } from "../../domain/values/work-queue.ts"

export type PasswordCost = Readonly<{ memoryCost: number; timeCost: number }>

export const owaspCost: PasswordCost = { memoryCost: 19_456, timeCost: 2 }
const atOnceMax = 2
/** A longer queue would take over two seconds: answer 503 instead. */
const waitingMax = 40
/** Room for accents that are typed apart from their letters. */
const unitsMax = 4 * passwordCharactersMax

export function createPasswordHasher(cost = owaspCost): PasswordHasher {
  // Argon2 runs on other threads: the event loop needs no rest between two.
  const queue = createWorkQueue(atOnceMax, () => Promise.resolve(), waitingMax)
  const options = { algorithm: "argon2id", ...cost } as const
  const unknown = hashOfNoPassword(cost)
  return {
    hash: (password) => queue(() => Bun.password.hash(normal(password), options)),
    async verify(password, hash) {
      // No stored password is so long. Normalising costs the square of a run of accents.
      const isPossible = password.length <= unitsMax
      const tried = isPossible ? normal(password) : "-"
      const isRight = await queue(() => Bun.password.verify(tried, hash ?? unknown))
      return isRight && isPossible && hash !== null
    },
  }
}

/** Verified for unknown names, so that they take as long as known ones. */
const hashOfNoPassword = ({ memoryCost, timeCost }: PasswordCost) =>
  `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=1$${"A".repeat(43)}$${"A".repeat(43)}`

/** Keyboards compose an ü in different ways; it is the same password. */
const normal = (password: string) => password.normalize("NFKC")
