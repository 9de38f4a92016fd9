import { randomBytes } from "node:crypto"
import { statSync } from "node:fs"
import { open, rename, rm } from "node:fs/promises"
import { command, type OpenContext } from "../platform/cli/command.ts"
import { createProgress } from "../platform/cli/output.ts"
import { exportFeed } from "./export-operations.ts"
import type { FeedApp } from "./load-feed-commands.ts"

type App = FeedApp

type Context = OpenContext<App>

export const commands = {
  export: command({
    positionals: ["[FILE|-]"],
    help: `Without FILE, or with -, the export is written to standard output. A file is renamed into place when
it is complete. The same data always produces the same bytes. An export does not contain API keys,
passwords, sites or webhooks. \`pazar backup\` and \`pazar move\` copy these.`,
    async run({ positionals: [path = "-"] }, context: Context) {
      const startedAt = performance.now()
      const records =
        path === "-" ? await exportTo(context, context.write) : await exportToFile(context, path)
      const seconds = Math.round(performance.now() - startedAt) / 1000
      if (path !== "-") await context.write(`${JSON.stringify({ exported: records, seconds })}\n`)
    },
  }),
}

type Write = (lines: string) => Promise<void>

async function exportTo(context: Context, write: Write): Promise<number> {
  const progress = createProgress(context, null)
  let lines = 0
  await using app = await context.openApp()
  const records = await exportFeed(app.store.feed, async (text) => {
    await write(text)
    lines += text.split("\n").length - 1
    progress.show(lines, 0, "exporting")
  })
  progress.end()
  return records
}

async function exportToFile(context: Context, path: string): Promise<number> {
  await context.rejectDatabaseFiles(path)
  // A device or a pipe must not be replaced by a file.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) {
    await using file = await open(path, "w")
    return await exportTo(context, (lines) => file.writeFile(lines))
  }
  const temporaryPath = `${path}.${randomBytes(6).toString("hex")}`
  // An export contains balances and e-mail addresses, so only its owner may read the file.
  const file = await open(temporaryPath, "wx", 0o600)
  try {
    const records = await exportTo(context, (lines) => file.writeFile(lines))
    await file.sync()
    await file.close()
    await rename(temporaryPath, path)
    return records
  } catch (error) {
    await file.close().catch(() => {})
    await rm(temporaryPath, { force: true })
    throw error
  }
}
