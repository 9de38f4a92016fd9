import { ipRangesMax } from "../../../domain/usage/usage.ts"
import { count, shorten } from "./plurals.ts"

export const keys = {
  title: "API Access",
  intro:
    "Your code sends a key with every request. Keep secret keys on your server, never inside a product.",
  create: "Create a key",
  none: "You have no valid key. Create one to send requests.",
  reveal: "Reveal",
  hide: "Hide",
  inactive: (n: number) => `Inactive keys (${n.toLocaleString("en")})`,
  kinds: {
    sk: "Secret key",
    vk: "Validation key",
    tk: "Test key",
    imported: "Imported key",
  },
  /** Short, for the column of the table. */
  shortKinds: { sk: "Secret", vk: "Validation", tk: "Test", imported: "Imported" },
  about: {
    sk: "This key can read your account and items, validate purchases and release sites. Keep it on your server.",
    imported:
      "This key can read your account and items, validate purchases and release sites. Imported from your marketplace's earlier API.",
    tk: "This key can send every request and returns test data only.",
    vkAll: "This key can only validate purchases and release sites. Safe to ship inside a product.",
    vkSome: (n: number) =>
      `This key can only validate purchases of ${count(n, "item", "items")} and release sites. Safe to ship inside a product.`,
    vkSite: "Validations without a site are rejected.",
  },
  state: {
    active: "Active",
    ending: "Rotated",
    revoked: "Revoked",
    expired: "Expired",
  },
  created: "Created",
  lastUsed: "Last used",
  lastWeek: "Last 7 days",
  expires: "Expires",
  allItems: "All items",
  shipped: (ipRanges: number) =>
    `This key looks shipped in a product: it was used from ${count(ipRanges, "IP range", "IP ranges")} this week. Anyone who has it can read your whole account. Ship a validation key instead, then revoke this one.`,
  new: {
    kind: "What is it for?",
    choices: {
      sk: "My own server",
      vk: "A product I sell",
      tk: "Trying things out",
    },
    nameHint: "For example, where the key is used.",
    items: "Which items may it validate?",
    all: "All my items, including future ones",
    some: "Only these:",
    requiresSite: "Reject validations without a site (recommended with a site limit)",
    shown: (shown: number, all: number) =>
      shown < all
        ? `The first ${shown.toLocaleString("en")} of ${count(all, "item", "items")}, by name. Search for the others; selected items stay selected.`
        : count(all, "item", "items"),
    expiries: { never: "Never", "30": "In 30 days", "90": "In 90 days", "365": "In a year" },
    badItems: "Choose at least one of your own items.",
    notYours: (ids: readonly string[]) =>
      `You have no ${ids.length === 1 ? "item with this ID" : "items with these IDs"}: ${shorten(ids)}.`,
    emptyName: "Enter a name for the key.",
    longName: (max: number) => `Use at most ${max} characters.`,
    tooMany: (max: number) => `You have ${max} valid keys. Revoke an unused key first.`,
  },
  newSecret: {
    title: "Your new key",
    copyNow: "Copy it to your product or server. You can also reveal it later on this page.",
    done: "Done",
    oldUntil: (when: string) => `The old key is valid until ${when}.`,
    oldInactive: "The old key is no longer valid.",
    seeOld: "Open the old key",
  },
  confirm: {
    title: "Confirm your password",
    why: {
      create: "Creating a key requires your password. Your selection is kept.",
      rotate: "Rotating a key requires your password. Your selection is kept.",
      reveal: "Revealing a key requires your password.",
      revoke: "Revoking a key requires your password.",
    },
    signInAgain: "Sign in again",
    noPassword:
      "You signed in more than five minutes ago, and your account has no password. Sign in again from your marketplace and repeat the action, or set a password under Settings, Security within five minutes of signing in.",
    submit: {
      create: "Create key",
      rotate: "Rotate key",
      reveal: "Reveal key",
      revoke: "Revoke key",
    },
  },
  actions: {
    rename: "Rename",
    rotate: "Rotate",
    revoke: "Revoke",
    renamed: "The key was renamed.",
    revoked: "The key was revoked. Requests with it are now rejected.",
    id: "Key ID",
  },
  rotate: {
    title: (name: string) => `Rotate “${name}”`,
    why: "You get a new key with the same permissions and expiry date. The old key stays valid for the overlap period, so you can deploy the new one first.",
    overlap: "Overlap period",
    keyLimit:
      "You have too many valid keys for an overlap period. Choose none, or revoke unused keys first.",
    overlaps: {
      "0": "None: the old key expires immediately",
      "1h": "1 hour",
      "1d": "1 day",
      "7d": "7 days",
    },
    untilExpiry: "Until it expires",
    usage: (n: number) =>
      n === 0
        ? "No requests in the last 7 days."
        : `${count(n, "request", "requests")} in the last 7 days.`,
  },
  revoke: {
    title: (name: string) => `Revoke “${name}”?`,
    why: (n: number) =>
      n === 0
        ? "This key was not used in the last 7 days. You cannot undo this."
        : `All requests with this key are rejected immediately: ${count(n, "request", "requests")} in the last 7 days. You cannot undo this.`,
  },
}

