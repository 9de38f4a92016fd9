/**
 * Finds the limits of a marketplace of a given size by queueing theory: every tier is a number of
 * cores with one queue (M/M/c). The costs were measured on one machine; figures for a hundred nodes
 * are calculated.
 */

/** CPU time in microseconds unless the name says otherwise. docs/scaling.md says how they were measured. */
export type Costs = Readonly<{
  /** Of a node, for a validation answered through PostgreSQL. */
  node: number
  /** Of the server that looks a code up, at `lookUpPurchases` purchases. */
  lookUp: number
  lookUpPurchases: number
  /** For every tenfold growth beyond that: another level of the index, now and then. */
  lookUpTenfold: number
  /** Of a server, for a heartbeat, which a thread sends four times a second. */
  beat: number
  /** Of the primary, for a sale that is pushed; a replica repeats about half of that. */
  sale: number
  /** Of one purchase in table and indexes. */
  purchaseBytes: number
  /** One page from a disk that keeps up with it. */
  diskRead: number
}>

export type Plan = Readonly<{
  purchases: number
  nodes: number
  nodeCores: number
  replicas: number
  databaseCores: number
  databaseMemoryBytes: number
  salesPerSecond: number
  /** Validations of unknown codes: if a replica has no row, the primary is asked too. */
  missShare: number
  /** Share of the purchases that almost all validations are about. */
  liveShare: number
}>

type Tier = Readonly<{
  name: string
  cores: number
  /** For each validation that reaches the system. */
  usEach: number
  /** Busy with other things, in cores. */
  coresTaken: number
}>

export type Outlook = Readonly<{
  bottleneck: string
  /** At `utilisationMax` of the bottleneck. */
  validationsPerSecond: number
  msP99: number
  storeBytes: number
  /** To the primary: those of each thread, and one for its heartbeat. */
  connections: number
}>

/** Above it queues grow faster than load, and one failure is one too many. */
const utilisationMax = 0.7
const beatsPerSecond = 4
/** As in src/config/config.ts. */
const connectionsOfThreads = (threads: number) => threads * Math.max(4, Math.floor(16 / threads))

export function predict(plan: Plan, costs: Costs): Outlook {
  const tiers = tiersOf(plan, costs)
  const limits = tiers.map((tier) => ({ tier, perSecond: capacityOf(tier) }))
  const narrowest = limits.reduce((a, b) => (b.perSecond < a.perSecond ? b : a))
  const rate = narrowest.perSecond
  // The sum of the tiers' 99th percentiles: an upper bound.
  const msP99 = tiers.reduce((sum, tier) => sum + usP99(tier, rate) / 1000, 0)
  return {
    bottleneck: narrowest.tier.name,
    validationsPerSecond: rate,
    msP99,
    storeBytes: plan.purchases * costs.purchaseBytes,
    connections: plan.nodes * (connectionsOfThreads(plan.nodeCores) + plan.nodeCores),
  }
}

function tiersOf(plan: Plan, costs: Costs): readonly Tier[] {
  const { nodes, nodeCores, replicas, databaseCores, missShare, salesPerSecond } = plan
  const beats = (nodes * nodeCores * beatsPerSecond * costs.beat) / 1e6
  const sales = (salesPerSecond * costs.sale) / 1e6
  const lookUp = lookUpUs(plan, costs)
  const primary = {
    name: "primary",
    cores: databaseCores,
    usEach: replicas === 0 ? lookUp : missShare * lookUp,
    coresTaken: beats + sales,
  }
  const copies = {
    name: "replicas",
    cores: replicas * databaseCores,
    usEach: lookUp,
    coresTaken: replicas * (beats + sales / 2),
  }
  const own = { name: "nodes", cores: nodes * nodeCores, usEach: costs.node, coresTaken: 0 }
  return replicas === 0 ? [own, primary] : [own, primary, copies]
}

/** Pages that do not fit into memory are read from disk: a leaf of the index and a page of the table. */
function lookUpUs(plan: Plan, costs: Costs): number {
  const growth = Math.max(0, Math.log10(plan.purchases / costs.lookUpPurchases))
  const liveBytes = plan.purchases * plan.liveShare * costs.purchaseBytes
  const missing = Math.max(0, 1 - plan.databaseMemoryBytes / liveBytes)
  return costs.lookUp + growth * costs.lookUpTenfold + 2 * missing * costs.diskRead
}

const capacityOf = ({ cores, usEach, coresTaken }: Tier) =>
  Math.max(0, ((cores * utilisationMax - coresTaken) * 1e6) / usEach)

/** Time in the queue and being served that 99 of 100 stay under. */
function usP99(tier: Tier, perSecond: number): number {
  const busy = (perSecond * tier.usEach) / 1e6 + tier.coresTaken
  const waits = waitProbability(tier.cores, busy)
  const usService = tier.usEach * Math.log(100)
  if (waits <= 0.01) return usService
  return usService + (Math.log(waits / 0.01) * tier.usEach) / (tier.cores - busy)
}

/** Erlang's C formula: how likely a request finds all `cores` busy. Summed so that nothing overflows. */
export function waitProbability(cores: number, busy: number): number {
  let blocked = 1
  for (let core = 1; core <= cores; core++) blocked = (busy * blocked) / (core + busy * blocked)
  return (cores * blocked) / (cores - busy * (1 - blocked))
}
