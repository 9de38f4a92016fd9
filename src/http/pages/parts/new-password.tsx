import { passwordCharactersMin } from "../../../domain/sign-in/password.ts"
import type { View } from "../view.ts"
import { Field } from "./fields.tsx"

export type NewPasswordProblem = Readonly<{ field: "password" | "repeat"; text: string }>

/** Typed twice, because the characters are hidden. */
export const NewPasswordFields = ({
  view,
  problem,
}: {
  view: View
  problem: NewPasswordProblem | null
}) => {
  const { invitation, passwordProblems } = view.words
  const errorOf = (field: NewPasswordProblem["field"]) =>
    problem?.field === field ? problem.text : null
  return (
    <>
      <Field
        name="password"
        label={invitation.password}
        type="password"
        autocomplete="new-password"
        {...(errorOf("password") === null && {
          hint: passwordProblems.hint(passwordCharactersMin),
        })}
        error={errorOf("password")}
        isRequired
      />
      <Field
        name="repeat"
        label={invitation.repeat}
        type="password"
        autocomplete="new-password"
        error={errorOf("repeat")}
        isRequired
      />
    </>
  )
}
