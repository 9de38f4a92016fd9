/** `npm run soak -- requests [REQUESTS [SEED]]`: any number of random requests; prints the statuses and what is wrong. */
import { sendRequests } from "../harness/faults/request-storm.ts"

const [requests = 1_000_000, seed = 20_240_427] = process.argv.slice(2).map(Number)

console.log(`${requests} requests, seed ${seed}`)
const startedAt = performance.now()
const { statuses, findings, logged } = await sendRequests({
  requests,
  seed,
  onRequests(count) {
    if (count % 50_000 === 0) console.log(`${count}/${requests}`)
  },
})
const seconds = (performance.now() - startedAt) / 1000
for (const { what, request, answers } of findings.slice(0, 20)) {
  console.log(what, JSON.stringify(request), JSON.stringify(answers.slice(0, 500)))
}
console.log(Object.fromEntries([...statuses].toSorted(([one], [other]) => one - other)))
if (logged !== "") console.log(`logged: ${logged.slice(0, 2_000)}`)
console.log(
  `${findings.length} findings; ${Math.round(requests / seconds)} requests/s, ${Math.round(seconds)} s`,
)
process.exit(findings.length > 0 || logged !== "" ? 1 : 0)
