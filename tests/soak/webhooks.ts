/**
 * `npm run soak -- webhooks [KILLS [SEED]]`: kills servers that send webhooks while sales are pushed, and imports beside
 * them, on each kind of store.
 */
import { killSenders } from "../harness/faults/webhook-kills.ts"
import { storeKinds } from "../harness/stores/stores.ts"

const [kills = 200, seed = 20_240_427] = process.argv.slice(2).map(Number)

let isGood = true
for (const kind of storeKinds) {
  console.log(`${kind.name}: ${kills} kills of a sender and its feed, seed ${seed}`)
  const { sales, problems } = await killSenders({
    kind,
    kills,
    seed,
    onKill(done) {
      if (done % 20 === 0) console.log(`${done}/${kills}`)
    },
  })
  for (const problem of problems.slice(0, 20)) console.log(problem)
  console.log(`${sales} sales; ${problems.length} left something wrong`)
  isGood &&= problems.length === 0 && sales > 0
}
process.exit(isGood ? 0 : 1)
