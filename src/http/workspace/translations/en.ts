import { count } from "./counting.ts"
import { check } from "./en-check.ts"
import { docs } from "./en-docs.ts"
import { items } from "./en-items.ts"
import { keyPages } from "./en-key-pages.ts"
import { keys } from "./en-keys.ts"

/** All texts of the pages, in English. A language that lacks one of them does not compile. */
export const en = {
  language: "English",
  tagline: "The author API of your marketplace",
  skip: "Skip to content",
  navigation: {
    label: "Workspace",
    overview: "Overview",
    items: "Items",
    check: "Check a code",
    keys: "API keys",
    settings: "Settings",
    docs: "Docs",
    signOut: "Sign out",
  },
  never: "never",
  yes: "Yes",
  no: "No",
  copy: "Copy",
  copied: "Copied",
  save: "Save",
  cancel: "Cancel",
  calls: (n: number) => count(n, "call", "calls"),
  landing: {
    title: "Pazar",
    heading: "Check purchase codes from your own code",
    first:
      "Pazar lets authors read their account and items, and check a buyer's purchase code, from anywhere they write code.",
    second: "Sign in to get your API key; the docs show the four calls.",
    signIn: "Sign in",
    open: "Open your workspace",
    docs: "Read the docs",
  },
  signIn: {
    title: "Sign in",
    name: "Username or e-mail",
    password: "Password",
    show: "Show password",
    submit: "Sign in",
    wrong: "Wrong username or password.",
    slow: (minutes: number) =>
      `Too many attempts. Wait ${count(minutes, "minute", "minutes")}, then try again.`,
    help: "No password yet, or lost it? Ask your marketplace for an invitation link.",
  },
  invitation: {
    title: "Choose a password",
    hello: (name: string) => `Welcome, ${name}. Choose the password you will sign in with.`,
    password: "New password",
    repeat: "New password again",
    submit: "Save and sign in",
    gone: "This link has been used or has expired. Ask your marketplace for a new one.",
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
  overview: {
    title: "Overview",
    calls: "Calls in the last 30 days",
    noCalls: "No calls yet. Create a key and make the first one.",
    chart: (total: number, ok: number) =>
      `${count(total, "call", "calls")} in the last 30 days, ${ok.toLocaleString("en")} of them successful.`,
    ok: "Successful",
    refused: "Rejected",
    failed: "Errors",
    day: "Day",
    asTable: "Show as a table",
    noTestKeys: "Calls with test keys are not counted here.",
    attention: "Needs attention",
    nothing: "Nothing needs your attention.",
    noKeys: "You have no API key yet.",
    createKey: "Create a key",
    shipped: (name: string) =>
      `“${name}” looks shipped in a product: it was used from many networks this week.`,
    makeValidation: "Create a validation key instead",
    expires: (name: string, when: string) => `“${name}” expires on ${when}.`,
    stillUsed: (name: string, n: number) =>
      `“${name}” was replaced but still had ${count(n, "call", "calls")} in the last 24 hours.`,
    seeKey: "See the key",
    account: "Your account",
    balance: "Balance",
    registered: "Member since",
    items: "Items",
    itemCount: (visible: number, hidden: number) =>
      hidden === 0
        ? `${visible.toLocaleString("en")} visible`
        : `${visible.toLocaleString("en")} visible, ${hidden.toLocaleString("en")} hidden`,
    keys: "API keys",
    keyCount: (n: number) => count(n, "active key", "active keys"),
    asJson: "What the API returns",
  },
  items,
  check,
  settings: {
    title: "Settings",
    tabs: {
      keys: "API Access",
      profile: "Profile",
      security: "Security",
      language: "Language",
      activity: "Activity",
    },
  },
  keys,
  keyPages,
  profile: {
    title: "Profile",
    intro: "This is what the API returns about you. You can change it in your marketplace.",
    name: "Name",
    username: "Username",
    email: "E-mail",
    balance: "Balance",
    heading: "Heading",
    description: "Description",
    contact: "Contact",
    links: "Links",
    noLinks: "None",
    registered: "Member since",
  },
  security: {
    title: "Security",
    password: "Change password",
    current: "Current password",
    submit: "Change password",
    changed: "Your password was changed and every other session was signed out.",
    ends: "Changing it signs you out everywhere else.",
    sessions: "Where you are signed in",
    thisOne: "This browser",
    seen: "Last seen",
    network: "Network",
    signOut: "Sign out",
    signOutAll: "Sign out everywhere",
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
    key: "Key",
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
      text: "There is no page at this address. Check the address, or start from the link below.",
    },
    405: {
      title: "Request not supported",
      text: "This address does not accept this kind of request. Go back and try again.",
    },
    413: {
      title: "Too large",
      text: "You sent more than this page accepts. Shorten it and try again.",
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

export type Words = typeof en
