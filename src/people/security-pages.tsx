/** The security page of an author or operator: password, two-factor authentication, passkeys and sessions. */

import { encode } from "uqr"
import { securityPath } from "../access/page-view.ts"
import { paths } from "../access/paths.ts"
import { describeDevice } from "../platform/http/request-head.ts"
import { PasswordField } from "../platform/pages/confirm.tsx"
import {
  currentView,
  Page,
  type PageApp,
  type PageContext,
  type PasswordPrompt,
} from "../platform/pages/context.ts"
import { DataTable } from "../platform/pages/data-table.tsx"
import {
  ButtonLink,
  CopyButton,
  Field,
  Panel,
  Pill,
  PostForm,
  QuietButton,
  QuietLink,
} from "../platform/pages/elements.tsx"
import { t } from "../platform/t.ts"
import { addOwnIdentityRoutes, renderIdentities } from "./identity-pages.tsx"
import { type PeoplePageServices, readVisit } from "./page-app.tsx"
import { addPasskeyRoutes, PasskeyPanel } from "./passkey-pages.tsx"
import { namesOf } from "./password.ts"
import {
  CodeField,
  ConfirmPage,
  describeSignInRejection,
  findNewPasswordProblems,
  NewPasswordFields,
  type NewPasswordProblems,
  NoPassword,
  SiteSignIn,
  UsernameField,
  wrongCode,
} from "./password-pages.tsx"
import { type ListedOperator, mayGetAlerts } from "./person.ts"
import { recordPersonEvent } from "./person-email-operations.ts"
import {
  changePassword,
  confirmPassword,
  requireTwoFactorCode,
  setUpTwoFactor,
} from "./security-operations.ts"

import type { Session } from "./session.ts"

import { isTotpSecret, totpUri } from "./two-factor.ts"

const loginPath = "/login"
const alertsPath = `${paths.security}/alerts`

const setUpPath = () => `${securityPath()}/second-factor`

type Problems = NewPasswordProblems & Readonly<{ current?: string; code?: string }>

/** `route` is the page in the workspace or in the console. */
export function addSecurityRoutes(app: PageApp, services: PeoplePageServices, route: string): void {
  app.get(route, (c) => show(c, services, null))
  app.post(`${route}/password`, (c) => savePassword(c, services))
  app.post(`${route}/sessions/:id`, async (c) => {
    const id = c.req.param("id")
    await services.sessions.end(c.var.person.id, id)
    if (id !== "all") return c.redirect(securityPath(), 303)
    c.var.cookies.clear("session")
    return c.redirect(`${loginPath}?done=signed_out`, 303)
  })
  addTwoFactorRoutes(app, services, `${route}/second-factor`)
  addOwnIdentityRoutes(app, services, route)
  addPasskeyRoutes(app, services, route)
  if (route === paths.security)
    app.post(alertsPath, async (c) => {
      const hasAlerts = c.var.form.text("alerts") === "on"
      await services.operators.putAlerts(c.var.operator.id, hasAlerts)
      return c.redirect(`${paths.security}?done=alerts_${hasAlerts ? "on" : "off"}`, 303)
    })
}

async function show(c: PageContext, services: PeoplePageServices, problems: Problems | null) {
  const { passwords, passkeys, sessions, twoFactor, operators } = services
  const { person, session } = c.var
  const form = choosePasswordForm(c, await passwords.find(person.id))
  const listed = securityPath() === paths.security ? await operators.list() : []
  const operator = listed.find(({ id }) => id === person.id)
  const page = (
    <Page title={t("Security")} problem={problems && Object.values(problems)[0]}>
      <PasswordPanel {...{ form, name: person.name, problems }} />
      <TwoFactorPanel
        codesLeft={
          (await hasTwoFactor(c, services)) ? await twoFactor.countRecoveryCodes(person.id) : null
        }
        problem={problems?.code}
      />
      {await renderIdentities(c, services)}
      <PasskeyPanel passkeys={await passkeys.list(person.id)} />
      {operator && mayGetAlerts(operator) && <AlertPanel operator={operator} />}
      <SessionPanel sessions={await sessions.list(person.id)} currentId={session.id} />
    </Page>
  )
  return c.html(page, problems === null ? 200 : 422)
}

