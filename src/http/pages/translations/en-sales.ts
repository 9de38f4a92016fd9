import { count } from "./plurals.ts"

/** The texts of the days that a chart shows. */
export const range = {
  label: "Days to show",
  days: (n: number) => `${n} days`,
  own: "Other days",
  ends: { from: "From", to: "To" },
  show: "Show",
  shown: (from: string, to: string) => (from === to ? `${from}.` : `${from} – ${to}.`),
  inUtc: (when: string) => `Days are in UTC; the last one begins on ${when}.`,
  longest: (n: number) => `At most ${n} days are shown.`,
  kept: (n: number) => `Calls are kept for ${n} days.`,
}

export const sales = {
  title: "Sales",
  search: "Code of any sale, or part of a buyer’s name",
  everyItem: "All items",
  itemHint: "The ID of an item; its page leads here too.",
  noItem: "You have no item with this ID.",
  everyState: "All states",
  states: { valid: "Valid", refunded: "Refunded" },
  all: "Any time",
  none: "No sales yet. A sale appears here as soon as your marketplace sends it.",
  noMatch: "No sales here.",
  noneSoFar: "No match in the sales looked through so far.",
  showAll: "Show all sales",
  buyerAndLicense: "Buyer, licence",
  date: "Sold",
  supportEnd: "Support until",
  noSupport: "None",
  sites: "Sites",
  older: "Older sales",
  newest: "Newest sales",
  searched: (n: number) =>
    `Looked through ${count(n, "sale", "sales")} for the name. There are older ones.`,
  searchOlder: "Search older sales",
  chart: (total: number, valid: number) =>
    `${count(total, "sale", "sales")}, ${valid.toLocaleString("en")} of them valid.`,
  noChart: (n: number) => `A chart shows at most ${n} days.`,
  tooMany: (n: number) =>
    `More than ${count(n, "sale", "sales")}: choose fewer days or one item to see them by day.`,
  ofItem: "Latest sales",
  allOfItem: "All sales of this item",
  noneOfItem: "This item was not sold yet.",
}
