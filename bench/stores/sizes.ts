/** The sizes on the command line of a generator, and output that waits for its reader. */
import { parseArgs } from "node:util"
import type { Marketplace } from "./marketplace.ts"

const flushUnits = 1024 * 1024

/** Ends the process where it is used wrongly. */
export function readSizes(command: string): Marketplace {
  const { values } = parseArgs({
    options: {
      accounts: { type: "string" },
      items: { type: "string" },
      purchases: { type: "string" },
      seed: { type: "string", default: "1" },
      uneven: { type: "boolean", default: false },
    },
    allowPositionals: true,
  })
  const { accounts, items, purchases, seed, uneven: isUneven } = values
  const counts = [accounts, items, purchases, seed].map((text = "") => Number(text))
  const isUsed = [accounts, items, purchases, seed].every((text = "") => /^\d{1,9}$/.test(text))
  if (!isUsed) {
    console.error(
      `Used wrongly: ${command} --accounts N --items N --purchases N [--seed S] [--uneven]`,
    )
    process.exit(2)
  }
  const [first = 0, second = 0, third = 0, fourth = 0] = counts
  return { accounts: first, items: second, purchases: third, seed: fourth, isUneven }
}

/** Waits for the reader: the output may be larger than the memory. */
export async function writeAll(texts: Iterable<string>): Promise<void> {
  const output = Bun.stdout.writer()
  let held = ""
  for (const text of texts) {
    held += text
    if (held.length < flushUnits) continue
    output.write(held)
    await output.flush()
    held = ""
  }
  output.write(held)
  await output.end()
}
