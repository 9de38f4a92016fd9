/** The short form of `npm run soak -- sites`. */
import { expect, test } from "bun:test"
import { raceForPlaces } from "../../harness/faults/site-race.ts"
import { storeKinds } from "../../harness/stores/stores.ts"

for (const kind of storeKinds) {
  test(`one of six new sites gets the last place on ${kind.name}, on whatever node, also when one is killed`, async () => {
    const race = await raceForPlaces({ kind, rounds: 20, roundsEachKill: 10 })
    expect(race.problems).toEqual([])
    expect(race.letIn).toBeGreaterThanOrEqual(18)
    expect(race.refused).toBeGreaterThan(0)
  })
}
