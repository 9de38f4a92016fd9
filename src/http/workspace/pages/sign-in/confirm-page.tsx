import type { PasswordAsk } from "../../../pages/ask-password.ts"
import { keysPath } from "../../../pages/key-paths.ts"
import { TokenField } from "../../../pages/parts/fields.tsx"
import { PasswordField } from "../../../pages/parts/password-field.tsx"
import type { Words } from "../../../pages/translations/en.ts"
import type { View } from "../../../pages/view.ts"
import { KeyLayout } from "../../parts/key-layout.tsx"
import { SiteSignIn } from "../../parts/site-sign-in.tsx"

type Props = Readonly<{
  view: View
  action: keyof Words["keys"]["confirm"]["why"]
  /** What was chosen, to be sent again. */
  fields: readonly Readonly<{ name: string; value: string }>[]
  password: PasswordAsk
}>

/** For an author who came by a link, too long ago, and has no password. */
export const NoPasswordPage = ({ view }: { view: View }) => (
  <KeyLayout view={view} title={view.words.keys.confirm.signInAgain}>
    <p>{view.words.keys.confirm.noPassword}</p>
    <SiteSignIn view={view} />
  </KeyLayout>
)

/** The form is sent to the address that asked for the password. */
export const ConfirmPasswordPage = ({ view, action, fields, password }: Props) => {
  const words = view.words.keys.confirm
  return (
    <KeyLayout view={view} title={words.title} problem={password.problem}>
      <p>{words.why[action]}</p>
      <form method="post" action={view.path}>
        <TokenField view={view} />
        {fields.map(({ name, value }) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <PasswordField view={view} password={password} isFocused />
        <p class="actions">
          <button type="submit" class={action === "revoke" ? "danger" : undefined}>
            {words.submit[action]}
          </button>
          <a href={action === "create" ? keysPath : view.path.replace(/\/\w+$/, "")}>
            {view.words.cancel}
          </a>
        </p>
      </form>
    </KeyLayout>
  )
}
