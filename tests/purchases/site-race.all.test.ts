import { expect, test } from "bun:test"
import { raceForSlots } from "../harness/faults/site-race.ts"
import { storeKinds } from "../harness/stores/test-stores.ts"

for (const kind of storeKinds) {
  test(`one of six new sites gets the last slot on ${kind.name}, on any node, even if one is killed`, async () => {
    const race = await raceForSlots({ kind, rounds: 20, roundsEachKill: 10 })
    expect(race.problems).toEqual([])
    expect(race.allowed).toBeGreaterThanOrEqual(18)
    expect(race.rejected).toBeGreaterThan(0)
  })
}
