import { count, shorten } from "./counting.ts"

/** The texts of API Access. */
export const keys = {
  title: "API Access",
  intro:
    "A key lets your code call the API. Keep secret keys on your server, never in something you sell.",
  create: "Create a key",
  none: "You have no key yet. Create one, copy it, and keep it secret.",
  reveal: "Reveal",
  hide: "Hide",
  ended: (n: number) => `Ended keys (${n.toLocaleString("en")})`,
  kinds: {
    sk: "Secret key",
    vk: "Validation key",
    tk: "Test key",
    imported: "Imported key",
  },
  about: {
    sk: "All four calls. For your server only.",
    imported: "All four calls. Brought over from your marketplace's earlier API.",
    tk: "All four calls over sample data. For trying an integration.",
    vkAll: "This key can only validate purchases. Safe to ship inside a product.",
    vkSome: (n: number) =>
      `This key can only validate purchases of ${count(n, "item", "items")}. Safe to ship inside a product.`,
  },
  state: { active: "Active", ending: "Replaced", revoked: "Revoked", expired: "Expired" },
  created: "Created",
  lastUsed: "Last used",
  lastDay: "Last 24 hours",
  expires: "Expires",
  allItems: "All items",
  shipped:
    "This key looks shipped in a product: it was used from many networks this week. Whoever has it can read your whole account.",
  new: {
    title: "Create a key",
    kind: "What is it for?",
    choices: {
      sk: "My own server: all four calls",
      vk: "A product I sell: validates purchases only",
      tk: "Trying things out: sample data only",
    },
    name: "Name",
    nameHint: "For you to recognise it by, such as where it is used.",
    items: "Which items may it validate?",
    all: "All my items, also future ones",
    some: "Only these:",
    ids: "Item ids with commas between them, such as 12, 34",
    expiry: "Expires",
    expiries: { never: "Never", "30": "In 30 days", "90": "In 90 days", "365": "In a year" },
    submit: "Create key",
    badItems: "Choose at least one of your own items.",
    notYours: (ids: readonly string[]) =>
      `You have no ${ids.length === 1 ? "item with this id" : "items with these ids"}: ${shorten(ids)}.`,
    emptyName: "Type a name for the key.",
    longName: (max: number) => `Use at most ${max} characters.`,
  },
  made: {
    title: "Your new key",
    copyNow:
      "Copy it now and keep it secret. It stays on this page for a few minutes; after that you can reveal it with your password.",
    done: "Done",
    oldUntil: (when: string) => `The old key goes on working until ${when}.`,
    oldEnded: "The old key has ended.",
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
    password: "Password",
    submit: {
      create: "Create key",
      replace: "Replace key",
      reveal: "Reveal the key",
      revoke: "Revoke key",
    },
  },
  one: {
    rename: "Rename",
    name: "Name",
    replace: "Replace",
    revoke: "Revoke",
    renamed: "The key was renamed.",
    revoked: "The key was revoked. Calls with it are refused from now on.",
    id: "Key id",
  },
  replace: {
    title: (name: string) => `Replace “${name}”`,
    why: "You get a new key with the same rights. The old one goes on working for a while, so that nothing breaks while you put the new one in place.",
    overlap: "The old key works on for",
    overlaps: {
      "0": "not at all: it ends at once",
      "1h": "1 hour",
      "1d": "1 day",
      "7d": "7 days",
    },
    use: (n: number) => `It had ${count(n, "call", "calls")} in the last 24 hours.`,
    submit: "Replace key",
  },
  revoke: {
    title: (name: string) => `Revoke “${name}”?`,
    why: (n: number) =>
      n === 0
        ? "Nothing has used this key in the last 24 hours. Revoking cannot be undone."
        : `Whatever uses this key stops working at once: it had ${count(n, "call", "calls")} in the last 24 hours. This cannot be undone.`,
    submit: "Revoke key",
  },
}
