/**
 * `npm run soak -- sites [ROUNDS [ROUNDS_EACH_KILL]]`: new sites race for the last place of a purchase on two nodes with
 * two threads each, on each kind of store, and nodes are killed meanwhile.
 */
import { raceForPlaces } from "../harness/faults/site-race.ts"
import { storeKinds } from "../harness/stores/stores.ts"

const [rounds = 1_000, roundsEachKill = 20] = process.argv.slice(2).map(Number)

let isGood = true
for (const kind of storeKinds) {
  console.log(
    `${kind.name}: ${rounds} races for the last place, a kill in every ${roundsEachKill}th`,
  )
  const { letIn, refused, problems } = await raceForPlaces({
    kind,
    rounds,
    roundsEachKill,
    onRound(done) {
      if (done % 100 === 0) console.log(`${done}/${rounds}`)
    },
  })
  for (const problem of problems.slice(0, 20)) console.log(problem)
  console.log(`${letIn} sites let in and ${refused} refused; ${problems.length} rounds went wrong`)
  isGood &&= problems.length === 0
}
process.exit(isGood ? 0 : 1)
