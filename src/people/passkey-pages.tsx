/** Adding and removing passkeys, on the security page. Both require a recent password or sign-in. */

import type { Child, FC } from "hono/jsx"
import type { Account } from "../accounts/account.ts"
import { describeDevice } from "../platform/http/device.ts"
import { asset } from "../platform/pages/assets.ts"
import type { PageApp, PageContext, PageProps, View } from "../platform/pages/context.ts"
import { DataTable } from "../platform/pages/data-table.tsx"
import { displayName, isolateDirection, Panel, QuietLink } from "../platform/pages/elements.tsx"
import { Field, PostForm } from "../platform/pages/form-fields.tsx"
import type { PageServices } from "../workspace/services.ts"
import { type Passkey, passkeyAlgorithms, passkeysMax, userHandleOf } from "./passkey.ts"
import { addPasskey, removePasskey } from "./passkey-operations.ts"
import { ConfirmActions, type PasswordPrompt, passwordsOf } from "./password-pages.tsx"
import { isConfirmed } from "./session.ts"

export type PasskeyArea = Readonly<{
  Layout: FC<PageProps>
  route: string
  pathOf(view: View): string
  /** Whose workspace the page is in. */
  accountOf(c: PageContext): Account | null
}>

export function addPasskeyRoutes(
  app: PageApp,
  services: PageServices,
  { Layout, route, accountOf, ...area }: PasskeyArea,
): void {
  const { passkeys, now } = services
  const { promptFor, requirePassword } = passwordsOf(services)
  type C = PageContext
  const pathOf = (c: C) => area.pathOf(c.var.view)
  const actingAs = (c: C) => ({ ...services, actor: c.var.actor })

  type Confirmation = Readonly<{ title: string; text: string; submit: string }>

  function showConfirm(c: C, { title, text, submit }: Confirmation, password: PasswordPrompt) {
    const { view } = c.var
    const page = (
      <Layout view={view} title={title} problem={password.problem}>
        <PostForm view={view} action={view.path}>
          <p>{text}</p>
          <ConfirmActions {...{ view, password, submit, back: pathOf(c) }} isFocused />
        </PostForm>
      </Layout>
    )
    return c.html(page, password.problem === null ? 200 : 422)
  }

  async function showNew(c: C, problem: string | null) {
    const { view } = c.var
    const texts = view.texts.settings.security.passkeys
    const page = (
      <Layout view={view} title={texts.add} problem={problem}>
        <section class="panel">
          <p>{texts.hint}</p>
          <p data-no-passkeys>{texts.unsupported}</p>
          <PasskeyForm
            view={view}
            action={newPathOf(pathOf(c))}
            request={await passkeyToCreate(services, c)}
            fields={["clientDataJSON", "attestationObject"]}
            submit={texts.create}
            failure={texts.failed}
            problem={problem}
          >
            <Field
              name="name"
              label={view.texts.columns.name}
              hint={texts.nameHint}
              value={describeDevice(c.req.header("user-agent") ?? "")}
              autocomplete="off"
              isRequired
            />
          </PasskeyForm>
        </section>
      </Layout>
    )
    return c.html(page, problem === null ? 200 : 422)
  }

  const confirmNew = ({ texts }: View): Confirmation => {
    const { add, passwordFirst } = texts.settings.security.passkeys
    return { title: add, text: passwordFirst, submit: texts.signIn.link.submit }
  }

  // The password is required first: otherwise a wrong one would leave a passkey on the device that is not known here.
  app.get(newPathOf(route), async (c) =>
    isConfirmed(c.var.session, now())
      ? showNew(c, null)
      : showConfirm(c, confirmNew(c.var.view), await promptFor(c)),
  )

  app.post(newPathOf(route), async (c) => {
    const { form, view, person } = c.var
    const rejected = await requirePassword(c, Layout, (password) =>
      showConfirm(c, confirmNew(view), password),
    )
    if (rejected !== null) return rejected
    const attestationObject = form.raw("attestationObject")
    if (attestationObject === "") return c.redirect(newPathOf(pathOf(c)), 303)
    const registration = {
      ...{ attestationObject, name: form.text("name") },
      ...{ clientDataJSON: form.raw("clientDataJSON"), formToken: form.text("form_token") },
    }
    if (await addPasskey(actingAs(c), person, registration, accountOf(c)))
      return c.redirect(`${pathOf(c)}?done=passkey_added`, 303)
    return showNew(c, view.texts.settings.security.passkeys.rejected)
  })

  const removeRoute = removePathOf(route, ":id")

  async function showRemove(c: C, password: PasswordPrompt) {
    const found = await passkeys.find(c.req.param("id") ?? "")
    if (found === null || found.personId !== c.var.person.id) return c.redirect(pathOf(c), 303)
    const texts = c.var.view.texts.settings.security.passkeys
    const title = texts.removeTitle(isolateDirection(displayName(found.name, texts.one)))
    return showConfirm(c, { title, text: texts.removeText, submit: texts.remove }, password)
  }

  app.get(removeRoute, async (c) => showRemove(c, await promptFor(c)))

  app.post(removeRoute, async (c) => {
    const rejected = await requirePassword(c, Layout, (password) => showRemove(c, password))
    if (rejected !== null) return rejected
    await removePasskey(actingAs(c), c.var.person, c.req.param("id") ?? "", accountOf(c))
    return c.redirect(`${pathOf(c)}?done=passkey_removed`, 303)
  })
}

