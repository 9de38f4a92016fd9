/**
 * `npm run soak -- server [KILLS [SEED]]`: kills a server during pushes and key changes, on each kind of store.
 */
import { killServers } from "../harness/faults/server-kills.ts"
import { storeKinds } from "../harness/stores/stores.ts"

const [kills = 200, seed = 20_240_427] = process.argv.slice(2).map(Number)

let isGood = true
for (const kind of storeKinds) {
  console.log(
    `${kind.name}: ${kills} kills of a server during pushes and key changes, seed ${seed}`,
  )
  const { sales, keyChanges, problems } = await killServers({
    kind,
    kills,
    seed,
    onKill(done) {
      if (done % 20 === 0) console.log(`${done}/${kills}`)
    },
  })
  for (const problem of problems.slice(0, 20)) console.log(problem)
  console.log(
    `${sales} sales and ${keyChanges} key changes acknowledged; ${problems.length} left something wrong`,
  )
  isGood &&= problems.length === 0 && sales > 0 && keyChanges > 0
}
process.exit(isGood ? 0 : 1)
