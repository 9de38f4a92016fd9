/** Operators: the people of the marketplace who sign in to the console. */
import { trimBlank } from "../values/blank.ts"
import { RefusedError } from "../values/error.ts"
import type { Timestamp } from "../values/time/timestamp.ts"

export type Operator = Readonly<{ id: number; name: string; createdAt: Timestamp }>

/** For the list of operators. */
export type ListedOperator = Operator &
  Readonly<{
    hasPassword: boolean
    hasSecondFactor: boolean
    /** Null while no browser is signed in. */
    lastSeenAt: Timestamp | null
  }>

export interface OperatorStore {
  /** Whether there is an operator. Without one the console does not exist. */
  hasAny(): Promise<boolean>
  /** Null when there is no such operator. */
  find(id: number): Promise<Operator | null>
  /** Whatever the case of its ASCII letters; null when there is none. */
  findByName(name: string): Promise<Operator | null>
  /** In the order of their names. */
  list(): Promise<readonly ListedOperator[]>
  /** The id; null, and nothing is kept, when the name is taken in any case of its ASCII letters. */
  insert(name: string, createdAt: Timestamp): Promise<number | null>
  /** With passwords, sessions, links and the second factor, all or nothing. */
  remove(id: number): Promise<void>
}

const nameForm = /^[\p{L}\p{N}._@-]{1,64}$/u

/** Throws RefusedError. No blanks: the name is typed at a command line and into a form. */
export function parseOperatorName(raw: string, whose = "an operator's name"): string {
  const name = trimBlank(raw).normalize("NFC")
  if (nameForm.test(name)) return name
  throw new RefusedError(`${whose} has 1 to 64 letters, digits, dots, dashes, _ or @`)
}
