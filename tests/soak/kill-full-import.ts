/**
 * `npm run soak -- full [KILLS [SEED]]`: the crash test of a full import, with any number of kills, on
 * each kind of store.
 */
import { judgeFullKill, killFullImports } from "../harness/faults/full-import-kills.ts"
import { type StoreKind, storeKinds } from "../harness/stores/stores.ts"

const [kills = 200, seed = 20_240_427] = process.argv.slice(2).map(Number)
const sales = 10_000

/** Whether every kill left the expected state, and some hit the import. */
async function soak(kind: StoreKind): Promise<boolean> {
  console.log(`${kind.name}: ${kills} kills of a full import, seed ${seed}`)
  let done = 0
  const results = await killFullImports(kind, { kills, sales, seed }, ({ delayMs, line, left }) => {
    done += 1
    console.log(
      `${done}/${kills}: after ${Math.round(delayMs)} ms, at line ${line}, ${left} to remove`,
    )
  })
  const problems = results.kills.map((kill) => judgeFullKill(kill, results))
  const failed = problems.filter((problem) => problem !== null)
  for (const problem of failed) console.log(problem)
  const struck = results.kills.filter(({ isFinished, left }) => !isFinished && left > 0).length
  const late = results.kills.filter(({ left }) => left === 0).length
  console.log(
    `${struck} before the removal, ${late} after it; ${failed.length} left something wrong`,
  )
  return failed.length === 0 && struck > 0
}

let isGood = true
for (const kind of storeKinds) isGood = (await soak(kind)) && isGood
process.exit(isGood ? 0 : 1)
