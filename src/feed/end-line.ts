/** The last line of a full feed: how many lines of each type come before it. */
import { anything, createShape, InvalidRecord, record, type Shaped } from "../domain/shape.ts"

const count = createShape<number>(
  { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  (value, member) => {
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value
    throw new InvalidRecord(member, "must be an integer from 0 on")
  },
)

const countMembers = { accounts: count, items: count, purchases: count }

export type EndCounts = Readonly<Shaped<typeof countMembers>>

const endLine = record({ type: anything, ...countMembers })

export const isEndLine = (value: unknown) =>
  typeof value === "object" && value !== null && "type" in value && value.type === "end"

/** Throws InvalidRecord. */
export function parseEndLine(value: unknown): EndCounts {
  const { type: _, ...counts } = endLine(value, "")
  return counts
}
