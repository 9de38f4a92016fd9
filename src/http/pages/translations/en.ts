import type { Failure } from "../../../domain/values/error.ts"
import { activation } from "./en-activation.ts"
import { keyPages, keys } from "./en-keys.ts"
import { inactiveKeyRequests, log } from "./en-log.ts"
import { overview } from "./en-overview.ts"
import { range, sales } from "./en-sales.ts"
import { sites } from "./en-sites.ts"
import { twoFactor } from "./en-two-factor.ts"
import { webhooks } from "./en-webhooks.ts"
import { count } from "./plurals.ts"

/** The recommended action per error code. */
const actions: Readonly<Record<Failure, string>> = {
  missing_key: "Send an API key in the header `X-Api-Key`.",
  unknown_key: "Check that the key was copied completely and belongs to this marketplace.",
  revoked_key: "Replace it with a valid key from the workspace. Products keep their last state.",
  expired_key:
    "Replace it with the rotated key or create a new one. Products keep their last state.",
  key_not_allowed:
    "Use a secret key, on your own server only. A validation key can only validate purchases and release sites.",
  account_suspended: "Contact the marketplace. Products keep their last state.",
  missing_parameter: "Add the required parameter. Empty values count as missing.",
  invalid_parameter:
    "Correct the value. A purchase code has at most 255 characters, an item ID is an integer, and a nonce has 16 to 128 letters, digits, `-` or `_`.",
  no_items: "Publish an item, or use the key of the account that owns the items.",
  unknown_item: "Check the item ID. Hidden items and items of other authors are not returned.",
  unknown_code:
    "Treat the code as invalid and ask the buyer to copy it again from the order e-mail. If a release request returned this error, the purchase can still be valid: keep the last state.",
  revoked_code: "Treat the code as invalid and disable the features that it unlocked.",
  site_limit:
    "Treat the code as invalid on this site. Let the buyer [release another site](/docs/site-limits).",
  method_not_allowed: "Use a method from the header `Allow`.",
  unknown_path: "Compare the path with the [operations](/docs/validate_purchase).",
  too_large: "Send a body of at most 64 KB.",
  rate_limited:
    "Keep the last state and wait. See [rate limits](/docs/rate-limits). After a release, only releases have to wait.",
  unavailable: "Keep the last state and retry. The error is not about the key or the code.",
}

/** Labels of the documentation. Its texts are Markdown files in http/docs/text. */
const docs = {
  allPages: "all pages as one text",
  contents: "Contents",
  search: "Search the documentation",
  noMatch: "No page matches.",
  start: "Get started",
  guides: "Guides",
  reference: "API reference",
  parameters: "Parameters",
  name: "Name",
  type: "Type",
  presence: "Presence",
  meaning: "Meaning",
  required: "required",
  optional: "optional",
  always: "always",
  sometimes: "optional",
  samples: (title: string) => `Code samples: ${title}`,
  run: "Run",
  runWith: { purchase_code: "Test code", item_id: "Item", code: "Test code" },
  runFailed: "The request failed: no response.",
  responses: "Responses",
  response: "Response",
  sampleResponse: "Sample response",
  commonResponses: (statuses: readonly string[]) => `${statuses.join(", ")}: see Error codes`,
  status: "HTTP status",
  retry: "Retry",
  retryLater: "after `Retry-After` seconds",
  retryNever: "no",
  action: "What to do",
  actions,
  asMarkdown: "This page as Markdown",
  openapi: "OpenAPI document",
  forModels: "For language models: llms.txt",
}

const check = {
  title: "Check a code",
  intro: "Paste a purchase code, or a message that contains one, to see the purchase.",
  label: "Purchase code",
  example: "For example, 8f14e45f-ceea-467f-9b2c-1d6f0a7c3e21.",
  submit: "Check",
  results: {
    valid: "Valid",
    refunded: "Refunded",
    test: "Test code",
    unknown: "Unknown code",
  },
  problems: {
    invalid: "This is too long to be a purchase code.",
    empty: "Paste a code first.",
  },
  explanations: {
    refunded: "This purchase was refunded or charged back. The code is invalid.",
    test: "It works with test keys only. No buyer has this code.",
    unknown:
      "No purchase of your items has this code. If you pasted a message, paste only the code. Or ask the buyer to copy it again from the order e-mail.",
  },
  supportEnded: (day: string) => `Support ended ${day}`,
  inText: "Found in the text that you pasted.",
  others: "The text contains more of your codes:",
  normalized: (parts: readonly string[]) => `Normalized: ${parts.join(", ")}.`,
  normalizations: {
    whitespace: "surrounding whitespace",
    invisible: "invisible characters",
    dashes: "long dashes",
    lookalikes: "ligatures and look-alike characters",
    case: "capital letters",
  },
  licenses: { Regular: "Regular", Extended: "Extended" },
  support: "Supported until",
  noSupport: "No support",
  downloaded: "Downloaded",
  bought: "Bought on",
}

