import { expect, test } from "bun:test"
import { findPasswordProblem, namesOfAccount, type PasswordProblem } from "./password.ts"

const ada = { username: "ada", body: '{"email":"ada@example.com"}' }

/** No pattern, whatever its length. */
const mixed = (length: number, first = 33) =>
  String.fromCodePoint(...Array.from({ length }, (_, at) => first + ((at * at * 7 + at * 31) % 89)))

const judged: readonly (readonly [what: string, string, PasswordProblem | null])[] = [
  ["nothing", "", "too short"],
  ["9 characters", mixed(9), "too short"],
  ["9 emoji, 18 units long", mixed(9, 0x1f400), "too short"],
  ["10 characters", mixed(10), null],
  ["10 blanks", " ".repeat(10), "common"],
  ["one character 256 times", "x".repeat(256), "common"],
  ["256 characters", mixed(256), null],
  ["256 emoji, 512 units long", mixed(256, 0x1f400), null],
  ["257 characters", "x".repeat(257), "too long"],
  ["as much as a form holds", "x".repeat(60_000), "too long"],
  ["a common word", "password12", "common"],
  ["the e-mail address", "Ada@Example.com", "own name"],
  ["the username and digits", "ada1234567", "own name"],
]

test.each(judged)("a password of %s", (_, given, problem) => {
  expect(findPasswordProblem(given, namesOfAccount(ada))).toBe(problem)
})

test("the names of an account are no password for it, and one for another", () => {
  const owner = { username: "mirzeban", body: '{"email":"kapı.tuz@kilim.example"}' }
  const names = [
    "mirzeban26",
    "MİRZEBAN!!!!",
    "kapı.tuz@kilim.example",
    "kapituz192",
    "kapi tuz 12",
  ]
  expect(names.map((name) => findPasswordProblem(name, namesOfAccount(owner)))).toEqual(
    names.map(() => "own name"),
  )
  expect(names.map((name) => findPasswordProblem(name, namesOfAccount(ada)))).toEqual(
    names.map(() => null),
  )
})
