/**
 * The names of accounts while a feed is judged. The store still has the names from before, so a batch
 * is read under those and its states are given the names that the feed has made of them.
 */
import type { Mentions } from "./feed-mentions.ts"
import type { NameChange } from "./feed-rename.ts"
import type { Found } from "./feed-rules.ts"

export type JudgedNames = Readonly<{
  apply(change: NameChange): void
  toStored(mentions: Mentions): Mentions
  /** Without the keys and passwords of removed accounts. */
  fromStored(found: Found): Found
}>

export function createJudgedNames(): JudgedNames {
  /** By the name in the store; null for an account that the feed has removed. */
  const names = new Map<string, string | null>()
  /** By the new name, the one in the store. */
  const storedNames = new Map<string, string>()

  /** Null for an account that the store does not have. */
  function findStored(name: string): string | null {
    return storedNames.get(name) ?? (names.has(name) ? null : name)
  }
  function findName(stored: string): string | null {
    const name = names.get(stored)
    return name === undefined ? stored : name
  }
  function renameSet(set: ReadonlySet<string>, find: (name: string) => string | null) {
    return new Set([...set].flatMap((name) => find(name) ?? []))
  }
  function renameStates<State extends Readonly<{ username: string }>>(
    states: Iterable<State>,
  ): readonly State[] {
    return Array.from(states).flatMap((state) => {
      const username = findName(state.username)
      return username === null ? [] : [{ ...state, username }]
    })
  }
  return {
    apply({ from, to }) {
      const stored = findStored(from)
      storedNames.delete(from)
      if (stored === null) return
      names.set(stored, to)
      if (to !== null) storedNames.set(to, stored)
    },
    toStored(mentions) {
      if (names.size === 0) return mentions
      const toStored = (set: ReadonlySet<string>) => renameSet(set, findStored)
      return {
        ...mentions,
        usernames: toStored(mentions.usernames),
        broughtUsernames: toStored(mentions.broughtUsernames),
        passwordUsernames: toStored(mentions.passwordUsernames),
        deletedUsernames: toStored(mentions.deletedUsernames),
        renamedUsernames: toStored(mentions.renamedUsernames),
      }
    },
    fromStored(found) {
      if (names.size === 0) return found
      const byName = <State extends Readonly<{ username: string }>>(
        states: ReadonlyMap<string, State>,
      ) => new Map(renameStates(states.values()).map((state) => [state.username, state]))
      const items = [...found.items.values()].map((item) => ({
        ...item,
        author: findName(item.author) ?? item.author,
      }))
      return {
        ...found,
        accounts: byName(found.accounts),
        items: new Map(items.map((item) => [item.id, item])),
        keys: renameStates(found.keys),
        passwords: byName(found.passwords),
        accountsInUse: renameSet(found.accountsInUse, findName),
      }
    },
  }
}
