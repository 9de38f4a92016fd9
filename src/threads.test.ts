import { expect, test } from "bun:test"
import { until } from "../tests/harness/command.ts"
import { readConfig } from "./config.ts"
import { createLog } from "./log.ts"
import { openThreads } from "./threads.ts"

const short = new URL("../tests/harness/short-lived-thread.ts", import.meta.url)

function wishFor(entry: URL) {
  let logged = ""
  const writeLog = (text: string) => {
    logged += text
  }
  const log = createLog("error", writeLog)
  const wish = { entry, count: 2, config: readConfig({}), log, writeLog }
  return { wish, births: () => logged.split("\n").filter((line) => line === "born").length }
}

test("a thread that dies is replaced, and the others are not held up by it", async () => {
  const { wish, births } = wishFor(short)
  const threads = await openThreads(wish)
  await until(() => births() === 2 || undefined)
  // Both die of it; a thread that is gone has retired.
  await threads.retire()
  await until(() => births() === 4 || undefined)
  await threads.close()
  expect(births()).toBe(4)
})

test("a thread that cannot start is a failure to start", async () => {
  const { wish } = wishFor(new URL("../tests/harness/no-such-thread.ts", import.meta.url))
  await expect(openThreads(wish)).rejects.toThrow()
})
