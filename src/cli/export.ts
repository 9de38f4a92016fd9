import { randomBytes } from "node:crypto"
import { open, rename, rm } from "node:fs/promises"
import { exportFeed } from "../feed/export-feed.ts"
import { type Command, type CommandContext, parseCommandLine } from "./command.ts"
import { createProgress } from "./progress.ts"
import { withApp } from "./with-app.ts"

export const exportCommand: Command = {
  name: "export",
  usage: "[FILE|-]",
  summary: "write the whole store as a feed",
  help: `Without FILE, or with -, the feed goes to standard output. A file is written aside and put
in place when it is whole. The same data always gives the same bytes. Keys are not exported.`,
  async run(args, context) {
    const { positionals } = parseCommandLine(args, {}, { min: 0, max: 1 })
    const [path = "-"] = positionals
    const startedAt = performance.now()
    const records =
      path === "-" ? await exportTo(context, context.write) : await exportToFile(context, path)
    const seconds = Math.round(performance.now() - startedAt) / 1000
    if (path !== "-") await context.write(`${JSON.stringify({ exported: records, seconds })}\n`)
    return 0
  },
}

function exportTo(context: CommandContext, write: (lines: string) => Promise<void>) {
  const progress = createProgress(context, null)
  let lines = 0
  return withApp(context, async ({ store }) => {
    const records = await exportFeed(store.feed, async (text) => {
      await write(text)
      lines += text.split("\n").length - 1
      progress.show(lines, 0, "exporting")
    })
    progress.end()
    return records
  })
}

async function exportToFile(context: CommandContext, path: string): Promise<number> {
  const aside = `${path}.${randomBytes(6).toString("hex")}`
  // Balances and e-mail addresses: for its owner's eyes.
  const file = await open(aside, "wx", 0o600)
  try {
    const records = await exportTo(context, async (lines) => {
      await file.writeFile(lines)
    })
    await file.sync()
    await file.close()
    await rename(aside, path)
    return records
  } catch (error) {
    await file.close().catch(() => {})
    await rm(aside, { force: true })
    throw error
  }
}
