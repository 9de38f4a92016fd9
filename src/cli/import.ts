import { closeSync, existsSync, openSync, realpathSync, statSync, writeSync } from "node:fs"
import { open } from "node:fs/promises"
import { constants, getPriority, setPriority } from "node:os"
import { resolve } from "node:path"
import type { App } from "../app.ts"
import { type FeedProgress, importFeed, type RefusedLine } from "../feed/import-feed.ts"
import {
  CannotRun,
  type Command,
  type CommandContext,
  parseCommandLine,
  UsageError,
} from "./command.ts"
import { createProgress } from "./progress.ts"
import { withApp } from "./with-app.ts"

const batchRecords = 1_000
const chunkBytes = 256 * 1024

export const importCommand: Command = {
  name: "import",
  usage: "FILE|- [--strict] [--dry-run] [--rejects FILE]",
  summary: "load accounts, items and purchases from a feed",
  help: `A feed is newline-delimited JSON; docs/feed.md describes it. - reads standard input.

  --strict        all lines or none
  --dry-run       judge every line, keep nothing
  --rejects FILE  write the refused lines there, to be mended and imported again

Refused lines are explained on standard error; the summary is one line of JSON on standard
output. Exit status: 0 all taken, 1 some refused, 2 could not run. Importing a feed again
changes nothing; after an interruption it completes what was begun.`,
  async run(args, context) {
    const { values, positionals } = parseCommandLine(
      args,
      {
        strict: { type: "boolean", default: false },
        "dry-run": { type: "boolean", default: false },
        rejects: { type: "string" },
      },
      { min: 1, max: 1 },
    )
    const [path = "-"] = positionals
    const mode = values["dry-run"] ? "dry run" : values.strict ? "strict" : "batches"
    const source = openSource(path, context)
    const rejects = openRejects(values.rejects, path)
    giveWay()
    try {
      return await withApp(context, (app) => load(app, context, { ...source, mode, rejects }))
    } finally {
      rejects.close()
    }
  },
}

/** Whoever asks a server on the same machine meanwhile comes first. */
function giveWay(): void {
  const low = constants.priority.PRIORITY_BELOW_NORMAL
  // Only ever downwards: nobody but root may raise a priority again.
  if (getPriority() < low) setPriority(low)
}

type Source = Readonly<{
  source: string
  bytes: AsyncIterable<Uint8Array>
  sizeBytes: number | null
}>
type Rejects = Readonly<{ write(bytes: Uint8Array, isEnd: boolean): void; close(): void }>

async function load(
  app: App,
  context: CommandContext,
  {
    source,
    bytes,
    sizeBytes,
    mode,
    rejects,
  }: Source & { mode: "batches" | "strict" | "dry run"; rejects: Rejects },
): Promise<number> {
  const { feed } = app.store
  const last = await feed.findLastRun(source)
  // What comes through standard input now need not be what came then.
  if (source !== "-" && last !== null && last.finishedAt === null) {
    context.tell(
      `An earlier import of ${source} stopped after line ${last.line}; this one completes it.`,
    )
  }
  const startedAt = performance.now()
  const progress = createProgress(context, sizeBytes)
  const summary = await importFeed({
    feed,
    secrets: app.feedSecrets,
    source,
    bytes,
    mode,
    batchRecords,
    onRefused: (refused) => context.tell(explain(refused)),
    onRefusedBytes: rejects.write,
    onProgress: ({ accepted, rejected, bytes }: FeedProgress) =>
      progress.show(accepted + rejected, bytes, `${rejected} refused`),
  })
  progress.end()
  const seconds = Math.round(performance.now() - startedAt) / 1000
  await context.write(`${JSON.stringify({ ...summary, seconds })}\n`)
  if (mode === "dry run") context.tell("A dry run: nothing was kept.")
  if (mode === "strict" && summary.rejected > 0)
    context.tell("Nothing was kept: --strict takes all or none.")
  return summary.rejected > 0 ? 1 : 0
}

/** `line 3: item 1229: price.regular: must be a number; version: is missing` */
function explain({ line, type, identity, problems }: RefusedLine): string {
  const record = [type, identity].filter((part) => part !== undefined).join(" ")
  const reasons = problems.map(({ member, reason }) => `${member}: ${reason}`).join("; ")
  return [`line ${line}`, ...(record === "" ? [] : [record]), reasons].join(": ")
}

function openSource(path: string, context: CommandContext): Source {
  if (path === "-") return { source: "-", bytes: context.readStandardInput(), sizeBytes: null }
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) throw new CannotRun(`there is no file ${path}`)
  if (stats.isDirectory()) throw new CannotRun(`${path} is a folder, not a feed`)
  const sizeBytes = stats.isFile() ? stats.size : null
  return { source: resolve(path), bytes: readChunks(path), sizeBytes }
}

async function* readChunks(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path, "r")
  try {
    for (;;) {
      const { bytesRead, buffer } = await file.read(new Uint8Array(chunkBytes), 0, chunkBytes)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

function openRejects(path: string | undefined, feedPath: string): Rejects {
  if (path === undefined) return { write() {}, close() {} }
  if (existsSync(path) && existsSync(feedPath) && realpathSync(path) === realpathSync(feedPath)) {
    throw new UsageError("--rejects must not be the feed itself")
  }
  const file = openSync(path, "w", 0o600)
  return {
    write(bytes, isEnd) {
      writeSync(file, bytes)
      if (isEnd) writeSync(file, "\n")
    },
    close: () => closeSync(file),
  }
}
