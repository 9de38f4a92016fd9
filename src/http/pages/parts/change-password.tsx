import type { View } from "../view.ts"
import { Field, TokenField } from "./fields.tsx"
import { NewPasswordFields, type NewPasswordProblem } from "./new-password.tsx"
import { ShowPasswords } from "./show-passwords.tsx"

export type PasswordProblem = Readonly<{ field: "current"; text: string }> | NewPasswordProblem

type Props = Readonly<{
  view: View
  /** Where the form is sent. */
  path: string
  /** For the browser's own list of passwords. */
  name: string | undefined
  /** Whether there is no password yet. */
  isFirst: boolean
  problem: PasswordProblem | null
}>

export const ChangePassword = ({ view, path, name, isFirst, problem }: Props) => {
  const words = view.words.security
  const isCurrent = problem?.field === "current"
  return (
    <>
      <p class="hint">{isFirst ? words.setHint : words.ends}</p>
      <form method="post" action={path}>
        <TokenField view={view} />
        <input type="text" name="username" value={name} autocomplete="username" readonly hidden />
        {!isFirst && (
          <Field
            name="current"
            label={words.current}
            type="password"
            autocomplete="current-password"
            error={isCurrent ? problem.text : null}
            isRequired
          />
        )}
        <NewPasswordFields view={view} problem={isCurrent ? null : problem} />
        <ShowPasswords view={view} />
        <button type="submit">{isFirst ? words.setPassword : words.submit}</button>
      </form>
    </>
  )
}
