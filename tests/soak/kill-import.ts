/** `npm run soak:import [-- KILLS [SEED]]`: the crash test of an import, as often as you like. */
import { killImports } from "../harness/import-kills.ts"

const [kills = 200, seed = 20_240_427] = process.argv.slice(2).map(Number)
const lines = 20_000

console.log(`${kills} kills of an import of ${lines} lines, seed ${seed}`)
let done = 0
const results = await killImports({
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
process.exitCode = failed.length > 0 || struck === 0 ? 1 : 0
