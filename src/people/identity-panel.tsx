/** The identities of a person on their security page. */
import type { Child, FC } from "hono/jsx"
import type { Account } from "../accounts/account.ts"
import {
  currentView,
  type PageApp,
  type PageContext,
  type PageProps,
} from "../platform/pages/context.ts"
import { DataTable } from "../platform/pages/data-table.tsx"
import { Panel, QuietLink } from "../platform/pages/elements.tsx"
import { PostForm, QuietButton } from "../platform/pages/form-fields.tsx"
import { t } from "../platform/t.ts"
import type { PageServices } from "../workspace/services.ts"
import { leaveForProvider } from "./identity-provider-pages.tsx"
import { ConfirmActions, type PasswordPrompt, passwordsOf } from "./password-pages.tsx"
import { recordPersonEvent } from "./person-email-operations.ts"

type Area = Readonly<{
  Layout: FC<PageProps>
  route: string
  pathOf(): string
  accountOf(c: PageContext): Account | null
}>

export async function renderIdentities(
  c: PageContext,
  { identities, identityProvider }: PageServices,
  { pathOf }: Area,
): Promise<Child> {
  const { person } = c.var
  const rows = await identities.list(person.id)
  if (rows.length === 0 && identityProvider === null) return null
  const host = currentView().site.identityHost ?? ""
  return (
    <Panel id="identity-title" title={t("Single sign-on")}>
      {rows.length === 0 ? (
        <p>{t("Sign in here with your account at {host}, without a password.", { host })}</p>
      ) : (
        <DataTable
          rows={rows}
          columns={[
            { head: t("Name"), isWide: true, value: ({ issuer }) => new URL(issuer).host },
            { head: t("ID there"), kind: "code", value: ({ subject }) => subject },
          ]}
          menuOf={({ issuer, subject }) => (
            <PostForm action={`${pathOf()}/identities/remove`}>
              <input type="hidden" name="issuer" value={issuer} />
              <input type="hidden" name="subject" value={subject} />
              <QuietButton>{t("Disconnect")}</QuietButton>
            </PostForm>
          )}
        />
      )}
      {identityProvider !== null && (
        <PostForm action={`${pathOf()}/identities`}>
          <QuietButton>{t("Connect {host}", { host })}</QuietButton>
        </PostForm>
      )}
    </Panel>
  )
}

export function addIdentityRoutes(app: PageApp, services: PageServices, area: Area): void {
  const { identities } = services
  const { route, Layout, pathOf } = area
  const { requirePassword } = passwordsOf(services)

  /** Asks for the password: a stolen cookie alone must not be enough. */
  const showConfirm = (c: PageContext, submit: string, fields: Child, password: PasswordPrompt) =>
    c.html(
      <Layout title={submit} problem={password.problem}>
        <PostForm action={currentView().path}>
          {fields}
          <ConfirmActions {...{ password, submit, back: pathOf() }} isFocused />
        </PostForm>
      </Layout>,
      422,
    )

  app.post(`${route}/identities`, async (c) => {
    const submit = t("Connect {host}", { host: currentView().site.identityHost ?? "" })
    const show = (password: PasswordPrompt) => showConfirm(c, submit, null, password)
    const unconfirmed = await requirePassword(c, Layout, show)
    const purpose = { next: pathOf(), invitation: "", sessionId: c.var.session.id }
    return unconfirmed ?? leaveForProvider(c, services, purpose)
  })

  app.post(`${route}/identities/remove`, async (c) => {
    const { person, actor, form } = c.var
    const identity = { issuer: form.text("issuer"), subject: form.text("subject") }
    const fields = Object.entries(identity).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))
    const show = (password: PasswordPrompt) => showConfirm(c, t("Disconnect"), fields, password)
    const unconfirmed = await requirePassword(c, Layout, show)
    if (unconfirmed !== null) return unconfirmed
    if (await identities.disconnect(identity, person.id)) {
      await recordPersonEvent({ ...services, actor }, person, "identity_removed", area.accountOf(c))
      return c.redirect(`${pathOf()}?done=identity_removed`, 303)
    }
    return c.html(
      <Layout title={t("Disconnect")}>
        <p class="notice warning">{t("You have no other way to sign in. Set a password first.")}</p>
        <p class="actions">
          <QuietLink href={pathOf()}>{t("Security")}</QuietLink>
        </p>
      </Layout>,
      422,
    )
  })
}
