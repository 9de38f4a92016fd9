import { type PasswordAsk, passwordAskOf, refusePassword } from "../../pages/ask-password.ts"
import { type AuthorContext, viewOf, visitorOf } from "../../pages/author-context.ts"
import type { WorkspaceServices } from "../frame/services.ts"
import { ConfirmPasswordPage, NoPasswordPage } from "../pages/sign-in/confirm-page.tsx"

/** For the form of a change. An author who came by a link may have no password: no field, and the change is refused. */
export async function findPasswordAsk(
  c: AuthorContext,
  { store, now }: WorkspaceServices,
): Promise<PasswordAsk> {
  const { account, session } = visitorOf(c)
  const password = passwordAskOf(session, now())
  if (!password.isAsked) return password
  return { ...password, isAsked: (await store.passwords.find(account.id)) !== null }
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
  const asking = { ...services.store, ...services }
  const owner = { id: account.id, name: account.username }
  const password = await refusePassword(c, asking, owner, session)
  if (password === null) return null
  const view = viewOf(c)
  if ((await services.store.passwords.find(account.id)) === null) {
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
