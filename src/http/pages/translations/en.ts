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

/** What to do after each error code. */
const actions: Readonly<Record<Failure, string>> = {
  missing_key: "Send an API key in the header `X-Api-Key`.",
  unknown_key: "Check that the key was copied completely and belongs to this marketplace.",
  revoked_key:
    "Replace it with a valid key from the workspace. Buyers keep their last state during the offline grace period.",
  expired_key:
    "Replace it with the rotated key or create a new one. Buyers keep their last state during the offline grace period.",
  key_not_allowed:
    "Use a secret key, on your own server only. A validation key can only validate purchases and release sites.",
  account_suspended:
    "Contact the marketplace. Buyers keep their last state during the offline grace period.",
  missing_parameter: "Add the required parameter. Empty values count as missing.",
  invalid_parameter:
    "Correct the value. A purchase code has at most 255 characters, an item ID is an integer, and a nonce has 16 to 128 letters, digits, `-` or `_`.",
  no_items: "Publish an item, or use the key of the account that owns the items.",
  unknown_item: "Check the item ID. Hidden items and items of other authors are not returned.",
  unknown_code:
    "Treat the code as invalid and ask the buyer to copy it again from the order e-mail. After a release, this code does not say whether the purchase is valid: keep the last state.",
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
  intro: "Paste a purchase code, or the message it is in, to see what the buyer bought.",
  label: "Purchase code",
  example: "A code looks like 8f14e45f-ceea-467f-9b2c-1d6f0a7c3e21.",
  submit: "Check",
  results: {
    valid: "Valid",
    refunded: "Refunded",
    test: "Test code",
    unknown: "Unknown code",
  },
  problems: {
    invalid: "This is too long to be a purchase code.",
    blank: "Paste a code first.",
  },
  explanations: {
    refunded: "This sale was refunded or charged back. The code no longer validates.",
    test: "It works with test keys only. No buyer has this code.",
    unknown:
      "No purchase of your items has this code. If you pasted a message, paste the code alone. Or ask the buyer to copy it again from the order e-mail.",
  },
  supportEnded: (day: string) => `Support ended ${day}`,
  inText: "Found in the text that you pasted.",
  others: "The text holds more of your codes:",
  cleaned: (parts: readonly string[]) => `We ignored ${parts.join(", ")}.`,
  cleanings: {
    blanks: "spaces around it",
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
  none: "No items yet. They appear here once your marketplace has published them.",
  noMatch: (text: string) => `No item matches “${text}”.`,
  showAll: "Show all items",
  previous: "Previous",
  next: "Next",
  page: (page: number, pages: number) => `Page ${page} of ${pages}`,
  back: "All items",
  backToSearch: (text: string) => `Search results for “${text}”`,
  regular: "Regular licence",
  extended: "Extended licence",
  category: "Category",
  tags: "Tags",
  id: "ID",
  demo: "Open the demo",
  preview: (name: string) => `Preview of ${name}`,
  screenshot: (n: number) => `Screenshot ${n}`,
  hiddenNote:
    "Hidden items are left out of the API's list and not found by their ID; codes already sold for them stay valid.",
  asJson: "What the API returns for this item",
}

const landing = {
  heading: "Check purchase codes from your own code",
  intro: (site: string) =>
    `The author API of ${site}: ask whether a buyer's code is real, and read your account and your items, wherever you write code.`,
  open: "Open workspace",
  docs: "Read the docs",
  request: "Request",
  requestNote: "Try it: the public test key in it works right away.",
  response: "Response",
  facts: [
    {
      title: "Keys you can put in your product",
      text: "A validation key checks purchases of the items you choose, releases their sites, and does nothing else. So it is safe to ship.",
    },
    {
      title: "Codes for your tests",
      text: "Valid, refunded, unknown, unavailable: there is a test code for each, and no real sale is touched.",
    },
    {
      title: "Any language",
      text: "HTTP and JSON. Samples in curl, PHP, JavaScript, Python and Java, and clients for PHP and TypeScript.",
    },
  ],
}

const search = {
  title: "Search",
  label: "Search for a code, item, key or page",
  intro:
    "A purchase code or a message that holds one, the name or id of an item, a key, its name or its last four characters, or the name of a page. Only what is yours is found. A key is looked up and not stored.",
  pages: "Pages",
  none: "Nothing was found.",
  more: (n: number) => `Only the first ${n} of each kind are listed. Type more to narrow it down.`,
}

const countWait = (seconds: number) =>
  seconds < 60
    ? count(seconds, "second", "seconds")
    : count(Math.ceil(seconds / 60), "minute", "minutes")

/** All texts of the pages, in English. A language that lacks one of them does not compile. */
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
  /** Headings of columns and names of facts that several pages have. */
  columns: {
    url: "Address",
    buyer: "Buyer",
    requests: "Calls",
    code: "Code",
    item: "Item",
    key: "Key",
    lastRequest: "Last call",
    lastSeen: "Last seen",
    license: "Licence",
    name: "Name",
    ipRange: "Network",
    price: "Price",
    reason: "Reason",
    state: "State",
    version: "Version",
  },
  never: "Not yet",
  yes: "Yes",
  no: "No",
  copy: "Copy",
  copied: "Copied",
  save: "Save",
  cancel: "Cancel",
  support: "Ask for help",
  requests: (n: number) => count(n, "call", "calls"),
  landing,
  signIn: {
    title: "Sign in",
    name: "Username or e-mail",
    password: "Password",
    passwordAgain: "Needed because you last gave it more than five minutes ago.",
    show: "Show password",
    sessionEnded:
      "You were no longer signed in, so the form was not accepted and nothing was changed. Sign in and send it again.",
    noName: "Enter your username or e-mail.",
    noPassword: "Enter your password.",
    wrong: "Wrong username or password. If you use a second factor, enter its code, too.",
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
    gone: "It has been used or has expired. Ask your marketplace for a new one.",
  },
  link: {
    replaces: (name: string) =>
      `This browser is signed in as ${name}. Continuing signs that author out.`,
    hello: (name: string, site: string) => `You are signing in to ${site} as ${name}.`,
    submit: "Continue",
  },
  suspended: {
    title: "Account suspended",
    text: "Your marketplace has suspended this account. Until it is resumed, you cannot sign in and your API keys do not work. Nothing was deleted.",
  },
  passwordProblems: {
    tooShort: (min: number) => `Use at least ${min} characters.`,
    tooLong: (max: number) => `Use at most ${max} characters.`,
    common: "This password is easy to guess. Use a few unrelated words instead.",
    ownName:
      "Your username and e-mail address are easy to guess. Use a few unrelated words instead.",
    different: "The two passwords are not the same.",
    wrong: "Wrong password.",
    hint: (min: number) =>
      `At least ${min} characters. A few unrelated words are easy to remember.`,
  },
  activation,
  overview,
  range,
  sales,
  log,
  stillCalled: inactiveKeyRequests,
  items,
  check,
  sites,
  webhooks,
  keys,
  keyPages,
  secondFactor: twoFactor,
  profile: {
    title: "Profile",
    intro: "This is what the API returns about you. You can change it in your marketplace.",
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
    changed: "Your password was changed and every other session was signed out.",
    ends: "Changing it signs you out everywhere else.",
    sessions: "Where you are signed in",
    browser: "Browser",
    since: "Signed in",
    thisOne: "This browser",
    setPassword: "Set a password",
    setHint: "With a password you can also sign in here directly.",
    noPassword:
      "Your account has no password. To set one, sign in again from your marketplace and come back here within five minutes.",
    signOut: "Sign out",
    signOutAll: "Sign out everywhere",
    signOutAllHint:
      "Ends every session in the list, this one included. You then have to sign in again.",
    signedOutAll: "You were signed out everywhere.",
    unknownDevice: "Unknown browser",
  },
  languagePage: {
    title: "Language",
    label: "Language of these pages",
    note: "The API answers in the language that each request asks for.",
    saved: "The language was changed.",
  },
  activity: {
    title: "Activity",
    intro: "Recent changes to your keys, newest first.",
    none: "No changes yet. Creating a key is the first.",
    when: "When",
    what: "What",
    from: "From",
    operator: "your marketplace",
    actions: {
      created: "Created",
      revealed: "Revealed",
      renamed: "Renamed",
      replaced: "Replaced",
      revoked: "Revoked",
    },
  },
  docs,
  errors: {
    403: {
      title: "Not allowed",
      text: "This form was not sent from these pages, or has been open for too long. Go back, reload the page and try again.",
    },
    404: {
      title: "Not found",
      text: "There is nothing at this address, or it is not yours. Check the address, or go on from here:",
    },
    405: {
      title: "Request not supported",
      text: "This address does not accept this kind of request. Go back and try again.",
    },
    413: {
      title: "Too large",
      text: "You sent more than this page accepts. Shorten it and try again.",
    },
    421: {
      title: "Wrong address",
      text: "These pages have another address. Open them from the link that you were given.",
    },
    500: {
      title: "Something went wrong",
      text: "The error is on our side. Try again in a moment.",
    },
    503: {
      title: "Temporarily unavailable",
      text: "The service cannot answer right now. Try again in a moment.",
    },
    home: "Go to the start page",
    overview: "Go to the overview",
  },
}

export type PageTexts = typeof en
