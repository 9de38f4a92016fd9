import { ipRangesMax } from "../../../domain/usage/usage.ts"
import { count, shorten } from "./plurals.ts"

export const keys = {
  title: "API Access",
  intro:
    "A key lets your code call the API. Keep secret keys on your server, never in something you sell.",
  create: "Create a key",
  none: "You have no working key. Your code sends one with every call.",
  reveal: "Reveal",
  hide: "Hide",
  inactive: (n: number) => `Keys that no longer work (${n.toLocaleString("en")})`,
  kinds: {
    sk: "Secret key",
    vk: "Validation key",
    tk: "Test key",
    imported: "Imported key",
  },
  /** Short, for the column of the table. */
  shortKinds: { sk: "Secret", vk: "Validation", tk: "Test", imported: "Imported" },
  about: {
    sk: "It can read your account and your items, check purchase codes and release their sites. Keep it on your server: anyone who has it can do the same.",
    imported:
      "It can read your account and your items, check purchase codes and release their sites. Imported from your marketplace's earlier API.",
    tk: "It can make every call and sees sample data only. For testing your integration.",
    vkAll:
      "This key can only validate purchases and release their sites. Safe to ship inside a product.",
    vkSome: (n: number) =>
      `This key can only validate purchases of ${count(n, "item", "items")} and release their sites. Safe to ship inside a product.`,
    vkSite: "Validations without a site are rejected.",
  },
  state: {
    active: "Active",
    ending: "Replaced",
    revoked: "Revoked",
    expired: "Expired",
    stopped: "Stopped",
  },
  created: "Created",
  lastUsed: "Last used",
  lastWeek: "Last 7 days",
  expires: "Expires",
  allItems: "All items",
  shipped: (ipRanges: number) =>
    `This key looks shipped in a product: it was used from ${count(ipRanges, "network", "networks")} this week. Anyone who has it can read your whole account. Put a validation key into the product, then revoke this one.`,
  new: {
    kind: "What is it for?",
    choices: {
      sk: "My own server",
      vk: "A product I sell",
      tk: "Trying things out",
    },
    nameHint: "To tell your keys apart. For example, where it is used.",
    items: "Which items may it validate?",
    all: "All my items, including future ones",
    some: "Only these:",
    requiresSite: "Reject validations without a site (recommended with a site limit)",
    shown: (shown: number, all: number) =>
      shown < all
        ? `The first ${shown.toLocaleString("en")} of ${count(all, "item", "items")}, by name. Search for the others; what you have ticked stays.`
        : count(all, "item", "items"),
    expiries: { never: "Never", "30": "In 30 days", "90": "In 90 days", "365": "In a year" },
    badItems: "Choose at least one of your own items.",
    notYours: (ids: readonly string[]) =>
      `You have no ${ids.length === 1 ? "item with this ID" : "items with these IDs"}: ${shorten(ids)}.`,
    emptyName: "Type a name for the key.",
    longName: (max: number) => `Use at most ${max} characters.`,
    tooMany: (max: number) => `You have ${max} working keys. Revoke one that you do not use first.`,
  },
  newSecret: {
    title: "Your new key",
    copyNow: "Copy it now. After you leave this page you can reveal it again.",
    done: "Done",
    oldUntil: (when: string) => `The old key keeps working until ${when}.`,
    oldInactive: "The old key no longer works.",
    seeOld: "See the old key",
  },
  confirm: {
    title: "Confirm your password",
    why: {
      create: "Creating a key asks for your password. What you chose is kept.",
      replace: "Replacing a key asks for your password. What you chose is kept.",
      reveal: "Showing a key again asks for your password.",
      revoke: "Revoking a key asks for your password.",
    },
    signInAgain: "Sign in again",
    noPassword:
      "You signed in more than five minutes ago, and your account has no password to confirm. Sign in again from your marketplace, then repeat what you wanted to do. Or set a password within five minutes of signing in, under Settings, Security.",
    submit: {
      create: "Create key",
      replace: "Replace key",
      reveal: "Reveal the key",
      revoke: "Revoke key",
    },
  },
  actions: {
    rename: "Rename",
    replace: "Replace",
    revoke: "Revoke",
    renamed: "The key was renamed.",
    revoked: "The key was revoked. Calls with it are refused from now on.",
    id: "Key ID",
  },
  rotate: {
    title: (name: string) => `Replace “${name}”`,
    why: "You get a new key with the same permissions and end date. The old one can keep working for a while, so that nothing breaks while you put the new one in place.",
    overlap: "Keep the old key working for",
    keyLimit:
      "You have too many working keys to keep both. Stop the old key now, or revoke keys that you do not use first.",
    overlaps: {
      "0": "Stop it now",
      "1h": "1 hour",
      "1d": "1 day",
      "7d": "7 days",
    },
    untilExpiry: "Until it expires",
    usage: (n: number) =>
      n === 0
        ? "It was not used in the last 7 days."
        : `It had ${count(n, "call", "calls")} in the last 7 days.`,
  },
  revoke: {
    title: (name: string) => `Revoke “${name}”?`,
    why: (n: number) =>
      n === 0
        ? "Nothing has used this key in the last 7 days. Revoking cannot be undone."
        : `Whatever uses this key stops working at once: it had ${count(n, "call", "calls")} in the last 7 days. This cannot be undone.`,
  },
}

