/** `npx bun bench/stores/generate-feed.ts ACCOUNTS ITEMS PURCHASES [SEED]` prints a feed of any size. */
import { feedLines } from "./marketplace.ts"

const flushLength = 1024 * 1024
const [accounts = 0, items = 0, purchases = 0, seed = 1] = process.argv.slice(2).map(Number)
const output = Bun.stdout.writer()
let held = ""
for (const line of feedLines({ accounts, items, purchases, seed })) {
  held += line
  if (held.length < flushLength) continue
  output.write(held)
  // Waits for the reader: the feed may be larger than the memory.
  await output.flush()
  held = ""
}
output.write(held)
await output.end()
