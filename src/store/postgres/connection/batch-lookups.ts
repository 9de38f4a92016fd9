/**
 * Sends the look-ups of one turn of the event loop as one query, which costs a node and
 * the database less than a query each. Rows are matched to questions by a key
 * that includes the account, so no caller gets a row of another account.
 */
export type LookupBatch<Question, Row> = Readonly<{
  /** Every row that answers one of the questions, in any order. */
  query(questions: readonly Question[]): Promise<readonly Row[]>
  keyOfLookup(question: Question): string
  keyOfRow(row: Row): string
}>

type PendingLookup<Question, Row> = Readonly<{
  lookup: Question
  resolve(rows: readonly Row[]): void
  reject(error: unknown): void
}>

export function batchLookups<Question, Row>(
  batch: LookupBatch<Question, Row>,
): (question: Question) => Promise<readonly Row[]> {
  let waiting: PendingLookup<Question, Row>[] = []

  async function flush(): Promise<void> {
    const turn = waiting
    waiting = []
    try {
      // Send the same question of two callers once, or its rows would come twice.
      const distinct = new Map(
        turn.map(({ lookup: question }) => [batch.keyOfLookup(question), question]),
      )
      const rows = await batch.query([...distinct.values()])
      const answers = Map.groupBy(rows, batch.keyOfRow)
      for (const { lookup: question, resolve } of turn) {
        resolve(answers.get(batch.keyOfLookup(question)) ?? [])
      }
    } catch (error) {
      for (const { reject } of turn) reject(error)
    }
  }
  return (question) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush)
      waiting.push({ lookup: question, resolve, reject })
    })
}
