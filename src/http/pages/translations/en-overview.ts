import { count } from "./plurals.ts"

/** The texts of the overview and of the chart. */
export const overview = {
  title: "Overview",
  figures: {
    today: "Calls today (UTC)",
    todayNote: (n: number) => `${n.toLocaleString("en")} in the last 30 days`,
    valid: "Valid codes",
    codesNote: "calls with codes not found, refunded or on too many sites; last 7 days",
    errorsNote: "other failed calls with working keys, last 7 days",
    stopped: "Calls with stopped keys",
    stoppedNote: "the key was stopped or has expired, or the account was suspended; last 7 days",
    week: "successful checks in the last 7 days",
    keys: "Working keys",
    keysNote: (validation: number, test: number) =>
      `${validation.toLocaleString("en")} safe to ship, ${test.toLocaleString("en")} for tests`,
  },
  start: {
    title: "Get started",
    done: "Done:",
    create: {
      title: "Create a key",
      text: "Your code sends it with every call.",
      action: "Create a key",
    },
    call: {
      title: "Make a call",
      text: "Run the call that the page of your new key shows, or one from the docs with your own key in it.",
      action: "Open the docs",
    },
    ship: {
      title: "Ship a validation key",
      text: "It can only check purchases and release their sites, so it is safe inside a product.",
      action: "Create a validation key",
    },
  },
  calls: "Calls",
  noneThen: "No calls in these days.",
  chart: (total: number, ok: number) =>
    `${count(total, "call", "calls")}, ${ok.toLocaleString("en")} of them successful.`,
  /** The same three on an author's pages. */
  groups: { ok: "Successful", refused: "Codes not valid", failed: "Errors" },
  day: "Day",
  asTable: "Show as a table",
  countedCalls:
    "Codes not valid: codes and sites that were not found, refunded codes, and codes on too many sites. Errors: all other failed calls. A bar of the last 7 days leads to its failed calls. Calls with test keys and with keys that no longer work are not counted.",
  testCalls: "The overview does not count calls with test keys.",
  soFar: "Today",
  attention: "Needs attention",
  moreAttention: (n: number) => `${n.toLocaleString("en")} more`,
  shipped: (name: string, ipRanges: number) =>
    `“${name}” looks shipped in a product: it was used from ${count(ipRanges, "network", "networks")} this week.`,
  expires: (name: string, when: string) => `“${name}” expires on ${when}.`,
  stillUsed: (name: string) =>
    `“${name}” was replaced, but was called after that in the last 24 hours.`,
  seeKey: "See the key",
  account: "Your account",
  balance: "Balance",
  registered: "Member since",
  itemCount: (visible: number, hidden: number) =>
    hidden === 0
      ? `${visible.toLocaleString("en")} visible`
      : `${visible.toLocaleString("en")} visible, ${hidden.toLocaleString("en")} hidden`,
  asJson: "What the API returns",
}
