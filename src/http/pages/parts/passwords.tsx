import { passwordCharactersMin } from "../../../domain/sign-in/password.ts"
import type { PasswordAsk } from "../ask-password.ts"
import type { View } from "../view.ts"
import { Field } from "./fields.tsx"

export type NewPasswordProblem = Readonly<{ field: "password" | "repeat"; text: string }>

type NewPasswordFieldsProps = Readonly<{ view: View; problem: NewPasswordProblem | null }>

/** For the browser's own list of passwords. */
export const UsernameField = ({ name }: { name: string }) => (
  <input type="text" name="username" value={name} autocomplete="username" readonly hidden />
)

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
        hint={
          errorOf("password") === null ? passwordProblems.hint(passwordCharactersMin) : undefined
        }
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
      <ShowPasswords view={view} />
    </>
  )
}

type ChangeEndProps = Readonly<{
  view: View
  password: PasswordAsk
  submit: string
  isDangerous?: boolean
  /** Where "cancel" leads. */
  back: string
  isFocused?: boolean
}>

/** The end of a form that changes something: the password, unless it was given just now, and the button. */
export const ChangeEnd = (props: ChangeEndProps) => {
  const { view, password, submit, isDangerous = false, back, isFocused = false } = props
  return (
    <>
      {password.isAsked && (
        <PasswordField
          view={view}
          hint={view.words.signIn.passwordAgain}
          error={password.problem}
          isFocused={isFocused}
        />
      )}
      <p class="actions">
        <button type="submit" class={isDangerous ? "danger" : undefined}>
          {submit}
        </button>
        <a href={back}>{view.words.cancel}</a>
      </p>
    </>
  )
}

type PasswordFieldProps = Readonly<{
  view: View
  hint?: string
  error: string | null | undefined
  isFocused?: boolean
}>

/** The password that the visitor has. */
export const PasswordField = ({ view, ...field }: PasswordFieldProps) => (
  <>
    <Field
      name="password"
      label={view.words.signIn.password}
      type="password"
      autocomplete="current-password"
      isRequired
      {...field}
    />
    <ShowPasswords view={view} />
  </>
)

/** Shows every password of its form. Hidden until the script is there: it does nothing without it. */
const ShowPasswords = ({ view }: { view: View }) => (
  <label class="choice" hidden>
    <input type="checkbox" data-shows-passwords />
    {view.words.signIn.show}
  </label>
)
