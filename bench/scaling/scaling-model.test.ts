import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { renderPlans } from "./scaling.ts"
import { type Costs, type Plan, predict, waitProbability } from "./scaling-model.ts"

const costs: Costs = {
  node: 100,
  lookUp: 50,
  lookUpPurchases: 1_000_000,
  lookUpTenfold: 5,
  beat: 100,
  sale: 500,
  purchaseBytes: 500,
  diskRead: 100,
}
const plan: Plan = {
  purchases: 1_000_000,
  nodes: 1,
  nodeCores: 1,
  replicas: 0,
  databaseCores: 4,
  databaseMemoryBytes: 1e12,
  salesPerSecond: 0,
  missShare: 0,
  liveShare: 1,
}

describe("Erlang's formula", () => {
  test("one core: as likely to wait as it is busy", () => {
    for (const busy of [0.1, 0.5, 0.9]) expect(waitProbability(1, busy)).toBeCloseTo(busy, 10)
  })

  test("two cores at one: a third, as the tables have it", () =>
    expect(waitProbability(2, 1)).toBeCloseTo(1 / 3, 10))

  test("many cores do not overflow, and wait less", () => {
    const wait = waitProbability(10_000, 7_000)
    expect(wait).toBeGreaterThanOrEqual(0)
    expect(wait).toBeLessThan(1e-9)
  })
})

describe("the narrowest tier", () => {
  const bottleneck = (changes: Partial<Plan>) => predict({ ...plan, ...changes }, costs).bottleneck

  test("is first the nodes, then the database, then what was not found", () => {
    expect(bottleneck({})).toBe("nodes")
    expect(bottleneck({ nodes: 20 })).toBe("primary")
    expect(bottleneck({ nodes: 20, replicas: 1 })).toBe("replicas")
    expect(bottleneck({ nodes: 100, replicas: 100, missShare: 0.5 })).toBe("primary")
  })

  test("carries 70 % of what its cores could", () =>
    expect(predict(plan, costs).validationsPerSecond).toBeCloseTo(7_000, 6))

  test("carries less once the live part no longer fits into memory", () => {
    const fits = predict({ ...plan, nodes: 20 }, costs).validationsPerSecond
    const spills = predict({ ...plan, nodes: 20, databaseMemoryBytes: 1e8 }, costs)
    expect(spills.validationsPerSecond).toBeLessThan(fits)
  })
})

test("docs/scaling.md shows the table as it is calculated", () => {
  const page = readFileSync(new URL("../../docs/scaling.md", import.meta.url), "utf8")
  expect(page).toContain(renderPlans())
})
