/** POST /operator/feed: the marketplace pushes accounts, items and sales. */

import type { Actor } from "../access/actor.ts"
import type { Recording } from "../access/audit-event.ts"
import { createErrorResponder } from "../api/operator-guard.ts"
import { StoreUnavailable } from "../platform/error.ts"
import { queryParameters, textParameter } from "../platform/http/parameters.ts"
import { queryOf } from "../platform/http/request-head.ts"
import { describe } from "../platform/problem.ts"
import { withTimeout } from "../platform/timers.ts"
import { type Allowance, parseAllowance } from "./allowance.ts"
import { type MassLimits, standardLimits } from "./batch.ts"
import { type FeedProgress, importFeed, recordFeed } from "./feed-operations.ts"
import type { PrepareKey } from "./feed-record.ts"
import type { FeedCounts, FeedStore } from "./import-run.ts"
import { asOfArrival } from "./parse-line.ts"
import type { LineProblems } from "./rejections.ts"

export type FeedServices = Omit<Recording, "actor"> &
  Readonly<{ feed: FeedStore; prepareKey: PrepareKey }>

/**
 * Smaller than in the command: a batch blocks the thread that serves requests, for about a millisecond per
 * hundred records.
 */
const batchRecords = 100
/** Further lines are only counted, to limit the length of the response. */
const rejectedListedMax = 1_000
const idleMsMax = 60_000

export const failFeed = createErrorResponder("POST", {
  400: "The feed was cut off; send it again",
  408: "No data received for 60 seconds; send the feed again",
  503: "The database is busy or unavailable; send the feed again",
})

type FeedRequestContext = Readonly<{
  request: Request
  actor: Actor
  /** Called before the body is read. From then on the client may send slowly. */
  onAdmitted(): void
  /** Called after the import. `stopped` is the reason why it stopped early, or null. */
  onImported(counts: FeedCounts & Readonly<{ seconds: number }>, stopped: string | null): void
  /** Receives an error that is logged but not sent. */
  onFault(fault: unknown): void
}>

export async function handleFeed(
  services: FeedServices,
  { request, actor, onAdmitted, onImported, onFault }: FeedRequestContext,
): Promise<Response> {
  if (request.method !== "POST") return failFeed(405)
  const limits = parseLimits(request.url)
  if (typeof limits === "string") return failFeed(400, limits)
  onAdmitted()
  const startedAt = performance.now()
  const rejectedLines: ReturnType<typeof rejectedLineObject>[] = []
  const defaults: ReturnType<typeof lineObject>[] = []
  let progress: FeedProgress | null = null
  try {
    const { counts, stopped, remarks } = await importFeed({
      ...services,
      source: "POST /operator/feed",
      via: "push",
      readBytes: () => readUntilIdle(request.body),
      mode: "batches",
      chooseAsOf: asOfArrival,
      fullSync: null,
      limits,
      batchRecords,
      onRejected: (line) => {
        if (rejectedLines.length < rejectedListedMax) rejectedLines.push(rejectedLineObject(line))
      },
      onDefaulted: (line) => {
        if (defaults.length < rejectedListedMax) defaults.push(lineObject(line))
      },
      onProgress: (reached) => {
        progress = reached
      },
    })
    const seconds = Math.round(performance.now() - startedAt) / 1000
    const status = counts.rejected > 0 || stopped !== null ? 422 : 200
    const problem = stopped && describe(stopped)
    onImported({ ...counts, seconds }, problem)
    const summary = {
      ...{ ...counts, seconds, ...remarks },
      ...(problem !== null && { problem }),
      refused: rejectedLines,
      ...(defaults.length > 0 && { defaults }),
    }
    return Response.json(summary, { status })
  } catch (error) {
    if (error instanceof FeedTimeout) return failFeed(408)
    if (request.signal.aborted) return failFeed(400)
    if (!(error instanceof StoreUnavailable)) throw error
    onFault(error)
    return failFeed(503)
  } finally {
    // The batches of an aborted feed are kept, so they are recorded too.
    if (progress !== null) {
      const { accepted, keys } = progress
      await recordFeed({ ...services, actor }, accepted, keys).catch(onFault)
    }
  }
}

function parseLimits(url: string): MassLimits | string {
  const query = queryParameters(queryOf(url))
  const limits: { deletesMax?: Allowance; revokesMax?: Allowance } = {}
  for (const [name, limit] of limitParameters) {
    if (query(name) === null) continue
    const allowed = parseAllowance(textParameter(query, name))
    if (allowed === null) return `${name} must be a number or a percentage, as in 20 or 0.5%`
    limits[limit] = allowed
  }
  const options = { deletes: "max_deletes", revokes: "max_revokes" }
  return { ...standardLimits, ...limits, options }
}

const limitParameters = [
  ["max_deletes", "deletesMax"],
  ["max_revokes", "revokesMax"],
] as const

/** `member` and `reason` repeat the first problem for clients that show only one. */
function rejectedLineObject(rejected: LineProblems) {
  const { line, type, identity, problems } = lineObject(rejected)
  return { line, type, identity, ...problems[0], problems }
}

const lineObject = ({ line, type, identity, problems }: LineProblems) => ({
  line,
  type,
  identity,
  problems: problems.map((problem) => ({
    member: problem.field,
    reason: describe(problem),
    code: problem.code,
    params: problem.params,
  })),
})

class FeedTimeout extends Error {}

/**
 * Replaces the idle timeout of the runtime, which is disabled for this route: a slow feed is accepted, a
 * stalled one is not.
 */
async function* readUntilIdle(
  stream: ReadableStream<Uint8Array> | null,
): AsyncGenerator<Uint8Array> {
  if (stream === null) return
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await withTimeout(reader.read(), idleMsMax, () => {
        throw new FeedTimeout()
      })
      if (done) return
      yield value
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}
