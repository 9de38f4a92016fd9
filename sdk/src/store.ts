import { parseStoredState, type StoredState } from "./stored-record.ts"

/** Stores one text per installation of a product, such as a file, a database row or a key-value entry. */
export interface Store {
  /** Null if nothing is stored yet. */
  get(): Promise<string | null>
  /**
   * Replaces `before` atomically. Resolves to false and writes nothing if the store holds another text. A store with a single
   * writer process may ignore `before`.
   */
  set(text: string, before: string | null): Promise<unknown>
}

/** `next` is null if the store stays unchanged. */
type Change<Found> = readonly [next: StoredState | null, found: Found]

export type StateStore = Readonly<{
  read(): Promise<StoredState>
  /** Calls `change` with the stored state, and again if another process changed it concurrently. */
  update<Found>(
    change: (stored: StoredState) => Promise<Change<Found>>,
  ): Promise<Readonly<{ isWritten: boolean; found: Found }>>
}>

const attemptsMax = 5

export function createStateStore(store: Store): StateStore {
  let last: Promise<unknown> = Promise.resolve()

  /** A failing store counts as empty: a full disk must not deactivate a product. */
  async function readText(): Promise<string | null> {
    try {
      return await store.get()
    } catch {
      return null
    }
  }

  /** Resolves to null if another process changed the store concurrently. */
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
      // Calls of one process run one after another, because the store may ignore `before`.
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
