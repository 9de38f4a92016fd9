import { count } from "./counting.ts"
import { check } from "./en-check.ts"
import { docs } from "./en-docs.ts"
import { items } from "./en-items.ts"
import { keyPages } from "./en-key-pages.ts"
import { keys } from "./en-keys.ts"
import { landing } from "./en-landing.ts"
import { overview } from "./en-overview.ts"

/** All texts of the pages, in English. A language that lacks one of them does not compile. */
export const en = {
  language: "English",
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
    menu: "Menu",
  },
  never: "Not yet",
  yes: "Yes",
  no: "No",
  copy: "Copy",
  copied: "Copied",
  save: "Save",
  cancel: "Cancel",
  support: "Ask for help",
  calls: (n: number) => count(n, "call", "calls"),
  landing,
  signIn: {
    title: "Sign in",
    name: "Username or e-mail",
    password: "Password",
    passwordAgain: "Needed because you last gave it more than five minutes ago.",
    show: "Show password",
    submit: "Sign in",
    noName: "Enter your username or e-mail.",
    noPassword: "Enter your password.",
    wrong: "Wrong username or password.",
    slow: (minutes: number) =>
      `Too many attempts. Wait ${count(minutes, "minute", "minutes")}, then try again.`,
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
    submit: "Save and sign in",
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
  overview,
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
    browser: "Browser",
    since: "Signed in",
    thisOne: "This browser",
    seen: "Last seen",
    network: "Network",
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

export type Words = typeof en
