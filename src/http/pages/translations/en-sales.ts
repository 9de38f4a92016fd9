import { count } from "./plurals.ts"

/** Texts of the date range of a chart. */
export const range = {
  label: "Date range",
  days: (n: number) => `${n} days`,
  custom: "Custom range",
  ends: { from: "From", to: "To" },
  show: "Show",
  shown: (from: string, to: string) => (from === to ? `${from}.` : `${from} – ${to}.`),
  inUtc: (when: string) => `Days are in UTC; the last one begins on ${when}.`,
  daysMax: (n: number) => `At most ${n} days.`,
  retention: (n: number) => `Counts are kept for ${n} days.`,
}

export const sales = {
  title: "Sales",
  search: "Purchase code or part of a buyer’s name",
  allItems: "All items",
  itemHint: "Item ID. The page of an item links here, too.",
  noItem: "You have no item with this ID.",
  allStates: "All states",
  states: { valid: "Valid", refunded: "Refunded" },
  anyTime: "Any time",
  none: "No sales yet. A sale appears here when your marketplace imports it.",
  noMatch: "No sales match.",
  noneSoFar: "No match in the sales searched so far.",
  showAll: "Show all sales",
  buyerAndLicense: "Buyer, license",
  date: "Sold",
  supportEnd: "Support until",
  noSupport: "None",
  sites: "Sites",
  older: "Older sales",
  newest: "Newest sales",
  searched: (n: number) => `Searched ${count(n, "sale", "sales")}. Older sales were not searched.`,
  searchOlder: "Search older sales",
  chart: (total: number, valid: number) =>
    `${count(total, "sale", "sales")}, ${valid.toLocaleString("en")} valid.`,
  noChart: (n: number) => `A chart shows at most ${n} days.`,
  tooMany: (n: number) =>
    `More than ${count(n, "sale", "sales")}. Choose fewer days or one item to see a chart.`,
  latestOfItem: "Latest sales",
  allOfItem: "All sales of this item",
  noneOfItem: "No sales of this item yet.",
}
