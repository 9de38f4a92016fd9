import { count } from "./counting.ts"

/** The texts of the table of keys, of a key's page, and of the first call. */
export const keyPages = {
  find: {
    label: "Found a key somewhere?",
    hint: "Paste it to see whose it is. It is not stored.",
    submit: "Look up",
    blank: "Paste a key first.",
    none: "This is not one of your keys. It may belong to another account: if you found it in public, tell your marketplace.",
    found: (name: string) => `This is your key “${name}”.`,
  },
  table: {
    name: "Name",
    kind: "Kind",
    key: "Key",
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
  },
  use: {
    title: "Who uses this key?",
    networks: (n: number, listed: number) =>
      `Used from ${count(n, "network", "networks")} this week.${listed < n ? ` The latest ${listed.toLocaleString("en")} are listed.` : ""}`,
    networkCount: (n: number) => count(n, "network", "networks"),
    quiet: "No calls this week.",
    network: "Network",
    networkCalls: "Calls",
    about: (n: number) => `about ${n.toLocaleString("en")}`,
    uncounted: "not counted",
    operations: "Operations",
    lastCall: "Last call",
    moreNetworks: (n: number) => `Show ${n.toLocaleString("en")} more`,
    calls: "Calls in the last 30 days",
    none: "No calls in the last 30 days.",
    byOperation: "By operation",
    operation: "Operation",
    itemCalls: "Successful checks by item, last 30 days",
    item: "Item",
    checks: "Successful checks",
    otherItems: "Other items",
    items: "Items it can validate",
    moreItems: (n: number) => `and ${n.toLocaleString("en")} more`,
  },
  ended: {
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
      sk: "Anyone who has this key can read your account and your items, and check purchase codes.",
      vk: "Anyone who has this key can check purchase codes, and nothing else. It is made to be shipped inside a product.",
      tk: "Anyone who has this key sees sample data only.",
    },
    breaks: (calls: number, networks: number) =>
      calls === 0
        ? "Nothing has used this key in the last 24 hours, so nothing should break."
        : `If you stop it, whatever uses it stops working until it has the new key: it had ${count(calls, "call", "calls")} in the last 24 hours, and was used from ${count(networks, "network", "networks")} this week.`,
    replace: "Stop it now and get a new key",
    revoke: "Stop it now",
    open: "Open its page",
    over: "This key no longer works. You do not have to do anything.",
  },
  start: {
    title: "Try it now",
    intro: "Ready to run. The curl call goes into a terminal, the others into a file.",
    introCode: (placeholder: string) =>
      `Put one of your own purchase codes in place of ${placeholder}, then run the call. Test codes work with test keys only.`,
    waiting: "Waiting for your first call…",
    again: "Check now",
    received: (when: string) => `First call received: ${when}.`,
  },
}
