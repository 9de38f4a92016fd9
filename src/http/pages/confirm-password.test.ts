import { expect, test } from "bun:test"
import { SignInRejected } from "../../domain/sign-in/sign-in-failures.ts"
import { describeSignInRejection } from "./confirm-password.ts"
import { en } from "./translations/en.ts"
import { tr } from "./translations/tr.ts"

test.each([
  ["en", en],
  ["tr", tr],
])("after too many tries, seconds are told as minutes from 60 on (%s)", (_, words) => {
  const tell = (seconds: number) => describeSignInRejection(words, new SignInRejected(seconds), "")
  expect(tell(1)).toMatch(/\b1\b/)
  expect(tell(59)).toMatch(/\b59\b/)
  expect(tell(60)).toMatch(/\b1\b/)
  expect(tell(60)).not.toBe(tell(1))
  expect(tell(61)).toMatch(/\b2\b/)
  expect(tell(61)).toBe(tell(120))
})
