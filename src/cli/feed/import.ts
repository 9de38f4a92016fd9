import type { ImportRun } from "../../domain/feed/import-run.ts"
import { StoreUnavailable } from "../../domain/store.ts"
import { findErrorCode } from "../../domain/values/error.ts"
import { message } from "../../domain/values/problems/problem.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import type * as declared from "../declarations/feed.ts"
import { CannotRun, type CommandContext, type Run } from "../frame/command.ts"
import { openApp } from "../frame/open-app.ts"
import { refuseOwnFiles } from "../frame/own-files.ts"
import { lineOfFile } from "./explain-refusals.ts"
import { type FeedOptions, parseFeedOptions } from "./feed-options.ts"
import { checkSource, openSource } from "./feed-source.ts"
import { loadFeed, unlessStopped } from "./load-feed.ts"

export const importFeed: Run<typeof declared.importFeed> = async (
  { positionals: [path], values },
  context,
) => {
  checkSource(path)
  const options = parseFeedOptions(values, path)
  refuseOwnFiles(context, options.reportPath)
  context.lowerPriority()
  await using app = await openApp(context)
  const { feed } = app.store
  const startedAt = formatTimestamp(app.now())
  const source = await openSource(path, context, options.mode === "strict")
  const { name, sizeBytes, readBytes } = source
  const origin = { source: name, via: "file" } as const
  const last = await feed.findLastRun(name)
  try {
    tellInterruption(context, name, last, options)
    const loaded = { ...origin, sizeBytes, readBytes, nameLine: lineOfFile }
    const loading = loadFeed(app, context, loaded, options)
    return (await unlessStopped(context, options, loading)).status
  } catch (error) {
    // A store that is away takes no note.
    if (options.mode !== "dry run" && !(error instanceof StoreUnavailable)) {
      await feed.noteFailure({
        ...origin,
        startedAt,
        endedAt: formatTimestamp(app.now()),
        problem: whyOf(error),
        outcome: null,
        line: 0,
        runBefore: last?.id ?? 0,
      })
    }
    throw error
  } finally {
    await source.close()
  }
}

/** Only these messages are known to hold no secret. */
const whyOf = (error: unknown) =>
  error instanceof CannotRun || (error instanceof Error && findErrorCode(error) !== null)
    ? message("other", { text: error.message })
    : message("internal_error")

function tellInterruption(
  context: CommandContext,
  name: string,
  last: ImportRun | null,
  { mode }: Pick<FeedOptions, "mode">,
) {
  // Standard input may be a different feed each time.
  if (name === "-" || last === null || last.finishedAt !== null) return
  const how = mode === "dry run" ? "Import it again to complete it." : "This one completes it."
  context.tell(
    `An earlier import of ${name} has not finished: it came to line ${last.line}. ${how}`,
  )
}
