/** `npm run soak -- move [KILLS [sqlite|postgres [SEED]]]`: `kill -9` during moves in both directions, by turns. */
import { killMoves } from "../harness/faults/move-kills.ts"

const [kills = "200", kind = "sqlite", seed = "20261117"] = process.argv.slice(2)

let done = 0
const all = await killMoves({
  kind: kind === "postgres" ? kind : "sqlite",
  kills: Number(kills),
  lines: 20_000,
  seed: Number(seed),
  onKill({ delayMs, isMidway, isClosed, isCanceled, problem }) {
    done += 1
    const state = [
      isMidway ? "midway" : "after its end",
      isClosed ? "closed" : "open",
      ...(isCanceled ? ["canceled"] : []),
    ].join(", ")
    console.log(`${done}/${kills}: after ${Math.round(delayMs)} ms, ${state}; ${problem ?? "good"}`)
  },
})
const failed = all.filter(({ problem }) => problem !== null).length
const midway = all.filter(({ isMidway }) => isMidway)
const closed = midway.filter(({ isClosed }) => isClosed).length
console.log(
  `seed ${seed}: ${midway.length} killed midway, ${closed} of them while the old database was closed; ${failed} left something wrong`,
)
process.exit(failed === 0 && midway.length > 0 ? 0 : 1)