const newPathOf = (path: string) => `${path}/passkeys/new`
const removePathOf = (path: string, id: string) => `${path}/passkeys/${id}/remove`

type PasskeyPanelProps = Readonly<{ view: View; path: string; passkeys: readonly Passkey[] }>

export const PasskeyPanel = ({ view, path, passkeys }: PasskeyPanelProps) => {
  const { columns, keys, settings } = view.texts
  const texts = settings.security.passkeys
  return (
    <Panel id="passkeys-title" title={texts.title}>
      <p class="hint">{texts.hint}</p>
      <DataTable
        view={view}
        rows={passkeys}
        empty={texts.none}
        columns={[
          {
            head: columns.name,
            isWide: true,
            value: ({ name }) => displayName(name, texts.one),
          },
          { head: keys.created, kind: "time", priority: 2, value: ({ createdAt }) => createdAt },
          { head: keys.lastUsed, kind: "time", value: ({ lastUsedAt }) => lastUsedAt },
        ]}
        menuOf={({ id }) => (
          <QuietLink href={removePathOf(path, id)} data-dialog>
            {texts.remove}
          </QuietLink>
        )}
      />
      {passkeys.length < passkeysMax && (
        <p class="actions">
          <QuietLink href={newPathOf(path)}>{texts.add}</QuietLink>
        </p>
      )}
    </Panel>
  )
}

type PasskeyServices = Pick<PageServices, "passkeys" | "passkeyVerifier" | "publicUrl">

/** What the script passes to `navigator.credentials`, with texts in place of bytes. */
const requestOf = ({ passkeyVerifier, publicUrl }: PasskeyServices, { formToken }: View) => {
  const { origin, hostname } = new URL(publicUrl)
  return { origin, host: hostname, challenge: passkeyVerifier.createChallenge(formToken) }
}

export function passkeyToGet(services: PasskeyServices, { var: { view } }: PageContext): string {
  const { origin, host, challenge } = requestOf(services, view)
  return JSON.stringify({ origin, get: { challenge, rpId: host, userVerification: "required" } })
}

export async function passkeyToCreate(
  services: PasskeyServices,
  { var: { view, person } }: PageContext,
): Promise<string> {
  const { origin, host, challenge } = requestOf(services, view)
  const type = "public-key"
  const known = await services.passkeys.list(person.id)
  const create = {
    challenge,
    rp: { id: host, name: view.site.name },
    user: { id: userHandleOf(person.id), name: person.name, displayName: person.name },
    pubKeyCredParams: Object.values(passkeyAlgorithms).map((alg) => ({ type, alg })),
    authenticatorSelection: {
      ...{ residentKey: "required", requireResidentKey: true, userVerification: "required" },
    },
    excludeCredentials: known.map(({ id }) => ({ type, id })),
  }
  return JSON.stringify({ origin, create })
}

type PasskeyFormProps = Readonly<{
  view: View
  action: string
  request: string
  /** Of the response of the browser. */
  fields: readonly string[]
  submit: string
  isQuiet?: boolean
  failure: string
  problem: string | null | undefined
  children?: Child
}>

/** The script shows the form where passkeys work, and fills in the fields. */
export const PasskeyForm = (props: PasskeyFormProps) => {
  const { view, action, request, fields, submit, isQuiet, failure, problem, children } = props
  return (
    <PostForm view={view} action={action} hidden>
      <input type="hidden" data-passkey value={request} />
      {fields.map((name) => (
        <input type="hidden" name={name} data-response />
      ))}
      {children}
      <p class="error" role="alert" hidden={!problem}>
        {problem ?? failure}
      </p>
      <button type="submit" class={isQuiet ? "quiet" : undefined}>
        {submit}
      </button>
      <script type="module" src={asset.passkeyScript.path} />
    </PostForm>
  )
}