/**
 * Somebody without a password may set one only shortly after using a sign-in link: a browser that was
 * left open must not be enough.
 */
function choosePasswordForm(c: PageContext, hash: string | null) {
  if (hash !== null) return "change"
  return c.var.passwords.isConfirmed() ? "set" : "none"
}

type PasswordPanelProps = Readonly<{
  form: ReturnType<typeof choosePasswordForm>
  name: string
  problems: Problems | null
}>

const PasswordPanel = ({ form, name, problems }: PasswordPanelProps) => {
  const submit = form === "change" ? t("Change password") : t("Set a password")
  return (
    <Panel id="password-title" title={submit}>
      {form === "none" ? (
        <>
          <p>
            {t(
              "Your account has no password. To set one, sign in again from your marketplace and come back here within five minutes.",
            )}
          </p>
          <SiteSignIn next={securityPath()} />
        </>
      ) : (
        <>
          <p class="hint">
            {form === "set"
              ? t("With a password you can also sign in here directly.")
              : t("Changing it signs out all other sessions.")}
          </p>
          <PostForm action={`${securityPath()}/password`}>
            <UsernameField name={name} />
            {form === "change" && (
              <Field
                name="current"
                label={t("Current password")}
                type="password"
                autocomplete="current-password"
                error={problems?.current}
                isRequired
              />
            )}
            <NewPasswordFields problems={problems} />
            <button type="submit">{submit}</button>
          </PostForm>
        </>
      )}
    </Panel>
  )
}

async function savePassword(c: PageContext, services: PeoplePageServices): Promise<Response> {
  const { person, form } = c.var
  const visit = readVisit(c)
  let knownHash = await services.passwords.find(person.id)
  if (choosePasswordForm(c, knownHash) === "none") return show(c, services, null)
  const problems = findNewPasswordProblems(c, namesOf(person))
  try {
    if (knownHash !== null)
      knownHash = await confirmPassword(services, person, visit.ipRange, form.raw("current"))
  } catch (error) {
    const current = describeSignInRejection(error, t("Wrong password."))
    return show(c, services, { current, ...problems })
  }
  if (problems !== null) return show(c, services, problems)
  const change = { knownHash, password: form.raw("password") }
  const signedIn = await changePassword(services, person, change, visit)
  // A concurrent change has ended all sessions.
  if (signedIn === null) return c.redirect(loginPath, 303)
  await record(c, services, "password")
  c.var.cookies.write("session", signedIn.token)
  return c.redirect(`${securityPath()}?done=password`, 303)
}

function record(
  { var: { person, actor, account } }: PageContext,
  services: PeoplePageServices,
  action: "password" | "second_factor_on" | "second_factor_off",
): Promise<void> {
  return recordPersonEvent({ ...services, actor }, person, action, account)
}

type TwoFactorPanelProps = Readonly<{ codesLeft: number | null; problem: string | undefined }>

const TwoFactorPanel = ({ codesLeft, problem }: TwoFactorPanelProps) => (
  <Panel id="factor-title" title={t("Two-factor authentication (2FA)")}>
    {codesLeft === null ? (
      <>
        <p>
          <Pill tone="warning">{t("Disabled")}</Pill>{" "}
          {t("With 2FA, a stolen password is not enough to sign in.")}
        </p>
        <p class="actions">
          <QuietLink href={setUpPath()}>{t("Set up 2FA")}</QuietLink>
        </p>
      </>
    ) : (
      <>
        <p>
          <Pill tone="good">{t("Enabled")}</Pill>{" "}
          {t("{n recovery code|recovery codes} left.", { n: codesLeft })}
        </p>
        <p class="hint">
          {t("To use another phone, disable 2FA with a code and set it up again.")}
        </p>
        <PostForm action={`${setUpPath()}/off`}>
          <CodeField error={problem} />
          <QuietButton>{t("Disable 2FA")}</QuietButton>
        </PostForm>
      </>
    )}
  </Panel>
)

