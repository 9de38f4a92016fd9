import {
  type PasswordProblem,
  passwordCharactersMax,
  passwordCharactersMin,
} from "../../domain/sign-in/password.ts"
import { SignInRefused } from "../../domain/sign-in/sign-in-failures.ts"
import type { Words } from "./translations/en.ts"

/** The problem with a new password that was typed twice, and its field; null if there is none. */
export function explainPassword(
  { passwordProblems }: Words,
  problem: PasswordProblem | null,
  isRepeated: boolean,
): Readonly<{ field: "password" | "repeat"; text: string }> | null {
  const texts: Readonly<Record<PasswordProblem, string>> = {
    "too short": passwordProblems.tooShort(passwordCharactersMin),
    "too long": passwordProblems.tooLong(passwordCharactersMax),
    common: passwordProblems.common,
    "own name": passwordProblems.ownName,
  }
  if (problem !== null) return { field: "password", text: texts[problem] }
  return isRepeated ? null : { field: "repeat", text: passwordProblems.different }
}

/** The problem with a password that was asked for again. */
export function explainRefusal({ signIn, passwordProblems }: Words, error: unknown): string {
  if (!(error instanceof SignInRefused)) throw error
  const minutes = Math.ceil(error.secondsToWait / 60)
  return minutes > 0 ? signIn.slow(minutes) : passwordProblems.wrong
}
