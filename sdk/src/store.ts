/** Reads and changes the text in a product's store. */
import { parseStoredState, type StoredState } from "./stored-record.ts"

/** Keeps one text for one installation of a product: a file, an option, a row, an entry of a key-value store. */
export interface Store {
  /** Null if there is none yet. */
  get(): Promise<string | null>
  /**
   * Resolves to false, and writes nothing, if the store no longer holds `before`: then another process was faster. A store
   * that only one process writes to may ignore `before`.
   */
  set(text: string, before: string | null): Promise<unknown>
}

/** The next content, or null to leave the store as it is, and what the change found out. */
type Change<Found> = readonly [next: StoredState | null, found: Found]

export type StateStore = Readonly<{
  read(): Promise<StoredState>
  /** Calls `change` with what is stored, again if another process was faster. */
  update<Found>(
    change: (stored: StoredState) => Promise<Change<Found>>,
  ): Promise<Readonly<{ isWritten: boolean; found: Found }>>
}>

const attemptsMax = 5

export function createStateStore(store: Store): StateStore {
  let last: Promise<unknown> = Promise.resolve()

  /** A store that fails is like an empty one: a full disk locks nobody out. */
  async function readText(): Promise<string | null> {
    try {
      return await store.get()
    } catch {
      return null
    }
  }

  /** Null if another process was faster. */
  async function write(text: string, before: string | null): Promise<boolean | null> {
    try {
      return (await store.set(text, before)) === false ? null : true
    } catch {
      return false
    }
  }

  async function update<Found>(change: (stored: StoredState) => Promise<Change<Found>>) {
    for (let attempt = 1; ; attempt++) {
      const before = await readText()
      const [next, found] = await change(parseStoredState(before))
      const isWritten = next === null ? false : await write(JSON.stringify(next), before)
      if (isWritten !== null || attempt >= attemptsMax) return { isWritten: !!isWritten, found }
    }
  }

  return {
    read: async () => parseStoredState(await readText()),
    update(change) {
      // Calls of one process take turns: a store may ignore `before`.
      const turn = last.then(() => update(change))
      last = turn.catch(() => {})
      return turn
    },
  }
}

export function createMemoryStore(): Store {
  let text: string | null = null
  return {
    get: async () => text,
    async set(next) {
      text = next
    },
  }
}