function addTwoFactorRoutes(app: PageApp, services: PeoplePageServices, route: string): void {
  app.get(route, async (c) => {
    if (await hasTwoFactor(c, services)) return c.redirect(securityPath(), 303)
    return c.var.passwords.isConfirmed()
      ? showSetup(c, services, services.twoFactorCipher.createSecret())
      : c.redirect(`${setUpPath()}/confirm`, 303)
  })
  app.post(route, (c) => enableTwoFactor(c, services))
  // The password is required first: whoever sees the secret can create codes until it is replaced.
  app.get(`${route}/confirm`, async (c) =>
    c.var.passwords.isConfirmed()
      ? c.redirect(setUpPath(), 303)
      : confirmSetup(c, { isRequired: true, problem: null }),
  )
  app.post(`${route}/confirm`, async (c) => {
    const password = await c.var.passwords.check()
    return password === null ? c.redirect(setUpPath(), 303) : confirmSetup(c, password)
  })
  app.post(`${route}/off`, async (c) => {
    const { person, form } = c.var
    try {
      await requireTwoFactorCode(services, person, readVisit(c).ipRange, form.text("code"))
    } catch (error) {
      return show(c, services, { code: describeSignInRejection(error, t(wrongCode)) })
    }
    await services.twoFactor.remove(person.id)
    await record(c, services, "second_factor_off")
    return c.redirect(`${securityPath()}?done=second_factor_off`, 303)
  })
}

const hasTwoFactor = async (c: PageContext, { twoFactor }: PeoplePageServices) =>
  (await twoFactor.find(c.var.person.id)) !== null

async function confirmSetup(c: PageContext, password: PasswordPrompt): Promise<Response> {
  const title = t("Set up 2FA")
  const page = (await c.var.passwords.hasPassword()) ? (
    <ConfirmPage {...{ title, password, submit: t("Continue"), back: securityPath() }}>
      <p>{t("Enter your password to see the secret.")}</p>
    </ConfirmPage>
  ) : (
    <Page title={title} problem={password.problem}>
      <NoPassword />
    </Page>
  )
  return c.html(page, password.problem === null ? 200 : 422)
}

/** The form contains the secret, so that a wrong code does not require another scan. */
async function showSetup(
  c: PageContext,
  { twoFactorPolicy }: PeoplePageServices,
  secret: string,
  problem: Pick<Problems, "code" | "current"> = {},
): Promise<Response> {
  const uri = totpUri(currentView().site.name, c.var.person.name, secret)
  const isForOperators = securityPath() === paths.security
  const page = (
    <Page title={t("Set up 2FA")} problem={problem.code ?? problem.current}>
      {isForOperators && (await twoFactorPolicy.isRequired()) && (
        <p class="notice warning">
          {t(
            "This console requires 2FA for every operator. Set it up to continue, or sign in with a passkey.",
          )}
        </p>
      )}
      <section class="panel">
        <p>{t("Scan this QR code with your authenticator app.")}</p>
        <QrCode text={uri} label={t("QR code of the secret below")} />
        <p>{t("Or enter this secret in the app, as a time-based key:")}</p>
        <div class="secret">
          <code>{secret.replace(/(.{4})(?=.)/g, "$1 ")}</code>
          <CopyButton text={secret} />
        </div>
        <p>
          <a href={uri}>{t("Open it in an app on this device")}</a>
        </p>
        <PostForm action={setUpPath()}>
          <input type="hidden" name="secret" value={secret} />
          <CodeField hint={t("The six digits in the app.")} error={problem.code} />
          {(await c.var.passwords.hasPassword()) && <PasswordField error={problem.current} />}
          <button type="submit">{t("Enable 2FA")}</button>
        </PostForm>
      </section>
    </Page>
  )
  return c.html(page, Object.keys(problem).length === 0 ? 200 : 422)
}

