/** What a batch of the feed makes of the states that a store found. */

/** Final states. A store removes first, then inserts and updates: an identity can be in both. */
export type Changed<State> = Readonly<{
  removed: State[]
  inserted: State[]
  updated: State[]
  /** Only the moment is another one. */
  touched: State[]
}>

export type States<Identity, State> = ReturnType<typeof createStates<Identity, State>>

/** The states of one kind of record: those found in the store, changed by what the batch did. */
export function createStates<Identity, State>(found: ReadonlyMap<Identity, State>) {
  /** Null for what the batch removed. In the order of the first change. */
  const changed = new Map<Identity, State | null>()
  const removed = new Set<Identity>()
  const touched = new Set<Identity>()

  function remove(identity: Identity): void {
    removed.add(identity)
    changed.set(identity, null)
  }
  return {
    find(identity: Identity): State | null {
      const state = changed.get(identity)
      return (state === undefined ? found.get(identity) : state) ?? null
    },
    some(isWanted: (state: State) => boolean): boolean {
      for (const state of changed.values()) if (state !== null && isWanted(state)) return true
      for (const [id, state] of found) if (!changed.has(id) && isWanted(state)) return true
      return false
    },
    put(identity: Identity, state: State): void {
      changed.set(identity, state)
      touched.delete(identity)
    },
    /** For a state that differs from the one before in its moment alone. */
    touch(identity: Identity, state: State): void {
      if (!changed.has(identity)) touched.add(identity)
      changed.set(identity, state)
    },
    remove,
    removeAll(isWanted: (state: State) => boolean): void {
      for (const [id, state] of changed) if (state !== null && isWanted(state)) remove(id)
      for (const [id, state] of found) if (!changed.has(id) && isWanted(state)) remove(id)
    },
    changes(): Changed<State> {
      const changes: Changed<State> = { removed: [], inserted: [], updated: [], touched: [] }
      for (const identity of removed) {
        const before = found.get(identity)
        if (before !== undefined) changes.removed.push(before)
      }
      for (const [identity, state] of changed) {
        if (state === null) continue
        const isThere = found.has(identity) && !removed.has(identity)
        if (touched.has(identity)) changes.touched.push(state)
        else if (isThere) changes.updated.push(state)
        else changes.inserted.push(state)
      }
      return changes
    },
  }
}
