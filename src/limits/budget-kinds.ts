/** The kinds of budgets. Nodes tell each other what was spent by these numbers: never reuse one. */
export const budgetKinds = {
  badKeys: 1,
  operator: 2,
  reads: 3,
  lists: 4,
  misses: 5,
  missesOfKey: 6,
  goodKeys: 7,
  goodNetworks: 8,
  /** The places in flight are counted on from here. */
  readsInFlight: 1_000,
  listsInFlight: 2_000,
} as const
