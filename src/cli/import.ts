import { closeSync, existsSync, openSync, realpathSync, writeSync } from "node:fs"
import { constants, getPriority, setPriority } from "node:os"
import type { App } from "../app.ts"
import { type FeedProgress, importFeed, type RefusedLine } from "../feed/import-feed.ts"
import { importStrictly } from "../feed/import-strictly.ts"
import { type CommandContext, createCommand, UsageError } from "./command.ts"
import { checkSeal } from "./feed-seal.ts"
import { checkSource, type FeedSource, openSource } from "./feed-source.ts"
import { createProgress } from "./progress.ts"
import { withApp } from "./with-app.ts"

const batchRecords = 1_000

export const importCommand = createCommand({
  name: "import",
  positionals: ["FILE|-"],
  options: {
    strict: { type: "boolean" },
    "dry-run": { type: "boolean" },
    rejects: { type: "string", value: "FILE" },
    "overwrite-passwords": { type: "boolean" },
  },
  summary: "load accounts, items and purchases from a feed",
  help: `A feed is newline-delimited JSON; docs/feed.md describes it. - reads standard input.

  --strict        check the whole feed first; write it only if no line is refused
  --dry-run       check every line, keep nothing
  --rejects FILE  write the refused lines there, to be fixed and imported again
  --overwrite-passwords
                  replace passwords that have changed since the export

Refused lines are explained on standard error; the summary is one line of JSON on standard
output. Exit status: 0 all taken, 1 some refused, 2 could not run. Importing a feed again
changes nothing; after an interruption it completes the import.`,
  async run({ positionals: [path], values }, context) {
    const mode = values["dry-run"] ? "dry run" : values.strict ? "strict" : "batches"
    checkSource(path)
    const rejects = openRejects(values.rejects, path)
    giveWay()
    try {
      const mayReplacePasswords = values["overwrite-passwords"]
      return await withApp(context, async (app) => {
        const source = await openSource(path, context, mode === "strict")
        try {
          return await load(app, context, { source, mode, rejects, mayReplacePasswords })
        } finally {
          await source.close()
        }
      })
    } finally {
      rejects.close()
    }
  },
})

/** A server on the same machine has priority. */
function giveWay(): void {
  const low = constants.priority.PRIORITY_BELOW_NORMAL
  // Lower it only: an ordinary user cannot raise a priority.
  if (getPriority() < low) setPriority(low)
}

type Rejects = Readonly<{ write(bytes: Uint8Array, isEnd: boolean): void; close(): void }>
type Mode = "batches" | "strict" | "dry run"
type Load = Readonly<{
  source: FeedSource
  mode: Mode
  rejects: Rejects
  mayReplacePasswords: boolean
}>

async function load(
  app: App,
  context: CommandContext,
  { source, mode, rejects, mayReplacePasswords }: Load,
): Promise<number> {
  const { feed } = app.store
  const checked = await checkSeal(source, app.feedSecrets.travel)
  const last = await feed.findLastRun(source.name)
  // Standard input may be a different feed each time.
  if (source.name !== "-" && last !== null && last.finishedAt === null) {
    context.tell(
      `An earlier import of ${source.name} stopped after line ${last.line}; this one completes it.`,
    )
  }
  const startedAt = performance.now()
  const progress = createProgress(context, source.sizeBytes)
  const options = {
    feed,
    secrets: { ...app.feedSecrets, mayReplacePasswords },
    source: source.name,
    isSealed: checked.isSealed,
    batchRecords,
    onRefused: (refused: RefusedLine) => context.tell(explain(refused)),
    onRefusedBytes: rejects.write,
    onProgress: ({ accepted, rejected, bytes }: FeedProgress) =>
      progress.show(accepted + rejected, bytes, `${rejected} refused`),
  }
  const { readBytes } = checked
  const { isApplied, ...summary } =
    mode === "strict"
      ? await importStrictly({ ...options, readBytes })
      : { ...(await importFeed({ ...options, mode, bytes: readBytes() })), isApplied: true }
  progress.end()
  const seconds = Math.round(performance.now() - startedAt) / 1000
  await context.write(`${JSON.stringify({ ...summary, seconds })}\n`)
  if (mode === "dry run") context.tell("A dry run: nothing was kept.")
  const { rejected } = summary
  if (mode === "strict" && rejected > 0) context.tell(isApplied ? changedMeanwhile : nothingKept)
  return rejected > 0 ? 1 : 0
}

/** `line 3: item 1229: price.regular: must be a number; version: is missing` */
function explain({ line, type, identity, problems }: RefusedLine): string {
  const record = [type, identity].filter((part) => part !== undefined).join(" ")
  const reasons = problems.map(({ member, reason }) => `${member}: ${reason}`).join("; ")
  return [`line ${line}`, ...(record === "" ? [] : [record]), reasons].join(": ")
}

const nothingKept = "Nothing was kept: --strict takes all or none."
const changedMeanwhile =
  "Another program changed the store after the feed was judged: the lines above were refused, the others were kept. Import the feed again."

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
