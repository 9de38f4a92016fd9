/** One round of a pull: what changed in the store's database since the last one becomes a feed. */

import { type MetadataStore, StoreUnavailable } from "../../domain/store.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import { beginning, toLocalMoment } from "../../pull/local-moment.ts"
import { openPull, type Pull } from "../../pull/pull.ts"
import { type PullFile, PullFileError } from "../../pull/pull-file.ts"
import type { PulledRecord } from "../../pull/row-reader.ts"
import { SourceError } from "../../pull/source.ts"
import type { App } from "../../server/app.ts"
import type { CommandContext } from "../frame/command.ts"
import type { FeedOptions } from "./feed-options.ts"
import { loadFeed } from "./load-feed.ts"

export type PullRound = Readonly<{
  file: PullFile
  /** By which the last successful moment is kept. */
  name: string
  /** Null: since the last successful pull, or everything. */
  since: Date | null
  /** The pause of `--every`; null for a single round. */
  everySeconds: number | null
  options: FeedOptions
  /** Called between rows; what it throws ends the round after the batch that is being written. */
  checkStopped(): void
}>

type RoundContext = Pick<CommandContext, "tell" | "showProgress" | "write">

/** The program was told to stop while a round was under way. */
export class Stopped extends Error {
  override name = "Stopped"
}

/** Returns the exit status: 0 all taken, 1 more refused than allowed. Throws SourceError and PullFileError. */
export async function pullRound(
  app: App,
  context: RoundContext,
  round: PullRound,
): Promise<number> {
  const { store, now } = app
  const { name, everySeconds, options } = round
  if (options.mode === "dry run") return runRound(app, context, round)
  const startedAt = formatTimestamp(now())
  const runBefore = (await store.feed.findLastRun(name))?.id ?? 0
  const note = (problem: string | null) =>
    store.pulls.noteRound({
      name,
      everySeconds,
      runBefore,
      startedAt,
      endedAt: formatTimestamp(now()),
      problem: problem?.slice(0, problemUnitsMax) ?? null,
    })
  try {
    const status = await runRound(app, context, round)
    await note(options.mode === "strict" && status !== 0 ? nothingKept : null)
    return status
  } catch (error) {
    // A store that is away takes no note, and a round that was stopped stays unfinished.
    if (!(error instanceof Stopped || error instanceof StoreUnavailable)) await note(whyOf(error))
    throw error
  }
}

const problemUnitsMax = 1_000
const nothingKept = "rows were refused, and --strict then keeps nothing"

/** Only these messages are known to hold no secret. */
const whyOf = (error: unknown) =>
  error instanceof SourceError || error instanceof PullFileError
    ? error.message
    : "an error of the program; the output of the pull has it"

async function runRound(app: App, context: RoundContext, round: PullRound): Promise<number> {
  const { metadata } = app.store
  const { file, name, options } = round
  const last = await findLastMoment(metadata, name)
  const isFull = options.deletesMax !== null
  const overlapped = last === null ? beginning : new Date(last.getTime() - file.overlapMs)
  const since = isFull ? beginning : (round.since ?? overlapped)
  const pull = await openPull(file, toLocalMoment(since, file.timeZone))
  try {
    const status = await load(app, context, round, pull)
    // Changes between the last moment and a later `since` have not been read.
    const leavesGap = last !== null && since > last
    if (status === 0 && options.mode !== "dry run" && !leavesGap) {
      await metadata.put(momentName(name), formatTimestamp(pull.readAt))
    }
    return status
  } finally {
    await pull.close()
  }
}

const momentName = (name: string) => `pull: ${name}`

async function findLastMoment(metadata: MetadataStore, name: string): Promise<Date | null> {
  const moment = await metadata.find(momentName(name))
  return moment === null ? null : new Date(moment)
}

function load(
  app: App,
  context: RoundContext,
  { name, options, checkStopped }: PullRound,
  pull: Pull,
): Promise<number> {
  const onFirst = (record: PulledRecord) => {
    if (options.mode === "dry run") context.tell(`The first ${record.type}: ${show(record)}`)
  }
  const hasEnd = options.deletesMax !== null
  const feed = {
    ...({ source: name, via: "pull", sizeBytes: null, mayReplacePasswords: false } as const),
    isSealed: () => false,
    readBytes: () => pull.readBytes({ hasEnd, onFirst, checkStopped }),
    nameLine: (line: number) => nameRow(pull, line),
  }
  // The database's clock may be ahead of this one, and no feed is as of the future.
  const asOfMs = options.asOfMs ?? Math.min(pull.readAt.getTime(), app.now().getTime())
  return loadFeed(app, context, feed, { ...options, asOfMs })
}

/** The record as it is sent, without its key, which must not appear on a screen. */
const show = (record: PulledRecord) =>
  JSON.stringify("api_key" in record ? { ...record, api_key: "…" } : record)

function nameRow(pull: Pull, line: number): string {
  const found = pull.findRow(line)
  return found === null ? `line ${line}` : `row ${found.row} of ${found.type}s`
}
