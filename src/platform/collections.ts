/** Drops the older generation when the newer one is full: evicting single entries from a `Map` is slow (Bun 1.4). */
export function createBoundedMap<Value>(generationSize: number) {
  let newer = new Map<string, Value>()
  let older = new Map<string, Value>()
  return {
    find: (name: string): Value | undefined => newer.get(name) ?? older.get(name),
    set(name: string, value: Value): void {
      if (newer.size >= generationSize && !newer.has(name)) {
        older = newer
        newer = new Map()
      }
      newer.set(name, value)
    },
    deleteWhere(isUnwanted: (value: Value) => boolean): void {
      for (const generation of [newer, older]) {
        for (const [name, value] of generation) if (isUnwanted(value)) generation.delete(name)
      }
    },
  }
}
export const chunk = <T>(list: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, nth) =>
    list.slice(nth * size, (nth + 1) * size),
  )
