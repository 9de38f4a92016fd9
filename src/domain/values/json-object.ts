/** A JSON object whose members were not checked yet. */
export type Members = Record<string, unknown>

export const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Objects are merged member by member; everything else, lists included, is replaced whole. */
export function mergeMembers<Kept extends object>(kept: Kept, patch: Readonly<Members>): Kept {
  // No prototype: a network called `__proto__` is a name like any other.
  const merged: Members = Object.assign(Object.create(null), kept)
  for (const [name, change] of Object.entries(patch)) {
    const before = merged[name]
    if (change === null) delete merged[name]
    else if (isObject(change)) merged[name] = mergeMembers(isObject(before) ? before : {}, change)
    else merged[name] = change
  }
  // The patch was checked: it keeps the types of the members and removes only optional ones.
  return merged as Kept
}
