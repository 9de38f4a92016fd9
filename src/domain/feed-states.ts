/** The states that a store found, and the changes that a batch of the feed makes to them. */

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
  /** The states in the store, under the identities they have by now. */
  let stored = found
  let copy: Map<Identity, State> | null = null
  /** In the order of the first change. */
  const changed = new Map<Identity, State>()
  const touched = new Set<Identity>()
  const removed: State[] = []

  function ownStored(): Map<Identity, State> {
    copy ??= new Map(found)
    stored = copy
    return copy
  }
  function remove(identity: Identity): void {
    changed.delete(identity)
    touched.delete(identity)
    const state = stored.get(identity)
    if (state === undefined) return
    removed.push(state)
    ownStored().delete(identity)
  }
  function list(): readonly (readonly [Identity, State])[] {
    return [...changed, ...[...stored].filter(([identity]) => !changed.has(identity))]
  }
  return {
    find(identity: Identity): State | null {
      return changed.get(identity) ?? stored.get(identity) ?? null
    },
    isEmpty: () => stored.size === 0 && changed.size === 0,
    some(isWanted: (state: State) => boolean): boolean {
      for (const state of changed.values()) if (isWanted(state)) return true
      for (const [id, state] of stored) if (!changed.has(id) && isWanted(state)) return true
      return false
    },
    list,
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
      for (const [id, state] of list()) if (isWanted(state)) remove(id)
    },
    /** Gives a state another identity. That alone is no change of the state. */
    move(from: Identity, to: Identity, revise: (state: State) => State): void {
      const [change, state] = [changed.get(from), stored.get(from)]
      changed.delete(from)
      if (change !== undefined) changed.set(to, revise(change))
      if (touched.delete(from)) touched.add(to)
      if (state === undefined) return
      const own = ownStored()
      own.delete(from)
      own.set(to, revise(state))
    },
    /** Corrects states that follow from a change elsewhere, and so need not be written. */
    revise(revise: (state: State) => State): void {
      for (const [id, state] of changed) changed.set(id, revise(state))
      const own = ownStored()
      for (const [id, state] of own) own.set(id, revise(state))
    },
    changes(): Changed<State> {
      const changes: Changed<State> = { removed, inserted: [], updated: [], touched: [] }
      for (const [identity, state] of changed) {
        if (touched.has(identity)) changes.touched.push(state)
        else if (stored.has(identity)) changes.updated.push(state)
        else changes.inserted.push(state)
      }
      return changes
    },
  }
}
