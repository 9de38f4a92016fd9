/**
 * `npm run soak -- server [KILLS [SEED]]`: kills a server during pushes and key changes, on each kind of store.
 * `npm run soak -- webhooks [KILLS [SEED]]`: the same while it sends webhooks, with imports that are killed beside it.
 */
import { killServers } from "../harness/faults/server-kills.ts"
import { killSenders } from "../harness/faults/webhook-kills.ts"
import { storeKinds } from "../harness/stores/stores.ts"

const [name = "", ...numbers] = process.argv.slice(2)
const [kills = 200, seed = 20_240_427] = numbers.map(Number)

let isGood = true
for (const kind of storeKinds) {
  console.log(`${kind.name}: ${kills} kills (${name}), seed ${seed}`)
  const onKill = (done: number) => {
    if (done % 20 === 0) console.log(`${done}/${kills}`)
  }
  const options = { kind, kills, seed, onKill }
  const { problems, ...acknowledged } =
    name === "webhooks" ? await killSenders(options) : await killServers(options)
  for (const problem of problems.slice(0, 20)) console.log(problem)
  const counts = Object.entries(acknowledged).map(([what, count]) => `${what}: ${count}`)
  console.log(`${counts.join(", ")}; ${problems.length} left something wrong`)
  isGood &&= problems.length === 0 && Object.values(acknowledged).every((count) => count > 0)
}
process.exit(isGood ? 0 : 1)
