import { count } from "./plurals.ts"

/** Texts about two-factor authentication, for authors and operators. */
export const twoFactor = {
  title: "Two-factor authentication (2FA)",
  enabled: "Enabled",
  disabled: "Disabled",
  disabledHint: "With 2FA, a stolen password is not enough to sign in.",
  setUp: "Set up 2FA",
  required: "This console requires 2FA for every operator. Set it up to continue.",
  passwordFirst: "Enter your password to see the secret.",
  scan: "Scan this QR code with your authenticator app.",
  qrCode: "QR code of the secret below",
  addSecret: "Or enter this secret in the app, as a time-based key:",
  openApp: "Open it in an app on this device",
  code: "2FA code",
  codeOrRecovery:
    "From your authenticator app, or a recovery code. If you lost both, ask your marketplace to remove 2FA.",
  useCode: "I use 2FA",
  wrongAny: "Wrong username, password or code.",
  enabledNotice: "2FA was enabled. Your other sessions were signed out.",
  passwordSet: "Your password is set. Sign in with it and a 2FA code.",
  disabledNotice: "2FA was disabled.",
  codeHint: "The six digits in the app.",
  enable: "Enable 2FA",
  wrong: "This code is wrong or was already used. Wait for the next one.",
  codesTitle: "Recovery codes",
  codesText:
    "Store these codes in a safe place. Each one works once instead of a code from the app. This page shows them for five minutes, or until you press the button, and never again.",
  codesKept: "I have stored them",
  codesLeft: (n: number) => `${count(n, "recovery code", "recovery codes")} left.`,
  disable: "Disable 2FA",
  disableHint: "To use another phone, disable 2FA with a code and set it up again.",
}
