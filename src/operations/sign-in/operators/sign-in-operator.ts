import type { Operator, OperatorStore } from "../../../domain/sign-in/operator.ts"
import { SignInRefused } from "../../../domain/sign-in/sign-in-failures.ts"
import { passSecondFactor, pretendSecondFactor, type SecondFactors } from "../second-factor.ts"
import { type SignInTry, type SigningIn, signInAs } from "../sign-in.ts"
import type { SignedIn } from "../start-session.ts"

/**
 * A wrong name, password or code is the same refusal, so that a right password cannot be told from a wrong
 * one. So is a code when no try at codes is left: only someone with the right password uses them up.
 */
export async function signInOperator(
  services: SigningIn & SecondFactors & Readonly<{ operators: Pick<OperatorStore, "findByName"> }>,
  attempt: SignInTry & Readonly<{ code: string }>,
): Promise<SignedIn<Operator>> {
  const operator = await services.operators.findByName(attempt.name)
  const named = operator && { owner: operator, name: operator.name, isSuspended: false }
  return signInAs(
    services,
    attempt,
    named,
    (owner) =>
      passSecondFactor(services, owner, attempt.code).catch((error) => {
        if (error instanceof SignInRefused) return false
        throw error
      }),
    (id) => pretendSecondFactor(services, { id }, attempt.code),
  )
}
