/** Signing in with a passkey, and adding and removing passkeys on the security page. */
import type { Child } from "hono/jsx"
import { securityPath } from "../access/page-view.ts"
import { describeDevice } from "../platform/http/request-head.ts"
import { asset } from "../platform/pages/assets.ts"
import { promptFor, requirePassword } from "../platform/pages/confirm.tsx"
import {
  currentView,
  Page,
  type PageApp,
  type PageContext,
  type PasswordPrompt,
} from "../platform/pages/context.ts"
import { DataTable } from "../platform/pages/data-table.tsx"
import {
  displayName,
  Field,
  isolateDirection,
  Panel,
  PostForm,
  QuietLink,
} from "../platform/pages/elements.tsx"
import { t } from "../platform/t.ts"
import type { PeoplePageServices } from "./page-app.tsx"
import { type Passkey, passkeyAlgorithms, passkeysMax, userHandleOf } from "./passkey.ts"
import { ConfirmPage } from "./password-pages.tsx"
import { addPasskey, removePasskey } from "./security-operations.ts"

/** Both changes require a recent password or sign-in. */
export function addPasskeyRoutes(app: PageApp, services: PeoplePageServices, route: string): void {
  const [newRoute, removeRoute] = [`${route}/passkeys/new`, `${route}/passkeys/:id/remove`]
  // The password is required first: otherwise a wrong one would leave a passkey on the device that is not known here.
  app.get(newRoute, async (c) =>
    c.var.passwords.isConfirmed() ? showNew(c, services, null) : confirmNew(c, await promptFor(c)),
  )
  app.post(newRoute, (c) => create(c, services))
  app.get(removeRoute, async (c) => confirmRemoval(c, services, await promptFor(c)))
  app.post(removeRoute, async (c) => {
    const rejected = await requirePassword(c, (password) => confirmRemoval(c, services, password))
    if (rejected !== null) return rejected
    const { person, actor, account } = c.var
    await removePasskey({ ...services, actor }, person, c.req.param("id") ?? "", account)
    return c.redirect(`${securityPath()}?done=passkey_removed`, 303)
  })
}

function confirmNew(c: PageContext, password: PasswordPrompt) {
  const page = (
    <ConfirmPage
      {...{ title: t("Add a passkey"), password, submit: t("Continue"), back: securityPath() }}
    >
      <p>{t("Enter your password to add a passkey.")}</p>
    </ConfirmPage>
  )
  return c.html(page, password.problem === null ? 200 : 422)
}

async function showNew(c: PageContext, services: PeoplePageServices, problem: string | null) {
  const { person } = c.var
  const type = "public-key"
  const known = await services.passkeys.list(person.id)
  const { origin, host, challenge } = createChallenge(services)
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
          action={`${securityPath()}/passkeys/new`}
          request={{ origin, create }}
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

async function create(c: PageContext, services: PeoplePageServices): Promise<Response> {
  const { form, person, actor, account } = c.var
  const rejected = await requirePassword(c, (password) => confirmNew(c, password))
  if (rejected !== null) return rejected
  const attestationObject = form.raw("attestationObject")
  if (attestationObject === "") return c.redirect(`${securityPath()}/passkeys/new`, 303)
  const registration = {
    ...{ attestationObject, name: form.text("name") },
    ...{ clientDataJSON: form.raw("clientDataJSON"), formToken: form.text("form_token") },
  }
  if (await addPasskey({ ...services, actor }, person, registration, account))
    return c.redirect(`${securityPath()}?done=passkey_added`, 303)
  return showNew(c, services, t("The passkey was not added. Try again."))
}

async function confirmRemoval(
  c: PageContext,
  { passkeys }: PeoplePageServices,
  password: PasswordPrompt,
) {
  const found = await passkeys.find(c.req.param("id") ?? "")
  if (found === null || found.personId !== c.var.person.id) return c.redirect(securityPath(), 303)
  const name = isolateDirection(displayName(found.name, t("Passkey")))
  const title = t("Remove {name}?", { name })
  const page = (
    <ConfirmPage {...{ title, password, submit: t("Remove"), back: securityPath() }}>
      <p>{t("You can no longer sign in with it. Delete it on your device, too.")}</p>
    </ConfirmPage>
  )
  return c.html(page, password.problem === null ? 200 : 422)
}

export const PasskeyPanel = ({ passkeys }: Readonly<{ passkeys: readonly Passkey[] }>) => (
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
        <QuietLink href={`${securityPath()}/passkeys/${id}/remove`} data-dialog>
          {t("Remove")}
        </QuietLink>
      )}
    />
    {passkeys.length < passkeysMax && (
      <p class="actions">
        <QuietLink href={`${securityPath()}/passkeys/new`}>{t("Add a passkey")}</QuietLink>
      </p>
    )}
  </Panel>
)

type PasskeyServices = Pick<PeoplePageServices, "passkeyVerifier" | "publicUrl">

function createChallenge({ passkeyVerifier, publicUrl }: PasskeyServices) {
  const { origin, hostname: host } = new URL(publicUrl)
  return { origin, host, challenge: passkeyVerifier.createChallenge(currentView().formToken) }
}

type PasskeySignInProps = Readonly<{
  services: PasskeyServices
  action: string
  next: string
  problem: string | undefined
}>

export const PasskeySignIn = ({ services, action, next, problem }: PasskeySignInProps) => {
  const { origin, host, challenge } = createChallenge(services)
  return (
    <PasskeyForm
      action={action}
      request={{ origin, get: { challenge, rpId: host, userVerification: "required" } }}
      fields={["id", "clientDataJSON", "authenticatorData", "signature", "userHandle"]}
      submit={t("Sign in with a passkey")}
      isQuiet
      failure={t("No passkey was used. Try again, or sign in with your password.")}
      problem={problem}
    >
      <input type="hidden" name="next" value={next} />
    </PasskeyForm>
  )
}

type PasskeyFormProps = Readonly<{
  action: string
  /** What the script passes to `navigator.credentials`, with texts in place of bytes. */
  request: unknown
  /** Of the response of the browser. */
  fields: readonly string[]
  submit: string
  isQuiet?: boolean
  failure: string
  problem: string | null | undefined
  children?: Child
}>

/** The script shows the form where passkeys work, and fills in the fields. */
const PasskeyForm = (props: PasskeyFormProps) => {
  const { action, request, fields, submit, isQuiet, failure, problem, children } = props
  return (
    <PostForm action={action} hidden>
      <input type="hidden" data-passkey value={JSON.stringify(request)} />
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