async function enableTwoFactor(c: PageContext, services: PeoplePageServices): Promise<Response> {
  if (await hasTwoFactor(c, services)) return c.redirect(securityPath(), 303)
  const { person, session, form, passwords } = c.var
  const secret = form.text("secret")
  if (!isTotpSecret(secret)) return c.redirect(setUpPath(), 303)
  if (await passwords.hasPassword()) {
    try {
      await confirmPassword(services, person, readVisit(c).ipRange, form.raw("password"))
    } catch (error) {
      const current = describeSignInRejection(error, t("Wrong password."))
      return showSetup(c, services, secret, { current })
    }
  } else if (!passwords.isConfirmed()) return c.redirect(`${setUpPath()}/confirm`, 303)
  const proof = { secret, typed: form.text("code") }
  const codes = await setUpTwoFactor(services, person, session, proof)
  if (codes === null) return showSetup(c, services, secret, { code: t(wrongCode) })
  await record(c, services, "second_factor_on")
  return c.html(
    <Page title={t("Recovery codes")}>
      <p>
        {t(
          "Store these codes in a safe place. Each one works once instead of a code from the app. This page shows them for five minutes, or until you press the button, and never again.",
        )}
      </p>
      <section class="panel">
        <ul class="plain-list mono" data-recovery-codes>
          {codes.map((code) => (
            <li>{code}</li>
          ))}
        </ul>
        <p>
          <CopyButton text={codes.join("\n")} />
        </p>
      </section>
      <p>
        <ButtonLink href={`${securityPath()}?done=second_factor_on`}>
          {t("I have stored them")}
        </ButtonLink>
      </p>
    </Page>,
  )
}

const AlertPanel = ({ operator: { email, hasAlerts } }: { operator: ListedOperator }) => (
  <Panel id="alerts-title" title={t("Alerts by e-mail")}>
    <p>
      <Pill tone={hasAlerts ? "good" : "plain"}>{hasAlerts ? t("Enabled") : t("Disabled")}</Pill>{" "}
      {email === null ? (
        t("You have no e-mail address. An admin can add it under Operators.")
      ) : (
        <bdi>{email}</bdi>
      )}
    </p>
    <p class="hint">
      {t(
        "Stopped mass changes, failed imports, overdue database syncs, failed backups and disabled webhooks.",
      )}
    </p>
    <PostForm action={alertsPath}>
      <QuietButton name="alerts" value={hasAlerts ? "off" : "on"}>
        {hasAlerts ? t("Turn off") : t("Turn on")}
      </QuietButton>
    </PostForm>
  </Panel>
)

type SessionPanelProps = Readonly<{ sessions: readonly Session[]; currentId: string }>

const SessionPanel = ({ sessions, currentId }: SessionPanelProps) => (
  <Panel id="sessions-title" title={t("Sessions")}>
    <DataTable
      rows={sessions}
      columns={[
        {
          head: t("Browser"),
          isWide: true,
          value: ({ device }) => describeDevice(device) || t("Unknown browser"),
          cell: ({ id, device }) => (
            <>
              {describeDevice(device) || t("Unknown browser")}{" "}
              {id === currentId && <Pill tone="good">{t("This browser")}</Pill>}
            </>
          ),
        },
        { head: t("IP range"), kind: "code", value: ({ ipRange }) => ipRange },
        { head: t("Signed in"), kind: "time", priority: 2, value: ({ createdAt }) => createdAt },
        { head: t("Last seen"), kind: "time", value: ({ lastSeenAt }) => lastSeenAt },
      ]}
      menuOf={({ id }) =>
        id !== currentId && (
          <PostForm action={`${securityPath()}/sessions/${id}`}>
            <QuietButton>{t("Sign out # session")}</QuietButton>
          </PostForm>
        )
      }
    />
    <details>
      <summary>{t("Sign out everywhere")}</summary>
      <p>{t("Signs out all sessions, including this one.")}</p>
      <PostForm action={`${securityPath()}/sessions/all`}>
        <button type="submit" class="danger">
          {t("Sign out everywhere")}
        </button>
      </PostForm>
    </details>
  </Panel>
)

/** The quiet zone around the code, which cameras need. */
const quietModules = 4

/** Dark on white in both themes: some cameras cannot read the reverse. */
const QrCode = ({ text, label }: Readonly<{ text: string; label: string }>) => {
  const { data, size } = encode(text, { ecc: "M", border: quietModules })
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("")
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path} shape-rendering="crispEdges" />
    </svg>
  )
}
