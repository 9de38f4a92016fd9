import { describeFileLine, type FeedOptions, loadFeed } from "../../src/feed/load-feed-commands.ts"
import type { CommandContext } from "../../src/platform/cli/command.ts"
import type { Program } from "./program.ts"

export function captureOutput() {
  const messages: string[] = []
  let written = ""
  const context: Pick<CommandContext, "isTyped" | "printStderr" | "showProgress" | "write"> = {
    isTyped: false,
    printStderr: (line) => messages.push(line),
    showProgress() {},
    async write(text) {
      written += text
    },
  }
  return { context, messages, written: () => written }
}

export async function loadText({ app }: Program, feed: string, options: FeedOptions) {
  const { context, messages, written } = captureOutput()
  const loaded = {
    ...({ source: "a test", via: "file", sizeBytes: null, mayReplacePasswords: false } as const),
    describeLine: describeFileLine,
    async *readBytes() {
      yield Buffer.from(feed)
    },
  }
  const { status } = await loadFeed(app, context, loaded, options)
  return { status, summary: JSON.parse(written()), messages }
}
