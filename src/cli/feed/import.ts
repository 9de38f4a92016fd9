import type { App } from "../../server/app.ts"
import { type CommandContext, createCommand, flag, openApp } from "../frame/command.ts"
import { lowerPriority } from "../frame/long-work.ts"
import { lineOfFile } from "./explain-refusals.ts"
import { feedOptions, feedOptionsHelp, parseFeedOptions } from "./feed-options.ts"
import { checkSeal, checkSource, openSource } from "./feed-source.ts"
import { loadFeed } from "./load-feed.ts"

export const importCommand = createCommand({
  name: "import",
  positionals: ["FILE|-"],
  options: { ...feedOptions, "overwrite-passwords": flag },
  summary: "load accounts, items and purchases from a feed",
  help: `A feed is newline-delimited JSON; docs/feed.md describes it. - reads standard input.

${feedOptionsHelp}
  --overwrite-passwords
                  replace passwords that have changed since the export

Refused lines are explained on standard error; the summary is one line of JSON on standard
output. Exit status: 0 all taken, 1 some refused, 2 could not run. Importing a feed again
changes nothing; after an interruption it completes the import.`,
  async run({ positionals: [path], values }, context) {
    checkSource(path)
    const options = parseFeedOptions(values, path)
    lowerPriority()
    await using app = await openApp(context)
    const source = await openSource(path, context, options.mode === "strict")
    try {
      const checked = await checkSeal(source, app.feedSecrets.travel)
      const { name, sizeBytes } = source
      await tellInterruption(app, context, name)
      const mayReplacePasswords = values["overwrite-passwords"]
      const loaded = { source: name, via: "file", sizeBytes, mayReplacePasswords } as const
      return await loadFeed(app, context, { ...loaded, ...checked, nameLine: lineOfFile }, options)
    } finally {
      await source.close()
    }
  },
})

async function tellInterruption({ store }: App, context: CommandContext, name: string) {
  const last = await store.feed.findLastRun(name)
  // Standard input may be a different feed each time.
  if (name === "-" || last === null || last.finishedAt !== null) return
  context.tell(
    `An earlier import of ${name} stopped after line ${last.line}; this one completes it.`,
  )
}
