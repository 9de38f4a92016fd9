import { expect, test } from "bun:test"
import { SignInRefused } from "../../domain/sign-in/sign-in-failures.ts"
import { explainRefusal } from "./ask-password.ts"
import { en } from "./translations/en.ts"
import { tr } from "./translations/tr.ts"

test.each([
  [1, "Wait 1 second,", "1 saniye bekleyip"],
  [59, "Wait 59 seconds,", "59 saniye bekleyip"],
  [60, "Wait 1 minute,", "1 dakika bekleyip"],
  [61, "Wait 2 minutes,", "2 dakika bekleyip"],
])("after too many tries, %d seconds are told as what they are", (seconds, english, turkish) => {
  const refused = new SignInRefused(seconds)
  expect(explainRefusal(en, refused, "")).toContain(english)
  expect(explainRefusal(tr, refused, "")).toContain(turkish)
})
