import { passwordCharactersMin } from "../../../domain/sign-in/password.ts"
import type { PasswordAsk } from "../ask-password.ts"
import type { View } from "../view.ts"
import { Field, PostForm } from "./fields.tsx"

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
      <PostForm view={view} action={path}>
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
        <button type="submit">{isFirst ? words.setPassword : words.password}</button>
      </PostForm>
    </>
  )
}

export type NewPasswordProblem = Readonly<{ field: "password" | "repeat"; text: string }>

type NewPasswordFieldsProps = Readonly<{ view: View; problem: NewPasswordProblem | null }>

/** Typed twice, because the characters are hidden. */
export const NewPasswordFields = ({ view, problem }: NewPasswordFieldsProps) => {
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

/** The password of a form that changes something; nothing while it need not be given again. */
export const PasswordField = ({
  view,
  password: { isAsked, problem },
  isFocused = false,
}: Readonly<{ view: View; password: PasswordAsk; isFocused?: boolean }>) =>
  isAsked ? (
    <>
      <Field
        name="password"
        label={view.words.signIn.password}
        hint={view.words.signIn.passwordAgain}
        type="password"
        autocomplete="current-password"
        error={problem}
        isRequired
        isFocused={isFocused}
      />
      <ShowPasswords view={view} />
    </>
  ) : null

/** Shows every password of its form. Hidden until the script is there: it does nothing without it. */
export const ShowPasswords = ({ view }: { view: View }) => (
  <label class="choice" hidden>
    <input type="checkbox" data-shows-passwords />
    {view.words.signIn.show}
  </label>
)
