/** `npm run soak -- torn [TEARS [SEED]]`: write-ahead logs that a power cut tore at a random place. */
import { tearLogs } from "../harness/faults/torn-logs.ts"

const [tears = 100, seed = 20_240_427] = process.argv.slice(2).map(Number)

console.log(`${tears} torn logs, seed ${seed}`)
const { whole, cut, problems } = await tearLogs(tears, seed, (done) => {
  if (done % 50 === 0) console.log(`${done}/${tears}`)
})
for (const problem of problems.slice(0, 20)) console.log(problem)
console.log(
  `${whole} with the push under way, ${cut} without it; ${problems.length} left something wrong`,
)
process.exit(problems.length === 0 && whole > 0 && cut > 0 ? 0 : 1)
