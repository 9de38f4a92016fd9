/** Adding and removing passkeys, on the security page. Both require a recent password or sign-in. */
import type { Child } from "hono/jsx"
import type { Account } from "../accounts/account.ts"
import { describeDevice } from "../platform/http/request-head.ts"
import { asset } from "../platform/pages/assets.ts"
import { ConfirmActions, promptFor, requirePassword } from "../platform/pages/confirm.tsx"
import {
  currentView,
  type PageApp,
  type PageContext,
  type PasswordPrompt,
} from "../platform/pages/context.ts"
import { DataTable } from "../platform/pages/data-table.tsx"
import { displayName, isolateDirection, Panel, QuietLink } from "../platform/pages/elements.tsx"
import { Field, PostForm } from "../platform/pages/form-fields.tsx"
import { Page } from "../platform/pages/page.tsx"
import { t } from "../platform/t.ts"
import { type Passkey, passkeyAlgorithms, passkeysMax, userHandleOf } from "./passkey.ts"
import { addPasskey, removePasskey } from "./security-operations.ts"
import { isConfirmed } from "./session.ts"
import type { PeoplePageServices } from "./session-pages.ts"

export type PasskeyArea = Readonly<{
  route: string
  pathOf(): string
  /** Whose workspace the page is in. */
  accountOf(c: PageContext): Account | null
}>

export function addPasskeyRoutes(
  app: PageApp,
  services: PeoplePageServices,
  { route, accountOf, pathOf }: PasskeyArea,
): void {
  const { passkeys, now } = services
  type C = PageContext
  const actingAs = (c: C) => ({ ...services, actor: c.var.actor })

  type Confirmation = Readonly<{ title: string; text: string; submit: string }>

  function showConfirm(c: C, { title, text, submit }: Confirmation, password: PasswordPrompt) {
    const page = (
      <Page title={title} problem={password.problem}>
        <PostForm action={currentView().path}>
          <p>{text}</p>
          <ConfirmActions {...{ password, submit, back: pathOf() }} isFocused />
        </PostForm>
      </Page>
    )
    return c.html(page, password.problem === null ? 200 : 422)
  }

  async function showNew(c: C, problem: string | null) {
    const page = (
      <Page title={t("Add a passkey")} problem={problem}>
        <section class="panel">
          <p>
            {t(
              "A passkey signs you in with your fingerprint, face or PIN, without password and code.",
            )}
          </p>
          <p data-no-passkeys>{t("This browser cannot create a passkey at this address.")}</p>
          <PasskeyForm
            action={newPathOf(pathOf())}
            request={await passkeyToCreate(services, c)}
            fields={["clientDataJSON", "attestationObject"]}
            submit={t("Create the passkey")}
            failure={t("No passkey was created. This device may already have one for you.")}
            problem={problem}
          >
            <Field
              name="name"
              label={t("Name")}
              hint={t("By which you recognize the device or password manager.")}
              value={describeDevice(c.req.header("user-agent") ?? "")}
              autocomplete="off"
              isRequired
            />
          </PasskeyForm>
        </section>
      </Page>
    )
    return c.html(page, problem === null ? 200 : 422)
  }

  const confirmNew = (): Confirmation => ({
    title: t("Add a passkey"),
    text: t("Enter your password to add a passkey."),
    submit: t("Continue"),
  })

  // The password is required first: otherwise a wrong one would leave a passkey on the device that is not known here.
  app.get(newPathOf(route), async (c) =>
    isConfirmed(c.var.session, now())
      ? showNew(c, null)
      : showConfirm(c, confirmNew(), await promptFor(c)),
  )

  app.post(newPathOf(route), async (c) => {
    const { form, person } = c.var
    const rejected = await requirePassword(c, (password) => showConfirm(c, confirmNew(), password))
    if (rejected !== null) return rejected
    const attestationObject = form.raw("attestationObject")
    if (attestationObject === "") return c.redirect(newPathOf(pathOf()), 303)
    const registration = {
      ...{ attestationObject, name: form.text("name") },
      ...{ clientDataJSON: form.raw("clientDataJSON"), formToken: form.text("form_token") },
    }
    if (await addPasskey(actingAs(c), person, registration, accountOf(c)))
      return c.redirect(`${pathOf()}?done=passkey_added`, 303)
    return showNew(c, t("The passkey was not added. Try again."))
  })

  const removeRoute = removePathOf(route, ":id")

  async function showRemove(c: C, password: PasswordPrompt) {
    const found = await passkeys.find(c.req.param("id") ?? "")
    if (found === null || found.personId !== c.var.person.id) return c.redirect(pathOf(), 303)
    const title = t("Remove {name}?", {
      name: isolateDirection(displayName(found.name, t("Passkey"))),
    })
    return showConfirm(
      c,
      {
        title,
        text: t("You can no longer sign in with it. Delete it on your device, too."),
        submit: t("Remove"),
      },
      password,
    )
  }

  app.get(removeRoute, async (c) => showRemove(c, await promptFor(c)))

  app.post(removeRoute, async (c) => {
    const rejected = await requirePassword(c, (password) => showRemove(c, password))
    if (rejected !== null) return rejected
    await removePasskey(actingAs(c), c.var.person, c.req.param("id") ?? "", accountOf(c))
    return c.redirect(`${pathOf()}?done=passkey_removed`, 303)
  })
}

