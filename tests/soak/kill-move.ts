/**
 * `npm run soak -- move [KILLS [move|master-key [sqlite|postgres [SEED]]]]`: `kill -9` during moves between the stores, in both
 * directions, and during replacements of the master key.
 */
import { killMoves } from "../harness/faults/move-kills.ts"

const [kills = "200", only, kind = "sqlite", seed = "20261117"] = process.argv.slice(2)

async function soak(what: "move" | "master key"): Promise<boolean> {
  console.log(`${what}: ${kills} kills, seed ${seed}`)
  let done = 0
  const all = await killMoves({
    what,
    kind: kind === "postgres" ? kind : "sqlite",
    kills: Number(kills),
    lines: 5_000,
    seed: Number(seed),
    onKill({ delayMs, isMidway, isClosed, problem }) {
      done += 1
      const state = `${isMidway ? "midway" : "after its end"}${isClosed ? ", old store closed" : ""}`
      console.log(
        `${done}/${kills}: after ${Math.round(delayMs)} ms, ${state}; ${problem ?? "good"}`,
      )
    },
  })
  const failed = all.filter(({ problem }) => problem !== null).length
  const midway = all.filter(({ isMidway }) => isMidway)
  const closed = midway.filter(({ isClosed }) => isClosed).length
  console.log(
    `${what}: ${midway.length} struck midway, ${closed} of them after the old store was closed; ${failed} left something wrong`,
  )
  return failed === 0 && midway.length > 0
}

let isGood = true
for (const what of ["move", "master key"] as const) {
  if (only === undefined || what.replace(" ", "-") === only) isGood = (await soak(what)) && isGood
}
process.exit(isGood ? 0 : 1)
