/**
 * Sends the lookups of one turn of the event loop as one query. Rows are matched to lookups by a key that includes the
 * account, so that no caller gets a row of another account.
 */
type LookupBatch<Lookup, Row> = Readonly<{
  query(lookups: readonly Lookup[]): Promise<readonly Row[]>
  keyOfLookup(lookup: Lookup): string
  keyOfRow(row: Row): string
}>

export function batchLookups<Lookup, Row>(batch: LookupBatch<Lookup, Row>) {
  let pending: (PromiseWithResolvers<readonly Row[]> & { lookup: Lookup })[] = []

  async function flush(): Promise<void> {
    const sent = pending
    pending = []
    try {
      // The same lookup of two callers is sent once; otherwise its rows would be duplicated.
      const distinct = new Map(sent.map(({ lookup }) => [batch.keyOfLookup(lookup), lookup]))
      const rows = await batch.query([...distinct.values()])
      const rowsByKey = Map.groupBy(rows, batch.keyOfRow)
      for (const { lookup, resolve } of sent) {
        resolve(rowsByKey.get(batch.keyOfLookup(lookup)) ?? [])
      }
    } catch (error) {
      for (const { reject } of sent) reject(error)
    }
  }
  return (lookup: Lookup): Promise<readonly Row[]> => {
    if (pending.length === 0) setImmediate(flush)
    const found = Promise.withResolvers<readonly Row[]>()
    pending.push({ lookup, ...found })
    return found.promise
  }
}
