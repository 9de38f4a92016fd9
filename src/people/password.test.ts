import { expect, test } from "bun:test"
import { listPasswordProblems, namesOf, type PasswordProblem } from "./password.ts"

const ada = { name: "ada-lovelace-1815", email: "Countess@example.com" }

const passwords: readonly (readonly [what: string, string, ...PasswordProblem[]])[] = [
  ["no characters", "", "too short"],
  ["11 characters", "kiraz deniz", "too short"],
  ["11 emoji, 22 units long", "🦀".repeat(11), "too short"],
  ["12 characters", "kiraz denizi"],
  ["256 emoji, 512 units long", "🦀".repeat(256)],
  ["257 characters", "x".repeat(257), "too long"],
  ["60,000 characters", "x".repeat(60_000), "too long"],
  ["the first common password", "!@#$%^&*()_+", "common"],
  ["a common one", "password1234", "common"],
  ["a common one in another case", "PassWord1234", "common"],
  ["a common one in Turkish", "FENERBAHÇE1907", "common"],
  ["a common one and more", "password1234 kiraz"],
  ["the name", "Ada-Lovelace-1815", "own name"],
  ["the email address", "countess@EXAMPLE.com", "own name"],
  ["a short name of the owner", "countess", "too short", "own name"],
  ["the name, which is common", "password1234", "own name", "common"],
]

test.each(passwords)("a password of %s", (_, password, ...problems) => {
  const person = problems.length < 2 ? ada : { ...ada, name: password }
  expect(listPasswordProblems(password, namesOf(person))).toEqual(problems)
})
