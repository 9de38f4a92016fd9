import { expect, test } from "bun:test"
import { killImports } from "../harness/import-kills.ts"
import { storeKinds } from "../harness/stores.ts"

const lines = 20_000

/** `npm run soak:import` does the same two hundred times. */
test.each(storeKinds)(
  "kill -9 during an import leaves whole batches, and importing again completes it: $name",
  async (kind) => {
    const kills = await killImports({ kind, kills: 4, lines, seed: 2, onKill: () => {} })
    expect(kills.map(({ found }) => found)).toEqual(kills.map(({ expected }) => expected))
    // At least one blow must have struck the import itself.
    expect(kills.filter(({ line }) => line > 0 && line < lines)).not.toEqual([])
  },
  120_000,
)
