/** "Did you mean …?": the known word nearest to what was typed. */

/** Null where no word is near enough to be a guess worth printing. */
export function findNearest(typed: string, known: readonly string[]): string | null {
  const distanceMax = Math.max(1, Math.floor(typed.length / 3))
  const [nearest] = known
    .map((word) => ({ word, distance: word.startsWith(typed) ? 0 : editDistance(typed, word) }))
    .filter(({ distance }) => distance <= distanceMax)
    .toSorted((one, other) => one.distance - other.distance)
  return typed === "" ? null : (nearest?.word ?? null)
}

export function suggest(typed: string, known: readonly string[]): string {
  const nearest = findNearest(typed, known)
  return nearest === null ? "" : ` Did you mean ${nearest}?`
}

/** Inserted, removed, changed and swapped letters. */
function editDistance(one: string, other: string): number {
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      next[column] = Math.min(
        at(last, column) + 1,
        at(next, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = last
    last = next
  }
  return at(last, other.length)
}

const at = (row: readonly number[], column: number) => row[column] ?? Number.POSITIVE_INFINITY
