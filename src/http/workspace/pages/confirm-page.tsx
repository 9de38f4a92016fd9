import { keysPath, pathOfKey } from "../key-paths.ts"
import { Field, TokenField } from "../parts/fields.tsx"
import { KeyLayout } from "../parts/key-layout.tsx"
import { ShowPasswords } from "../parts/show-passwords.tsx"
import { SiteSignIn } from "../parts/site-sign-in.tsx"
import type { Words } from "../translations/en.ts"
import type { View } from "../view.ts"

type Props = Readonly<{
  view: View
  /** The action that follows the password; `keyId` is empty where there is no key yet. */
  waiting: Readonly<{ action: keyof Words["keys"]["confirm"]["why"]; keyId: string }>
  problem: string | null
}>

/** For an author who came by a link, too long ago, and has no password. */
export const NoPasswordPage = ({ view }: { view: View }) => (
  <KeyLayout view={view} title={view.words.keys.confirm.signInAgain}>
    <p>{view.words.keys.confirm.noPassword}</p>
    <SiteSignIn view={view} />
  </KeyLayout>
)

/** The form is sent to the address of the page. */
export const ConfirmPasswordPage = ({ view, waiting, problem }: Props) => {
  const words = view.words.keys.confirm
  const { action, keyId } = waiting
  return (
    <KeyLayout view={view} title={words.title} problem={problem}>
      <p>{words.why[action]}</p>
      <form method="post" action={view.path}>
        <TokenField view={view} />
        <Field
          name="password"
          label={words.password}
          type="password"
          autocomplete="current-password"
          error={problem}
          isRequired
          isFocused
        />
        <ShowPasswords view={view} />
        <p class="actions">
          <button type="submit" class={action === "revoke" ? "danger" : undefined}>
            {words.submit[action]}
          </button>
          <a href={keyId === "" ? keysPath : pathOfKey(keyId)}>{view.words.cancel}</a>
        </p>
      </form>
    </KeyLayout>
  )
}