/** Texts of the key table, the page of a key and the first request. */
export const keyPages = {
  find: {
    label: "Found a key somewhere?",
    hint: "Paste it to see whether it is yours. Pazar does not store it.",
    submit: "Look up",
    empty: "Paste a key first.",
    none: "This key is not yours. If you found it in public, report it to your marketplace.",
    publicTest: "This is the public test key of the docs. It does not belong to an account.",
    found: (name: string) => `This is your key “${name}”.`,
  },
  table: {
    kind: "Type",
    use: "Requests, 30 days",
    menu: (name: string) => `Actions for ${name}`,
    shipped: "Looks shipped",
    stillUsed: "Rotated, still used",
  },
  operations: {
    read_account: "Read the account",
    list_items: "List items",
    read_item: "Read an item",
    validate_purchase: "Validate a purchase",
    release_site: "Release a site",
  },
  usage: {
    title: "Who uses this key?",
    ipRanges: (n: number) =>
      `Used from ${n < ipRangesMax ? "" : "at least "}${count(n, "IP range", "IP ranges")} this week.`,
    ipRangeCount: (n: number) => count(n, "IP range", "IP ranges"),
    noRequests: "No requests this week.",
    moreIpRanges: (n: number) => `Show ${n.toLocaleString("en")} more`,
    none: "No requests yet.",
    byOperation: "By operation",
    items: "Items it can validate",
    moreItems: (n: number) => `and ${n.toLocaleString("en")} more`,
  },
  inactive: {
    rotated: (when: string) => `Rotated on ${when}.`,
    validUntil: (when: string) => `Valid until ${when}.`,
    revoked: (when: string) => `Revoked on ${when}. Requests with this key are rejected.`,
    expired: (when: string) => `Expired on ${when}. Requests with this key are rejected.`,
    successor: "Replaced by",
  },
  leak: {
    link: "This key leaked",
    title: (name: string) => `Did “${name}” leak?`,
    danger: {
      sk: "Anyone who has this key can read your account and items, validate purchases and release sites.",
      vk: "Anyone who has this key can only validate purchases and release sites. It is safe to ship inside a product.",
      tk: "This key returns test data only.",
    },
    impact: (calls: number, ipRanges: number) =>
      calls === 0 && ipRanges === 0
        ? "This key was not used in the last 7 days."
        : `Requests with this key are then rejected immediately: ${count(calls, "request", "requests")} from ${count(ipRanges, "IP range", "IP ranges")} in the last 7 days.`,
    rotate: "Rotate now",
    revoke: "Revoke now",
    open: "Open the key",
    inactive: "This key is inactive. No action is needed.",
  },
  quickStart: {
    title: "Try it now",
    intro: "Ready to run: paste the curl command into a terminal, the other samples into a file.",
    introCode: (placeholder: string) =>
      `Replace ${placeholder} with one of your purchase codes, then run the sample. Test codes work with test keys only.`,
    pending: "Waiting for your first request…",
    again: "Check now",
    received: (when: string) => `First request received: ${when}.`,
  },
}
