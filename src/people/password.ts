import { foldLetters } from "../platform/text.ts"
import { createWorkQueue } from "../platform/timers.ts"
/** At least 12 characters, in lower case. docs/decisions/0009-passwords-and-sessions.md lists the sources. */
import commonPasswords from "./common-passwords.txt" with { type: "text" }
import type { Person } from "./person.ts"

export interface PasswordStore {
  find(personId: number): Promise<string | null>
  /** Stores the hash, null for none, and ends every session, invitation and link of the person, in one transaction. */
  put(personId: number, hash: string | null): Promise<void>
  /** Like `put` if the stored hash is still `known`, null for none. Otherwise returns false and changes nothing. */
  replace(personId: number, known: string | null, hash: string): Promise<boolean>
}

export const passwordCharactersMin = 12
export const passwordCharactersMax = 256

export type PasswordProblem = "too short" | "too long" | "common" | "own name"

/** Returns every rule that the password breaks. `ownNames` are the names of the person. */
export function listPasswordProblems(
  password: string,
  ownNames: readonly string[],
): readonly PasswordProblem[] {
  const { length } = [...password]
  // Folding a longer text would take too long.
  if (length > passwordCharactersMax) return ["too long"]
  const folded = foldLetters(password)
  const isOwnName = folded !== "" && ownNames.some((name) => foldLetters(name) === folded)
  const isCommon = `\n${commonPasswords}`.includes(`\n${folded}\n`)
  return [
    ...(length < passwordCharactersMin ? (["too short"] as const) : []),
    ...(isOwnName ? (["own name"] as const) : []),
    ...(isCommon ? (["common"] as const) : []),
  ]
}

export const namesOf = ({ name, email }: Pick<Person, "name" | "email">): readonly string[] => [
  name,
  ...(email === null ? [] : [email, ...email.split("@")]),
]

export type PasswordCost = Readonly<{ memoryCost: number; timeCost: number }>
export const owaspCost: PasswordCost = { memoryCost: 19_456, timeCost: 2 }

/** A hash takes 19 MB and about 80 ms of a core. */
const concurrentMax = 2
/** A longer queue would take more than two seconds: return 503 instead. */
const queuedMax = 40
/** UTF-16 units. Allows for accents that are typed as separate characters. */
const unitsMax = 4 * passwordCharactersMax

/** Keyboards produce composed or decomposed characters for the same password. */
const normalize = (password: string) => password.normalize("NFKC")

export type PasswordHasher = ReturnType<typeof createPasswordHasher>

/** Hashing is slow on purpose. Both methods are queued, so that sign-ins cannot use up the machine. */
export function createPasswordHasher(cost = owaspCost) {
  // Argon2 runs on other threads, so the event loop needs no pause between two hashes.
  const queue = createWorkQueue(concurrentMax, () => Promise.resolve(), queuedMax)
  const options = { algorithm: "argon2id", ...cost } as const
  // Verified for unknown usernames, so that they take as long as existing ones.
  const dummyHash = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=1$${"A".repeat(43)}$${"A".repeat(43)}`
  return {
    hash: (password: string) => queue(() => Bun.password.hash(normalize(password), options)),
    /** Returns false for a null hash, after the time that a wrong password takes. */
    async verify(password: string, hash: string | null) {
      // No stored password is longer. Normalizing a run of accents takes quadratic time.
      const isPossible = password.length <= unitsMax
      const normalized = isPossible ? normalize(password) : "-"
      const isMatch = await queue(() => Bun.password.verify(normalized, hash ?? dummyHash))
      return isMatch && isPossible && hash !== null
    },
  }
}
