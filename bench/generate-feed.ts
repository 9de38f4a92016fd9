/** `bun bench/generate-feed.ts --accounts N --items N --purchases N [--seed S]`: a feed of any size. */
import { parseArgs } from "node:util"
import { feedLines } from "./marketplace.ts"

const usage = "bun bench/generate-feed.ts --accounts N --items N --purchases N [--seed S]"
const flushUnits = 1024 * 1024

function readCount(text: string | undefined): number {
  if (text !== undefined && /^\d{1,9}$/.test(text)) return Number(text)
  console.error(`Used wrongly: ${usage}`)
  process.exit(2)
}

const { values } = parseArgs({
  options: {
    accounts: { type: "string" },
    items: { type: "string" },
    purchases: { type: "string" },
    seed: { type: "string", default: "1" },
  },
})
const output = Bun.stdout.writer()
let held = ""
for (const line of feedLines({
  accounts: readCount(values.accounts),
  items: readCount(values.items),
  purchases: readCount(values.purchases),
  seed: readCount(values.seed),
})) {
  held += line
  if (held.length < flushUnits) continue
  output.write(held)
  // Waits for the reader: the feed may be larger than the memory.
  await output.flush()
  held = ""
}
output.write(held)
await output.end()
