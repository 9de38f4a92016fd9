import { expect, test } from "bun:test"
import { locales } from "../platform/locale.ts"
import { inLocale } from "../platform/t.ts"
import { describeSignInRejection } from "./password-pages.tsx"
import { SignInRejected } from "./sign-in-throttle.ts"

test.each(locales)(
  "after too many attempts, waits of 60 seconds and more are shown in minutes (%s)",
  (locale) => {
    const describe = (seconds: number) =>
      inLocale(locale, () => describeSignInRejection(new SignInRejected(seconds), ""))
    expect(describe(1)).toMatch(/\b1\b/)
    expect(describe(59)).toMatch(/\b59\b/)
    expect(describe(60)).toMatch(/\b1\b/)
    expect(describe(60)).not.toBe(describe(1))
    expect(describe(61)).toMatch(/\b2\b/)
    expect(describe(61)).toBe(describe(120))
  },
)
