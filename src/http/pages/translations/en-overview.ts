import { count } from "./plurals.ts"

/** Texts of the overview and its chart. */
export const overview = {
  title: "Overview",
  figures: {
    today: "Requests today (UTC)",
    todayNote: (n: number) => `${n.toLocaleString("en")} in the last 30 days`,
    valid: "Valid codes",
    codesNote: "unknown, refunded or over the site limit; last 7 days",
    errorsNote: "other failed requests with valid keys, last 7 days",
    stopped: "Requests with inactive keys",
    stoppedNote: "key revoked or expired, or account suspended; last 7 days",
    week: "successful validations, last 7 days",
    keys: "Valid keys",
    keysNote: (validation: number, test: number) =>
      `${validation.toLocaleString("en")} safe to ship, ${test.toLocaleString("en")} for tests`,
  },
  start: {
    title: "Get started",
    done: "Done:",
    create: {
      title: "Create a key",
      text: "Your code sends it with every request.",
      action: "Create a key",
    },
    call: {
      title: "Send a request",
      text: "Run the sample on the page of your new key, or one from the docs with your key.",
      action: "Open the docs",
    },
    ship: {
      title: "Ship a validation key",
      text: "It can only validate purchases and release sites, so it is safe inside a product.",
      action: "Create a validation key",
    },
  },
  requests: "Requests",
  noRequests: "No requests on these days.",
  chart: (total: number, ok: number) =>
    `${count(total, "request", "requests")}, ${ok.toLocaleString("en")} successful.`,
  groups: { ok: "Successful", rejected: "Invalid codes", failed: "Errors" },
  day: "Day",
  asTable: "Show as a table",
  countedRequests:
    "Invalid codes: unknown codes and sites, refunded codes, and codes over the site limit. Errors: all other failed requests. A bar of the last 7 days links to its failed requests. Requests with test keys or inactive keys are not counted.",
  testRequests: "The overview does not count requests with test keys.",
  today: "Today",
  attention: "Needs attention",
  moreAttention: (n: number) => `${n.toLocaleString("en")} more`,
  shipped: (name: string, ipRanges: number) =>
    `“${name}” looks shipped in a product: it was used from ${count(ipRanges, "IP range", "IP ranges")} this week.`,
  expires: (name: string, when: string) => `“${name}” expires on ${when}.`,
  stillUsed: (name: string) =>
    `“${name}” was rotated, but the old key was used in the last 24 hours.`,
  seeKey: "Open the key",
  account: "Your account",
  balance: "Balance",
  registered: "Member since",
  itemCount: (visible: number, hidden: number) =>
    hidden === 0
      ? `${visible.toLocaleString("en")} visible`
      : `${visible.toLocaleString("en")} visible, ${hidden.toLocaleString("en")} hidden`,
  asJson: "API response",
}
