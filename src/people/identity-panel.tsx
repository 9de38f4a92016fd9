/** The identities of a person on their security page. */
import type { Child } from "hono/jsx"
import type { Account } from "../accounts/account.ts"
import { ConfirmActions, requirePassword } from "../platform/pages/confirm.tsx"
import {
  currentView,
  type PageApp,
  type PageContext,
  type PasswordPrompt,
} from "../platform/pages/context.ts"
import { DataTable } from "../platform/pages/data-table.tsx"
import { Panel, QuietLink } from "../platform/pages/elements.tsx"
import { PostForm, QuietButton } from "../platform/pages/form-fields.tsx"
import { Page } from "../platform/pages/page.tsx"
import { t } from "../platform/t.ts"
import { leaveForProvider } from "./identity-provider-pages.tsx"
import { recordPersonEvent } from "./person-email-operations.ts"
import type { PeoplePageServices } from "./session-pages.ts"

type Area = Readonly<{
  route: string
  pathOf(): string
  accountOf(c: PageContext): Account | null
}>

export async function renderIdentities(
  c: PageContext,
  { identities, identityProvider }: PeoplePageServices,
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

export function addIdentityRoutes(app: PageApp, services: PeoplePageServices, area: Area): void {
  const { identities } = services
  const { route, pathOf } = area

  /** Asks for the password: a stolen cookie alone must not be enough. */
  const showConfirm = (c: PageContext, submit: string, fields: Child, password: PasswordPrompt) =>
    c.html(
      <Page title={submit} problem={password.problem}>
        <PostForm action={currentView().path}>
          {fields}
          <ConfirmActions {...{ password, submit, back: pathOf() }} isFocused />
        </PostForm>
      </Page>,
      422,
    )

  app.post(`${route}/identities`, async (c) => {
    const submit = t("Connect {host}", { host: currentView().site.identityHost ?? "" })
    const show = (password: PasswordPrompt) => showConfirm(c, submit, null, password)
    const unconfirmed = await requirePassword(c, show)
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
    const unconfirmed = await requirePassword(c, show)
    if (unconfirmed !== null) return unconfirmed
    if (await identities.disconnect(identity, person.id)) {
      await recordPersonEvent({ ...services, actor }, person, "identity_removed", area.accountOf(c))
      return c.redirect(`${pathOf()}?done=identity_removed`, 303)
    }
    return c.html(
      <Page title={t("Disconnect")}>
        <p class="notice warning">{t("You have no other way to sign in. Set a password first.")}</p>
        <p class="actions">
          <QuietLink href={pathOf()}>{t("Security")}</QuietLink>
        </p>
      </Page>,
      422,
    )
  })
}
