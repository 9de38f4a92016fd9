import type { ImportRun } from "../../domain/feed/feed-store.ts"
import { StoreUnavailable } from "../../domain/store.ts"
import { findErrorCode } from "../../domain/values/error.ts"
import { message } from "../../domain/values/problems/problem.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import type { importFeed } from "../definitions/feed-commands.ts"
import { describeFileLine } from "../feed/explain-rejections.ts"
import { type FeedOptions, parseFeedOptions } from "../feed/feed-options.ts"
import { checkFeedSource, openFeedSource } from "../feed/feed-source.ts"
import { loadFeed, rejectWhenStopped } from "../feed/load-feed.ts"
import { CannotRunError, type CommandActions, type CommandContext } from "../framework/command.ts"
import { openApp, rejectDatabaseFiles } from "../framework/open-app.ts"

export const commands: CommandActions<typeof importFeed> = {
  async import({ positionals: [path], values }, context) {
    checkFeedSource(path)
    const options = parseFeedOptions(values, path)
    rejectDatabaseFiles(context, options.reportPath)
    context.lowerPriority()
    await using app = await openApp(context)
    const { feed } = app.store
    const startedAt = formatTimestamp(app.now())
    const source = await openFeedSource(path, context, options.mode === "strict")
    const { name, sizeBytes, readBytes } = source
    const origin = { source: name, via: "file" } as const
    const last = await feed.findLastRun(name)
    try {
      reportInterruption(context, name, last, options)
      const input = { ...origin, sizeBytes, readBytes, describeLine: describeFileLine }
      const loading = loadFeed(app, context, input, options)
      return (await rejectWhenStopped(context, options, loading)).status
    } catch (error) {
      // An unreachable database cannot record the failure.
      if (options.mode !== "dry run" && !(error instanceof StoreUnavailable)) {
        await feed.recordFailure({
          ...origin,
          startedAt,
          endedAt: formatTimestamp(app.now()),
          problem: toPublicProblem(error),
          outcome: null,
          line: 0,
          runBefore: last?.id ?? 0,
        })
      }
      throw error
    } finally {
      await source.close()
    }
  },
}

/** The console shows the problem. Only the messages of these errors never contain a secret. */
const toPublicProblem = (error: unknown) =>
  error instanceof CannotRunError || (error instanceof Error && findErrorCode(error) !== null)
    ? message("other", { text: error.message })
    : message("internal_error")

function reportInterruption(
  context: CommandContext,
  name: string,
  last: ImportRun | null,
  { mode }: Pick<FeedOptions, "mode">,
) {
  // Standard input may be a different feed each time.
  if (name === "-" || last === null || last.finishedAt !== null) return
  const remedy = mode === "dry run" ? "import it again to complete it" : "this one completes it"
  context.printStderr(
    `an earlier import of ${name} was interrupted after line ${last.line}; ${remedy}`,
  )
}