/** The texts of the table of keys, of a key's page, and of the first call. */
export const keyPages = {
  find: {
    label: "Found a key somewhere?",
    hint: "Paste it to see whether it is yours. It is not stored.",
    submit: "Look up",
    empty: "Paste a key first.",
    none: "This is not one of your keys. It may belong to another account: if you found it in public, tell your marketplace.",
    publicTest: "This is the test key of the docs. It belongs to nobody.",
    found: (name: string) => `This is your key “${name}”.`,
  },
  table: {
    kind: "Kind",
    use: "Calls, 30 days",
    menu: (name: string) => `Actions for ${name}`,
    shipped: "Looks shipped",
    stillUsed: "Replaced, still used",
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
      `Used from ${n < ipRangesMax ? "" : "at least "}${count(n, "network", "networks")} this week.`,
    ipRangeCount: (n: number) => count(n, "network", "networks"),
    noRequests: "No calls this week.",
    moreIpRanges: (n: number) => `Show ${n.toLocaleString("en")} more`,
    none: "No calls yet.",
    byOperation: "By operation",
    operation: "Operation",
    items: "Items it can validate",
    moreItems: (n: number) => `and ${n.toLocaleString("en")} more`,
  },
  inactive: {
    replaced: (when: string) => `Replaced on ${when}.`,
    worksUntil: (when: string) => `It keeps working until ${when}.`,
    stopped: (when: string) => `It stopped working on ${when}.`,
    revoked: (when: string) => `Revoked on ${when}. Calls with it are refused.`,
    expired: (when: string) => `Expired on ${when}. Calls with it are refused.`,
    successor: "Replaced by",
  },
  leak: {
    link: "This key leaked",
    title: (name: string) => `Did “${name}” leak?`,
    danger: {
      sk: "Anyone who has this key can read your account and your items, check purchase codes and release their sites.",
      vk: "Anyone who has this key can check purchase codes and release their sites, and nothing else. It is made to be shipped inside a product.",
      tk: "Anyone who has this key sees sample data only.",
    },
    breaks: (calls: number, ipRanges: number) =>
      calls === 0 && ipRanges === 0
        ? "Nothing has used this key in the last 7 days."
        : `If you stop it, whatever uses it stops working until it has the new key: it had ${count(calls, "call", "calls")} from ${count(ipRanges, "network", "networks")} in the last 7 days.`,
    replace: "Stop it now and get a new key",
    revoke: "Stop it now",
    open: "Open its page",
    over: "This key no longer works. You do not have to do anything.",
  },
  quickStart: {
    title: "Try it now",
    intro: "Ready to run. The curl call goes into a terminal, the others into a file.",
    introCode: (placeholder: string) =>
      `Put one of your own purchase codes in place of ${placeholder}, then run the call. Test codes work with test keys only.`,
    pending: "Waiting for your first call…",
    again: "Check now",
    received: (when: string) => `First call received: ${when}.`,
  },
}
