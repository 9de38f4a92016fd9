/**
 * `npm run soak -- move [KILLS [sqlite|postgres [SEED]]]`: `kill -9` during moves between the stores, in both directions.
 */
import { killMoves } from "../harness/faults/move-kills.ts"

const [kills = "200", kind = "sqlite", seed = "20261117"] = process.argv.slice(2)

console.log(`${kills} kills, seed ${seed}`)
let done = 0
const all = await killMoves({
  kind: kind === "postgres" ? kind : "sqlite",
  kills: Number(kills),
  lines: 5_000,
  seed: Number(seed),
  onKill({ delayMs, isMidway, isClosed, problem }) {
    done += 1
    const state = `${isMidway ? "midway" : "after its end"}${isClosed ? ", old store closed" : ""}`
    console.log(`${done}/${kills}: after ${Math.round(delayMs)} ms, ${state}; ${problem ?? "good"}`)
  },
})
const failed = all.filter(({ problem }) => problem !== null).length
const midway = all.filter(({ isMidway }) => isMidway)
const closed = midway.filter(({ isClosed }) => isClosed).length
console.log(
  `${midway.length} struck midway, ${closed} of them after the old store was closed; ${failed} left something wrong`,
)
process.exit(failed === 0 && midway.length > 0 ? 0 : 1)
