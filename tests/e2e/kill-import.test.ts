import { describe, expect, test } from "bun:test"
import { killImports } from "../harness/import-kills.ts"
import { storeKinds } from "../harness/stores.ts"

/** Enough that most of a run is the import itself. */
const linesOf = { SQLite: 20_000, PostgreSQL: 8_000 }

/** `npm run soak:import` does the same two hundred times. */
describe.each(storeKinds)("kill -9 during an import into $name", (kind) => {
  test("leaves whole batches, and importing again completes it", async () => {
    const lines = linesOf[kind.name]
    const kills = await killImports({ kind, kills: 4, lines, seed: 2, onKill: () => {} })
    expect(kills.map(({ found }) => found)).toEqual(kills.map(({ expected }) => expected))
    // At least one blow must have struck the import itself.
    expect(kills.filter(({ line }) => line > 0 && line < lines)).not.toEqual([])
  }, 300_000)
})
