import { count } from "./plurals.ts"

/** The texts about the sites on which a code is used. */
export const sites = {
  title: "Sites",
  none: "No site yet. A site appears here when your product validates the code there and sends its address.",
  used: (n: number) => `In use on ${count(n, "site", "sites")}. There is no limit.`,
  usedOf: (n: number, limit: number) =>
    `In use on ${count(n, "site", "sites")}. The limit is ${limit.toLocaleString("en")}.`,
  itemLimit: "Change the limit of the item",
  site: "Site",
  first: "First seen",
  notCounted: "Not counted",
  notCountedHint: "Not counted: not seen for 30 days, so its place is free again.",
  test: "Test sites",
  testHint:
    "Local addresses, names without a dot, and names such as staging.example.com. They never count.",
  release: "Release",
  releaseHint:
    "A released site no longer counts. If the product is still used there, it comes back with its next validation, as long as fewer sites count than the limit allows.",
  releaseAll: "Release all sites",
  releaseAllHint:
    "Use this if the list is full of made-up sites. Sites that are really in use come back with their next validation, up to the limit.",
  released: "The site was released.",
  releasedAll: "All sites were released.",
  limit: {
    title: "Sites for each purchase",
    intro:
      "A site is a place where a buyer has installed your product, such as shop.example.com. You can limit on how many sites each purchase may be used.",
    guide: "How the limit works",
    sites: "Number of sites",
    sitesHint: "Leave it blank for no limit. Test sites never count.",
    others: "Other numbers for some licences",
    othersHint: "A blank field means the number above.",
    other: "Another licence type, exactly as your marketplace names it",
    otherSites: "Number of sites for it",
    problem: "Enter a number from 1 to 200, or leave the field blank.",
    noName: "Name the licence type too.",
    preview: "See what it would do",
    confirm: "Save this limit?",
    confirmNone: "Remove the limit?",
    perPurchase: (n: number | null) =>
      n === null
        ? "A purchase may be used on any number of sites."
        : `A purchase may be used on ${count(n, "site", "sites")}.`,
    perLicense: (licence: string, n: number) =>
      `With the licence “${licence}”: ${count(n, "site", "sites")}.`,
    over: (over: number, purchases: number, n: number | null) => {
      const of = `${over.toLocaleString("en")} of ${count(purchases, "purchase", "purchases")} ${over === 1 ? "is" : "are"}`
      return n === null
        ? `${of} on more sites than that today.`
        : `${of} on more than ${count(n, "site", "sites")} today.`
    },
    effect:
      "Sites that were seen in the last 30 days keep working. Another site beyond the limit is refused until a place is free.",
    saved: "The limit was saved. It takes effect at once.",
    most: "Codes on the most sites",
    noneWide: "No code of this item is on more than one site.",
    see: "See its sites",
  },
  many: (code: string, n: number, limit: number | null) =>
    `The code ${code} is in use on ${count(n, "site", "sites")}.${limit === null ? "" : ` The limit is ${limit.toLocaleString("en")}.`}`,
}