const items = {
  title: "Items",
  search: "Search by name or ID",
  sort: "Sort",
  sorts: { newest: "Newest first", oldest: "Oldest first", name: "Name", price: "Price" },
  published: "Published",
  hidden: "Hidden",
  total: (n: number) => count(n, "item", "items"),
  matches: (n: number, text: string) => `${count(n, "item matches", "items match")} “${text}”.`,
  none: "No items yet. Items appear here when your marketplace imports them.",
  noMatch: (text: string) => `No item matches “${text}”.`,
  showAll: "Show all items",
  previous: "Previous",
  next: "Next",
  page: (page: number, pages: number) => `Page ${page} of ${pages}`,
  back: "All items",
  backToSearch: (text: string) => `Search results for “${text}”`,
  regular: "Regular license",
  extended: "Extended license",
  category: "Category",
  tags: "Tags",
  id: "ID",
  demo: "Open the demo",
  preview: (name: string) => `Preview of ${name}`,
  screenshot: (n: number) => `Screenshot ${n}`,
  hiddenNote: "The API does not return hidden items. Purchase codes of hidden items stay valid.",
  asJson: "API response for this item",
}

const landing = {
  heading: "Validate purchase codes from your own code",
  intro: (site: string) =>
    `The author API of ${site}: validate purchase codes, and read your account and your items.`,
  open: "Open workspace",
  docs: "Read the docs",
  request: "Request",
  requestNote: "Run it: it contains a public test key.",
  response: "Response",
  facts: [
    {
      title: "Keys you can ship",
      text: "A validation key can only validate purchases of the items you choose and release sites. It is safe inside a product.",
    },
    {
      title: "Test codes",
      text: "Valid, refunded, unknown, unavailable: one test code each, separate from real sales.",
    },
    {
      title: "Any language",
      text: "HTTP and JSON. Samples in curl, PHP, JavaScript, Python, Java, Go and C#, and clients for PHP and TypeScript.",
    },
  ],
}

const search = {
  title: "Search",
  label: "Search for a code, item, key or page",
  intro:
    "Enter a purchase code or a message that contains one, an item name or ID, a key, its name or its last four characters, or a page name. Pazar does not store the key.",
  pages: "Pages",
  none: "No results.",
  more: (n: number) => `Only the first ${n} results of each kind are listed. Refine your search.`,
}

const countWait = (seconds: number) =>
  seconds < 60
    ? count(seconds, "second", "seconds")
    : count(Math.ceil(seconds / 60), "minute", "minutes")