const newPathOf = (path: string) => `${path}/passkeys/new`
const removePathOf = (path: string, id: string) => `${path}/passkeys/${id}/remove`

type PasskeyPanelProps = Readonly<{ path: string; passkeys: readonly Passkey[] }>

export const PasskeyPanel = ({ path, passkeys }: PasskeyPanelProps) => (
  <Panel id="passkeys-title" title={t("Passkeys")}>
    <p class="hint">
      {t("A passkey signs you in with your fingerprint, face or PIN, without password and code.")}
    </p>
    <DataTable
      rows={passkeys}
      empty={t("No passkeys yet.")}
      columns={[
        { head: t("Name"), isWide: true, value: ({ name }) => displayName(name, t("Passkey")) },
        {
          head: t("Created # date"),
          kind: "time",
          priority: 2,
          value: ({ createdAt }) => createdAt,
        },
        { head: t("Last used"), kind: "time", value: ({ lastUsedAt }) => lastUsedAt },
      ]}
      menuOf={({ id }) => (
        <QuietLink href={removePathOf(path, id)} data-dialog>
          {t("Remove")}
        </QuietLink>
      )}
    />
    {passkeys.length < passkeysMax && (
      <p class="actions">
        <QuietLink href={newPathOf(path)}>{t("Add a passkey")}</QuietLink>
      </p>
    )}
  </Panel>
)

type PasskeyServices = Pick<PeoplePageServices, "passkeys" | "passkeyVerifier" | "publicUrl">

/** What the script passes to `navigator.credentials`, with texts in place of bytes. */
const requestOf = ({ passkeyVerifier, publicUrl }: PasskeyServices) => {
  const { formToken } = currentView()
  const { origin, hostname } = new URL(publicUrl)
  return { origin, host: hostname, challenge: passkeyVerifier.createChallenge(formToken) }
}

export function passkeyToGet(services: PasskeyServices): string {
  const { origin, host, challenge } = requestOf(services)
  return JSON.stringify({ origin, get: { challenge, rpId: host, userVerification: "required" } })
}

export async function passkeyToCreate(
  services: PasskeyServices,
  { var: { person } }: PageContext,
): Promise<string> {
  const { origin, host, challenge } = requestOf(services)
  const type = "public-key"
  const known = await services.passkeys.list(person.id)
  const create = {
    challenge,
    rp: { id: host, name: currentView().site.name },
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
  const { action, request, fields, submit, isQuiet, failure, problem, children } = props
  return (
    <PostForm action={action} hidden>
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
