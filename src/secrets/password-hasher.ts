/** Argon2id with OWASP's cost, a few at a time: each takes 19 MB and about 80 ms of a core. */
import { DomainError } from "../domain/error.ts"
import type { PasswordHasher } from "../domain/session.ts"

const cost = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const
const atOnceMax = 2
/** Who would wait longer than about two seconds is told to come back instead. */
const waitingMax = 40

export function createPasswordHasher(): PasswordHasher {
  const gate = createGate()
  // Made once, of a password nobody has: what an unknown name is compared with.
  let nobody: Promise<string> | null = null
  return {
    hash: (password) => gate(() => Bun.password.hash(password, cost)),
    async verify(password, hash) {
      nobody ??= gate(() => Bun.password.hash(crypto.randomUUID(), cost))
      const compared = hash ?? (await nobody)
      const isRight = await gate(() => Bun.password.verify(password, compared))
      return isRight && hash !== null
    },
  }
}

function createGate() {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (waiting.length >= waitingMax) throw new DomainError("unavailable")
    if (running >= atOnceMax) await new Promise<void>((resolve) => waiting.push(resolve))
    running += 1
    try {
      return await work()
    } finally {
      running -= 1
      waiting.shift()?.()
    }
  }
}
