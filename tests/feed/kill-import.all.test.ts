import { expect, test } from "bun:test"
import { type Kill, killImports } from "../harness/faults/import-kills.ts"
import { storeKinds } from "../harness/stores/test-stores.ts"

/** Two batches of a first import. */
const lines = 20_000

/** `npm run soak -- import` does the same two hundred times on each database. */
test("kill -9 during an import leaves whole batches, and importing again completes it", async () => {
  const [kind] = storeKinds
  const struck: Kill[] = []
  // At least one kill must hit the import itself; a busy machine needs more attempts.
  for (let seed = 2; seed < 9 && struck.length === 0; seed++) {
    const kills = await killImports({ kind, kills: 2, lines, seed, onKill: () => {} })
    expect(kills.map(({ found }) => found)).toEqual(kills.map(({ expected }) => expected))
    struck.push(...kills.filter(({ line }) => line > 0 && line < lines))
  }
  expect(struck).not.toEqual([])
}, 300_000)
