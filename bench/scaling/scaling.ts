/** Prints the table of docs/scaling.md: the capacity of each plan, and its bottleneck. */
import { renderTable } from "../report/markdown-table.ts"
import { postgresCosts } from "../report/results.ts"
import { type Costs, type Plan, predict } from "./scaling-model.ts"

const { node, database, purchases } = postgresCosts()

/** The first three are the report's. The others were measured apart; docs/scaling.md says how. */
const measured: Costs = {
  node,
  lookUp: database,
  lookUpPurchases: purchases,
  lookUpTenfold: 3,
  beat: 200,
  sale: 1_000,
  purchaseBytes: 464,
  diskRead: 100,
}

const gigabyte = 1024 ** 3
const small: Plan = {
  purchases: 1_000_000,
  nodes: 1,
  nodeCores: 2,
  replicas: 0,
  databaseCores: 4,
  databaseMemoryBytes: 16 * gigabyte,
  salesPerSecond: 1,
  missShare: 0.05,
  liveShare: 0.3,
}
const large = { databaseCores: 16, databaseMemoryBytes: 128 * gigabyte, salesPerSecond: 50 }

const plans: readonly Plan[] = [
  small,
  { ...small, nodes: 3, purchases: 10_000_000 },
  { ...small, ...large, nodes: 10, purchases: 10_000_000 },
  { ...small, ...large, nodes: 10, replicas: 2, purchases: 100_000_000 },
  { ...small, ...large, nodes: 50, replicas: 4, purchases: 100_000_000 },
  { ...small, ...large, nodes: 100, replicas: 8, purchases: 1_000_000_000 },
  { ...small, ...large, nodes: 100, replicas: 8, purchases: 1_000_000_000, liveShare: 0.9 },
]

export function renderPlans(): string {
  const rows = plans.map((plan) => {
    const { bottleneck, validationsPerSecond, msP99, storeBytes, connections } = predict(
      plan,
      measured,
    )
    return [
      count(plan.purchases),
      `${plan.liveShare * 100} %`,
      `${plan.nodes} × ${plan.nodeCores}`,
      `${1 + plan.replicas} × ${plan.databaseCores}`,
      count(validationsPerSecond),
      bottleneck,
      msP99.toFixed(1),
      `${(storeBytes / 1e9).toFixed(storeBytes < 1e10 ? 1 : 0)} GB`,
      count(connections),
    ]
  })
  const head = [
    "purchases",
    "of them live",
    "nodes × cores",
    "databases × cores",
    "validations/s",
    "narrowest",
    "p99 ms",
    "store",
    "connections to the primary",
  ]
  return renderTable([head, ...rows])
}

/** Two digits count; the rest would only look exact. */
const count = (value: number) => Number(value.toPrecision(2)).toLocaleString("en")

if (import.meta.main) console.log(renderPlans())