/** All texts of the pages in English. Other languages have the type of this object. */
export const en = {
  search,
  language: "English",
  skip: "Skip to content",
  navigation: {
    label: "Workspace",
    settings: "Settings",
    docs: "Docs",
    signOut: "Sign out",
    menu: "Menu",
  },
  csv: { download: "Download as CSV", inUtc: (head: string) => `${head} (UTC)` },
  /** Column headings that several pages share. */
  columns: {
    url: "URL",
    buyer: "Buyer",
    requests: "Requests",
    code: "Code",
    item: "Item",
    key: "Key",
    lastRequest: "Last request",
    lastSeen: "Last seen",
    license: "License",
    name: "Name",
    ipRange: "IP range",
    price: "Price",
    reason: "Error",
    state: "Status",
    version: "Version",
  },
  never: "Never",
  yes: "Yes",
  no: "No",
  copy: "Copy",
  copied: "Copied",
  save: "Save",
  cancel: "Cancel",
  support: "Get help",
  requests: (n: number) => count(n, "request", "requests"),
  landing,
  signIn: {
    title: "Sign in",
    name: "Username or e-mail",
    password: "Password",
    passwordAgain: "Required because you last entered it more than five minutes ago.",
    show: "Show password",
    sessionEnded:
      "Your session has ended, so nothing was changed. Sign in and submit the form again.",
    noName: "Enter your username or e-mail.",
    noPassword: "Enter your password.",
    wrong: "Wrong username or password. If you use 2FA, enter its code, too.",
    slow: (seconds: number) => `Too many attempts. Wait ${countWait(seconds)}, then try again.`,
    help: "No password yet, or forgot it? Your marketplace can send you an invitation link.",
    through: (site: string) => `Sign in through ${site}`,
    or: "Or sign in with your password:",
    helpThrough: (site: string) => `No password yet, or forgot it? Sign in through ${site}.`,
  },
  invitation: {
    title: "Choose a password",
    hello: (name: string) => `Welcome, ${name}. Choose the password you will sign in with.`,
    password: "New password",
    repeat: "New password again",
    submit: "Save the password",
    goneTitle: "This link no longer works",
    gone: "It was already used or has expired. Ask your marketplace for a new one.",
  },
  link: {
    replaces: (name: string) =>
      `This browser is signed in as ${name}. Continuing signs that author out.`,
    hello: (name: string, site: string) => `You are signing in to ${site} as ${name}.`,
    submit: "Continue",
  },
  suspended: {
    title: "Account suspended",
    text: "Your marketplace suspended this account. You cannot sign in and your API keys are rejected. No data was deleted.",
  },
  passwordProblems: {
    tooShort: (min: number) => `Use at least ${min} characters.`,
    tooLong: (max: number) => `Use at most ${max} characters.`,
    common: "This password is easy to guess. Use a few unrelated words instead.",
    ownName:
      "Your username and e-mail address are easy to guess. Use a few unrelated words instead.",
    different: "The passwords do not match.",
    wrong: "Wrong password.",
    hint: (min: number) =>
      `At least ${min} characters. A few unrelated words are easy to remember.`,
  },
  activation,
  overview,
  range,
  sales,
  log,
  inactiveKeyRequests,
  items,
  check,
  sites,
  webhooks,
  keys,
  keyPages,
  twoFactor,
  profile: {
    title: "Profile",
    intro: "The API returns this data about you. You can change it in your marketplace.",
    username: "Username",
    email: "E-mail",
    heading: "Heading",
    description: "Description",
    contact: "Contact",
    links: "Links",
    noLinks: "None",
  },
  security: {
    title: "Security",
    password: "Change password",
    current: "Current password",
    changed: "Your password was changed. All other sessions were signed out.",
    ends: "Changing it signs out all other sessions.",
    sessions: "Sessions",
    browser: "Browser",
    since: "Signed in",
    thisOne: "This browser",
    setPassword: "Set a password",
    setHint: "With a password you can also sign in here directly.",
    noPassword:
      "Your account has no password. To set one, sign in again from your marketplace and come back here within five minutes.",
    signOut: "Sign out",
    signOutAll: "Sign out everywhere",
    signOutAllHint: "Signs out all sessions, including this one.",
    signedOutAll: "You were signed out everywhere.",
    unknownDevice: "Unknown browser",
  },
  languagePage: {
    title: "Language",
    label: "Language of these pages",
    note: "The language of an API response depends on its request.",
    saved: "The language was changed.",
  },
  activity: {
    title: "Activity",
    intro: "Recent changes to your keys, newest first.",
    none: "No changes yet. Creating a key is the first.",
    what: "What",
    from: "From",
    operator: "your marketplace",
    actions: {
      created: "Created",
      revealed: "Revealed",
      renamed: "Renamed",
      replaced: "Rotated",
      revoked: "Revoked",
    },
  },
  docs,
  errors: {
    403: {
      title: "Not allowed",
      text: "The form was sent from another site or was open for too long. Go back, reload the page and try again.",
    },
    404: {
      title: "Not found",
      text: "This page does not exist, or you do not have access to it. Check the URL, or continue here:",
    },
    405: {
      title: "Request not supported",
      text: "This URL does not accept this kind of request. Go back and try again.",
    },
    413: {
      title: "Too large",
      text: "You sent more than this page accepts. Shorten it and try again.",
    },
    421: {
      title: "Wrong host",
      text: "These pages have another URL. Open them from the link that you received.",
    },
    500: {
      title: "Something went wrong",
      text: "The server had an error. Try again in a moment.",
    },
    503: {
      title: "Temporarily unavailable",
      text: "The service cannot respond right now. Try again in a moment.",
    },
    home: "Go to the start page",
    overview: "Go to the overview",
  },
}

export type PageTexts = typeof en
