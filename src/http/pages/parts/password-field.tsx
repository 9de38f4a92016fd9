import type { PasswordAsk } from "../ask-password.ts"
import type { View } from "../view.ts"
import { Field } from "./fields.tsx"
import { ShowPasswords } from "./show-passwords.tsx"

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
