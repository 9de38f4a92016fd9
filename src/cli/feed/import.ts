import type { App } from "../../server/app.ts"
import type * as declared from "../declarations/feed.ts"
import type { CommandContext, Run } from "../frame/command.ts"
import { lowerPriority } from "../frame/long-work.ts"
import { openApp } from "../frame/open-app.ts"
import { lineOfFile } from "./explain-refusals.ts"
import { parseFeedOptions } from "./feed-options.ts"
import { checkSeal, checkSource, openSource } from "./feed-source.ts"
import { loadFeed } from "./load-feed.ts"

export const importFeed: Run<typeof declared.importFeed> = async (
  { positionals: [path], values },
  context,
) => {
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
}

async function tellInterruption({ store }: App, context: CommandContext, name: string) {
  const last = await store.feed.findLastRun(name)
  // Standard input may be a different feed each time.
  if (name === "-" || last === null || last.finishedAt !== null) return
  context.tell(
    `An earlier import of ${name} stopped after line ${last.line}; this one completes it.`,
  )
}
