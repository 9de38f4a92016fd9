import { count } from "../../pages/translations/counting.ts"
import { audit, author, authors } from "./en-authors.ts"
import { imports } from "./en-imports.ts"
import { keys, purchases } from "./en-purchases.ts"
import { status } from "./en-status.ts"
import { traffic } from "./en-traffic.ts"

/** All texts of the console that the workspace does not have, in English. */
export const en = {
  console: "Console",
  toStatus: "Go to the status",
  navigation: {
    status: "Status",
    traffic: "Traffic",
    authors: "Authors",
    purchases: "Purchases and items",
    keys: "Keys",
    imports: "Imports",
    audit: "Audit",
    settings: "Settings",
  },
  done: {
    password: "The password was changed and every other session was signed out.",
    first_password: "Your password is set. Sign in with it.",
    signed_out: "You were signed out everywhere.",
    second_factor_on: "The second factor is on. From now on each sign-in asks for a code.",
    second_factor_off: "The second factor is off.",
    invite: "The invitation was made.",
    "sign-in-link": "The sign-in link was made.",
    suspend: "The author is suspended.",
    resume: "The author is resumed.",
    revoke: "The key is revoked.",
    refund: "The purchase is marked as refunded.",
    "take-back": "The refund mark was taken back.",
  },
  signIn: {
    intro: (site: string) => `For the people who run ${site}.`,
    name: "Name",
    code: "Code",
    codeHint: "From your authenticator app, or a recovery code. Leave it empty if you have none.",
    wrong: "Wrong name, password or code.",
  },
  invitationGone:
    "This link has been used or has expired. Make another with “pazar operator password NAME --link”.",
  secondFactor: {
    title: "Second factor",
    on: "On",
    off: "Off",
    offText: "With a second factor, a stolen password is not enough to sign in.",
    setUp: "Set up the second factor",
    required: "Here every operator needs a second factor. Set it up to go on.",
    passwordFirst: "Enter your password to see the secret.",
    goOn: "Go on",
    scan: "Scan this with your authenticator app.",
    qrCode: "QR code of the secret below",
    addSecret: "Or type this secret into the app, as a time-based key:",
    openApp: "Open it in an app on this device",
    code: "Code from the app",
    codeHint: "The six digits that the app shows now.",
    turnOn: "Turn it on",
    wrong: "This code is wrong or was used before. Wait for the next one.",
    codesTitle: "Recovery codes",
    codesText:
      "Keep these codes in a safe place. Each one works once in place of a code from the app, for when you lose your phone. They are shown only now.",
    codesKept: "I have kept them",
    codesLeft: (n: number) => `${count(n, "recovery code", "recovery codes")} left.`,
    turnOff: "Turn it off",
    turnOffHint: "To use another phone, turn it off with a code and set it up again.",
  },
  status,
  traffic,
  purchases,
  keys,
  imports,
  authors,
  author,
  audit,
  settings: {
    title: "Settings",
    intro:
      "What this server was started with. Settings are environment variables; to change one, start the server again. Secrets are not shown.",
    name: "Setting",
    value: "Value",
    origin: "From",
    none: "none",
    origins: { environment: "environment", file: "a file", default: "default" },
    file: (path: string) => `file ${path}`,
  },
}

export type ConsoleWords = typeof en
