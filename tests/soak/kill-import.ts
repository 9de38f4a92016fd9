/**
 * `npm run soak -- import [KILLS [SEED]]`: the crash test of an import, with any number of kills, on
 * each kind of store.
 */
import { killImports } from "../harness/faults/import-kills.ts"
import { type StoreKind, storeKinds } from "../harness/stores/stores.ts"

const [kills = 200, seed = 20_240_427] = process.argv.slice(2).map(Number)
const lines = 20_000

/** Whether every kill left the expected state, and at least one hit the import itself. */
async function soak(kind: StoreKind): Promise<boolean> {
  console.log(`${kind.name}: ${kills} kills of an import of ${lines} lines, seed ${seed}`)
  let done = 0
  const results = await killImports({
    kind,
    kills,
    lines,
    seed,
    onKill({ delayMs, line }) {
      done += 1
      console.log(`${done}/${kills}: after ${Math.round(delayMs)} ms, at line ${line}`)
    },
  })
  const failed = results.filter(({ found, expected }) => !Bun.deepEquals(found, expected))
  for (const result of failed) console.log(JSON.stringify(result, null, 2))
  const struck = results.filter(({ line }) => line > 0 && line < lines).length
  console.log(`${struck} struck the import midway; ${failed.length} left something wrong`)
  return failed.length === 0 && struck > 0
}

let isGood = true
for (const kind of storeKinds) isGood = (await soak(kind)) && isGood
process.exit(isGood ? 0 : 1)
