import { count } from "./plurals.ts"

/** The texts of the second factor, of authors and of operators. */
export const twoFactor = {
  title: "Second factor",
  enabled: "On",
  disabled: "Off",
  disabledHint: "With a second factor, a stolen password is not enough to sign in.",
  setUp: "Set up the second factor",
  required: "Here every operator needs a second factor. Set it up to go on.",
  passwordFirst: "Enter your password to see the secret.",
  continueLabel: "Go on",
  scan: "Scan this with your authenticator app.",
  qrCode: "QR code of the secret below",
  addSecret: "Or type this secret into the app, as a time-based key:",
  openApp: "Open it in an app on this device",
  code: "Code from the app",
  codeOrRecovery:
    "From your authenticator app, or a recovery code. If you have lost both, ask your marketplace to remove the second factor.",
  useCode: "I use a second factor",
  wrongAny: "Wrong username, password or code.",
  enabledNotice: "The second factor is on. Your other sessions were signed out.",
  passwordSet: "Your password is set. Sign in with it and a code of your second factor.",
  disabledNotice: "The second factor is off.",
  codeHint: "The six digits that the app shows now.",
  enable: "Turn it on",
  wrong: "This code is wrong or was used before. Wait for the next one.",
  codesTitle: "Recovery codes",
  codesText:
    "Keep these codes in a safe place. Each one works once in place of a code from the app, for when you lose your phone. They stay on this page for five minutes, or until you press the button below, and are not shown again.",
  codesKept: "I have kept them",
  codesLeft: (n: number) => `${count(n, "recovery code", "recovery codes")} left.`,
  disable: "Turn it off",
  disableHint: "To use another phone, turn it off with a code and set it up again.",
}
