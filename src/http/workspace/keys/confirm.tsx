import { type PasswordAsk, passwordAskOf, refusePassword } from "../../pages/ask-password.ts"
import { type AuthorContext, viewOf, visitorOf } from "../../pages/author-context.ts"
import { PostForm } from "../../pages/parts/fields.tsx"
import { PasswordField } from "../../pages/parts/passwords.tsx"
import { keysPath } from "../../pages/paths.ts"
import type { Words } from "../../pages/translations/en.ts"
import type { View } from "../../pages/view.ts"
import type { WorkspaceServices } from "../frame/services.ts"
import { SiteSignIn } from "../frame/site-sign-in.tsx"
import { KeyLayout } from "./key-parts.tsx"

/** For the form of a change. An author who came by a link may have no password: no field, and the change is refused. */
export async function findPasswordAsk(
  c: AuthorContext,
  { passwords, now }: WorkspaceServices,
): Promise<PasswordAsk> {
  const { account, session } = visitorOf(c)
  const password = passwordAskOf(session, now())
  if (!password.isAsked) return password
  return { ...password, isAsked: (await passwords.find(account.id)) !== null }
}

/** The fields of each form that come again with the password. */
const fieldsOf = {
  create: ["form_id", "kind", "name", "scope", "items", "expiry"],
  replace: ["form_id", "overlap"],
  reveal: ["page"],
  revoke: [],
} as const

/** Null when the password was given; else a page with what was chosen, and a field for it. */
export async function askPassword(
  c: AuthorContext,
  services: WorkspaceServices,
  action: keyof typeof fieldsOf,
): Promise<Response | null> {
  const { account, session } = visitorOf(c)
  const owner = { id: account.id, name: account.username }
  const password = await refusePassword(c, services, owner, session)
  if (password === null) return null
  const view = viewOf(c)
  if ((await services.passwords.find(account.id)) === null) {
    return c.html(<NoPasswordPage view={view} />, 422)
  }
  const form = c.get("form")
  const fields = fieldsOf[action].flatMap((name) =>
    form.list(name).map((value) => ({ name, value })),
  )
  return c.html(
    <ConfirmPasswordPage view={view} action={action} fields={fields} password={password} />,
    422,
  )
}

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
      <PostForm view={view} action={view.path}>
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
      </PostForm>
    </KeyLayout>
  )
}
