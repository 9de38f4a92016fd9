import type { Child } from "hono/jsx"
import { passwordCharactersMin } from "../../../domain/sign-in/password.ts"
import type { NewPasswordProblems, PasswordPrompt } from "../confirm-password.ts"
import type { View } from "../view.ts"
import { Field } from "./form-fields.tsx"
import { SiteSignIn } from "./layout.tsx"

type NewPasswordFieldsProps = Readonly<{ view: View; problems: NewPasswordProblems | null }>

/** For the password manager of the browser. */
export const UsernameField = ({ name }: { name: string }) => (
  <input type="text" name="username" value={name} autocomplete="username" readonly hidden />
)

export const NewPasswordFields = ({ view, problems }: NewPasswordFieldsProps) => {
  const { invitation, passwordProblems } = view.texts.signIn
  return (
    <>
      <Field
        name="password"
        label={invitation.password}
        type="password"
        autocomplete="new-password"
        hint={problems?.password ? undefined : passwordProblems.hint(passwordCharactersMin)}
        error={problems?.password}
        isRequired
      />
      <Field
        name="repeat"
        label={invitation.repeat}
        type="password"
        autocomplete="new-password"
        error={problems?.repeat}
        isRequired
      />
      <ShowPasswords view={view} />
    </>
  )
}

type ConfirmActionsProps = Readonly<{
  view: View
  password: PasswordPrompt
  submit: string
  isDangerous?: boolean
  back: string
  isFocused?: boolean
  /** Other ways to submit the form. */
  others?: Child
}>

/**
 * The end of a form that changes something: the password, unless it was confirmed recently, and the
 * button.
 */
export const ConfirmActions = (props: ConfirmActionsProps) => {
  const { view, password, submit, isDangerous = false, back, isFocused = false, others } = props
  return (
    <>
      {password.isRequired && (
        <PasswordField
          view={view}
          hint={view.texts.signIn.passwordAgain}
          error={password.problem}
          isFocused={isFocused}
        />
      )}
      <p class="actions">
        <button type="submit" class={isDangerous ? "danger" : undefined}>
          {submit}
        </button>
        {others}
        <a href={back} data-cancel>
          {view.texts.words.cancel}
        </a>
      </p>
    </>
  )
}

/** For authors without a password whose sign-in by link is not recent. */
export const NoPassword = ({ view }: { view: View }) => (
  <>
    <p>{view.texts.keys.confirm.noPassword}</p>
    <SiteSignIn view={view} />
  </>
)

type PasswordFieldProps = Readonly<{
  view: View
  hint?: string
  error: string | null | undefined
  isFocused?: boolean
}>

export const PasswordField = ({ view, ...field }: PasswordFieldProps) => (
  <>
    <Field
      name="password"
      label={view.texts.signIn.password}
      type="password"
      autocomplete="current-password"
      isRequired
      {...field}
    />
    <ShowPasswords view={view} />
  </>
)

/** Shows the passwords of its form. Hidden without the script. */
const ShowPasswords = ({ view }: { view: View }) => (
  <label class="choice" hidden>
    <input type="checkbox" data-shows-passwords />
    {view.texts.signIn.show}
  </label>
)
