/** `npm run soak -- isolation [ANSWERS [SEED]]`: the isolation test of two authors, for any number of answers. */
import { weatherStorm } from "../harness/faults/isolation-storm.ts"

const [answers = 1_000_000, seed = 20_240_427] = process.argv.slice(2).map(Number)

console.log(`${answers} answers, seed ${seed}`)
const startedAt = performance.now()
const storm = await weatherStorm({
  answers,
  seed,
  onAnswers(count) {
    if (count % 50_000 === 0) console.log(`${count}/${answers}`)
  },
})
const { own, unavailable, breaks, wrong } = storm
for (const each of wrong.slice(0, 10)) console.log(JSON.stringify(each))
const seconds = Math.round((performance.now() - startedAt) / 1000)
console.log(
  `${own} the author's own, ${unavailable} "cannot say", ${wrong.length} wrong; ${breaks} times connections broke, in ${seconds} s`,
)
process.exit(wrong.length > 0 || own < answers / 2 ? 1 : 0)
