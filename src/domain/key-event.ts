/** The history of an account's keys: shown to the author, never changed. */
import type { Timestamp } from "./timestamp.ts"

export const keyActions = ["created", "revealed", "renamed", "replaced", "revoked"] as const
export type KeyAction = (typeof keyActions)[number]

export type KeyEvent = Readonly<{
  accountId: number
  keyId: string
  keyName: string
  action: KeyAction
  at: Timestamp
  /** The author's network, or "operator" for what was done at the command line. */
  from: string
}>

export interface KeyEventStore {
  insert(event: KeyEvent): Promise<void>
  /** Newest first. */
  list(accountId: number, limit: number): Promise<readonly KeyEvent[]>
}
