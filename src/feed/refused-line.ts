/** A line of a feed that was not taken, and why. */
import type { RecordName, Refusal } from "../domain/feed.ts"
import type { Problem } from "../domain/shape.ts"

export type Refusals = readonly [Refusal, ...Refusal[]]

/** For output: without the fields by which refusals are summed up. */
export const listProblems = (refusals: Refusals): readonly Problem[] =>
  refusals.map(({ member, reason }) => ({ member, reason }))

/** The type and identity of a record, as far as the line names them. */
export type Identity = Readonly<{ type?: string; identity?: string }>

/** The refused line that had the missing record; `unknown` when too many were refused to tell. */
export type Because = (RecordName & Readonly<{ line: number }>) | "unknown"

export type RefusedLine = Identity &
  Readonly<{
    line: number
    problems: Refusals
    /** Null: the problems are the line's own. */
    because: Because | null
  }>

/** An accepted line with members that could not be taken, and why. */
export type DefaultedLine = Identity & Readonly<{ line: number; problems: readonly Problem[] }>
