/** The identities of a person on their security page. */
import type { Child, FC } from "hono/jsx"
import type { Account } from "../accounts/account.ts"
import type { PageApp, PageContext, PageProps, View } from "../platform/pages/context.ts"
import { DataTable } from "../platform/pages/data-table.tsx"
import { Panel, QuietLink } from "../platform/pages/elements.tsx"
import { PostForm, QuietButton } from "../platform/pages/form-fields.tsx"
import type { PageServices } from "../workspace/services.ts"
import { leaveForProvider } from "./identity-provider-pages.tsx"
import { ConfirmActions, type PasswordPrompt, passwordsOf } from "./password-pages.tsx"
import { recordPersonEvent } from "./person-email-operations.ts"

type Area = Readonly<{
  Layout: FC<PageProps>
  route: string
  pathOf(view: View): string
  accountOf(c: PageContext): Account | null
}>

export async function renderIdentities(
  c: PageContext,
  { identities, identityProvider }: PageServices,
  { pathOf }: Area,
): Promise<Child> {
  const { view, person } = c.var
  const { panel } = view.texts.identity
  const rows = await identities.list(person.id)
  if (rows.length === 0 && identityProvider === null) return null
  const host = view.site.identityHost ?? ""
  return (
    <Panel id="identity-title" title={panel.title}>
      {rows.length === 0 ? (
        <p>{panel.none(host)}</p>
      ) : (
        <DataTable
          view={view}
          rows={rows}
          columns={[
            {
              head: view.texts.columns.name,
              isWide: true,
              value: ({ issuer }) => new URL(issuer).host,
            },
            { head: panel.subject, kind: "code", value: ({ subject }) => subject },
          ]}
          menuOf={({ issuer, subject }) => (
            <PostForm view={view} action={`${pathOf(c.var.view)}/identities/remove`}>
              <input type="hidden" name="issuer" value={issuer} />
              <input type="hidden" name="subject" value={subject} />
              <QuietButton>{panel.disconnect}</QuietButton>
            </PostForm>
          )}
        />
      )}
      {identityProvider !== null && (
        <PostForm view={view} action={`${pathOf(c.var.view)}/identities`}>
          <QuietButton>{panel.connect(host)}</QuietButton>
        </PostForm>
      )}
    </Panel>
  )
}

export function addIdentityRoutes(app: PageApp, services: PageServices, area: Area): void {
  const { identities } = services
  const { route, Layout } = area
  const pathOf = (c: PageContext) => area.pathOf(c.var.view)
  const { requirePassword } = passwordsOf(services)

  /** Asks for the password: a stolen cookie alone must not be enough. */
  const showConfirm = (c: PageContext, submit: string, fields: Child, password: PasswordPrompt) => {
    const { view } = c.var
    return c.html(
      <Layout view={view} title={submit} problem={password.problem}>
        <PostForm view={view} action={view.path}>
          {fields}
          <ConfirmActions {...{ view, password, submit, back: pathOf(c) }} isFocused />
        </PostForm>
      </Layout>,
      422,
    )
  }

  app.post(`${route}/identities`, async (c) => {
    const { panel } = c.var.view.texts.identity
    const submit = panel.connect(c.var.view.site.identityHost ?? "")
    const show = (password: PasswordPrompt) => showConfirm(c, submit, null, password)
    const unconfirmed = await requirePassword(c, Layout, show)
    const purpose = { next: pathOf(c), invitation: "", sessionId: c.var.session.id }
    return unconfirmed ?? leaveForProvider(c, services, purpose)
  })

  app.post(`${route}/identities/remove`, async (c) => {
    const { person, actor, form, view } = c.var
    const { panel } = view.texts.identity
    const identity = { issuer: form.text("issuer"), subject: form.text("subject") }
    const fields = Object.entries(identity).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))
    const show = (password: PasswordPrompt) => showConfirm(c, panel.disconnect, fields, password)
    const unconfirmed = await requirePassword(c, Layout, show)
    if (unconfirmed !== null) return unconfirmed
    if (await identities.disconnect(identity, person.id)) {
      await recordPersonEvent({ ...services, actor }, person, "identity_removed", area.accountOf(c))
      return c.redirect(`${pathOf(c)}?done=identity_removed`, 303)
    }
    return c.html(
      <Layout view={view} title={panel.disconnect}>
        <p class="notice warning">{panel.last}</p>
        <p class="actions">
          <QuietLink href={pathOf(c)}>{view.texts.settings.security.title}</QuietLink>
        </p>
      </Layout>,
      422,
    )
  })
}
