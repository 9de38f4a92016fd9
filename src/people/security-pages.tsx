/** The security page of an author or operator: password, two-factor authentication and sessions. */

import type { Child } from "hono/jsx"
import { encode } from "uqr"
import { describeDevice } from "../platform/http/request-head.ts"

import { ConfirmActions, PasswordField } from "../platform/pages/confirm.tsx"
import {
  currentView,
  type PageApp,
  type PageContext,
  type PasswordPrompt,
} from "../platform/pages/context.ts"
import { DataTable } from "../platform/pages/data-table.tsx"
import { ButtonLink, CopyButton, Panel, Pill, QuietLink } from "../platform/pages/elements.tsx"
import { Field, PostForm, QuietButton } from "../platform/pages/form-fields.tsx"
import { Page } from "../platform/pages/page.tsx"
import { t } from "../platform/t.ts"
import { addIdentityRoutes, renderIdentities } from "./identity-panel.tsx"
import { addPasskeyRoutes, type PasskeyArea, PasskeyPanel } from "./passkey-pages.tsx"
import { namesOf } from "./password.ts"
import {
  describeSignInRejection,
  findNewPasswordProblems,
  NewPasswordFields,
  type NewPasswordProblems,
  NoPassword,
  SiteSignIn,
  UsernameField,
} from "./password-pages.tsx"
import { recordPersonEvent } from "./person-email-operations.ts"
import {
  changePassword,
  confirmPassword,
  requireTwoFactorCode,
  setUpTwoFactor,
} from "./security-operations.ts"
import { isConfirmed, isOpen, type Session } from "./session.ts"
import { ipRangeOfRequest, type PeoplePageServices, visitOf } from "./session-pages.ts"
import { isTotpSecret, totpUri } from "./two-factor.ts"

type SecurityArea = PasskeyArea &
  Readonly<{
    isTwoFactorRequired(): Promise<boolean>
    /** Shown above the sessions. */
    renderMore?(c: PageContext): Promise<Child>
  }>

const loginPath = "/login"

type Problems = NewPasswordProblems & Readonly<{ current?: string; code?: string }>

export function addSecurityRoutes(
  app: PageApp,
  services: PeoplePageServices,
  area: SecurityArea,
): void {
  const { passwords, passkeys, sessions, twoFactor, twoFactorCipher, now } = services
  const { route, pathOf } = area
  const setUpRoute = `${route}/second-factor`
  const confirmRoute = `${setUpRoute}/confirm`
  const setUpPathOf = () => `${pathOf()}/second-factor`
  const confirmPathOf = () => `${setUpPathOf()}/confirm`
  type C = PageContext
  const hasTwoFactor = async (c: C) => (await twoFactor.find(c.var.person.id)) !== null
  const hasPassword = async (c: C) => (await passwords.find(c.var.person.id)) !== null
  const record = (c: C, action: "password" | "second_factor_on" | "second_factor_off") =>
    recordPersonEvent({ ...services, actor: c.var.actor }, c.var.person, action, area.accountOf(c))
  const isRecent = (c: C) => isConfirmed(c.var.session, now())

  async function show(c: C, problems: Problems | null): Promise<Response> {
    const { person, session } = c.var
    const form = formFor(c, await passwords.find(person.id))
    const all = await sessions.list(person.id)
    const submit = form === "change" ? t("Change password") : t("Set a password")
    const page = (
      <Page title={t("Security")} problem={problems && Object.values(problems)[0]}>
        <Panel id="password-title" title={submit}>
          {form === "none" ? (
            <>
              <p>
                {t(
                  "Your account has no password. To set one, sign in again from your marketplace and come back here within five minutes.",
                )}
              </p>
              <SiteSignIn next={pathOf()} />
            </>
          ) : (
            <>
              <p class="hint">
                {form === "set"
                  ? t("With a password you can also sign in here directly.")
                  : t("Changing it signs out all other sessions.")}
              </p>
              <PostForm action={`${pathOf()}/password`}>
                <UsernameField name={person.name} />
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
        <Panel id="factor-title" title={t("Two-factor authentication (2FA)")}>
          {(await hasTwoFactor(c)) ? (
            <>
              <p>
                <Pill tone="good">{t("Enabled")}</Pill>{" "}
                {t("{n recovery code|recovery codes} left.", {
                  n: await twoFactor.countRecoveryCodes(person.id),
                })}
              </p>
              <p class="hint">
                {t("To use another phone, disable 2FA with a code and set it up again.")}
              </p>
              <PostForm action={`${setUpPathOf()}/off`}>
                <CodeField error={problems?.code} isRequired />
                <QuietButton>{t("Disable 2FA")}</QuietButton>
              </PostForm>
            </>
          ) : (
            <>
              <p>
                <Pill tone="warning">{t("Disabled")}</Pill>{" "}
                {t("With 2FA, a stolen password is not enough to sign in.")}
              </p>
              <p class="actions">
                <QuietLink href={setUpPathOf()}>{t("Set up 2FA")}</QuietLink>
              </p>
            </>
          )}
        </Panel>
        {await renderIdentities(c, services, area)}
        <PasskeyPanel path={pathOf()} passkeys={await passkeys.list(person.id)} />
        {await area.renderMore?.(c)}
        <SessionTable
          path={`${pathOf()}/sessions`}
          sessions={all.filter((each) => isOpen(each, now()))}
          currentId={session.id}
        />
      </Page>
    )
    return c.html(page, problems === null ? 200 : 422)
  }

  /**
   * Somebody without a password may set one only shortly after using a sign-in link: a browser that was
   * left open must not be enough.
   */
  function formFor(c: C, hash: string | null) {
    if (hash !== null) return "change"
    return isRecent(c) ? "set" : "none"
  }

  app.get(route, (c) => show(c, null))
  addIdentityRoutes(app, services, area)
  addPasskeyRoutes(app, services, area)

  app.post(`${route}/password`, async (c) => {
    const { person, form } = c.var
    let knownHash = await passwords.find(person.id)
    if (formFor(c, knownHash) === "none") return show(c, null)
    const problems = findNewPasswordProblems(c, namesOf(person))
    try {
      if (knownHash !== null) {
        const current = form.raw("current")
        knownHash = await confirmPassword(services, person, ipRangeOfRequest(c), current)
      }
    } catch (error) {
      const current = describeSignInRejection(error, t("Wrong password."))
      return show(c, { current, ...problems })
    }
    if (problems !== null) return show(c, problems)
    const change = { knownHash, password: form.raw("password") }
    const signedIn = await changePassword(services, person, change, visitOf(c))
    // A concurrent change has ended all sessions.
    if (signedIn === null) return c.redirect(loginPath, 303)
    await record(c, "password")
    c.var.cookies.writeSession(c, signedIn.token)
    return c.redirect(`${pathOf()}?done=password`, 303)
  })

  app.post(`${route}/sessions/:id`, async (c) => {
    const id = c.req.param("id")
    await sessions.end(c.var.person.id, id)
    if (id !== "all") return c.redirect(pathOf(), 303)
    c.var.cookies.clearSession(c)
    return c.redirect(`${loginPath}?done=signed_out`, 303)
  })

  /** The form contains the secret, so that a wrong code does not require another scan. */
  async function showSetup(c: C, secret: string, problem: Pick<Problems, "code" | "current"> = {}) {
    const uri = totpUri(currentView().site.name, c.var.person.name, secret)
    const page = (
      <Page title={t("Set up 2FA")} problem={problem.code ?? problem.current}>
        {(await area.isTwoFactorRequired()) && (
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
          <PostForm action={setUpPathOf()}>
            <input type="hidden" name="secret" value={secret} />
            <CodeField hint={t("The six digits in the app.")} error={problem.code} isRequired />
            {(await hasPassword(c)) && <PasswordField error={problem.current} />}
            <button type="submit">{t("Enable 2FA")}</button>
          </PostForm>
        </section>
      </Page>
    )
    return c.html(page, Object.keys(problem).length === 0 ? 200 : 422)
  }

  async function showConfirm(c: C, password: PasswordPrompt) {
    const { problem } = password
    const page = (
      <Page title={t("Set up 2FA")} problem={problem}>
        {(await hasPassword(c)) ? (
          <PostForm action={confirmPathOf()}>
            <p>{t("Enter your password to see the secret.")}</p>
            <ConfirmActions {...{ password, submit: t("Continue"), back: pathOf() }} isFocused />
          </PostForm>
        ) : (
          <NoPassword />
        )}
      </Page>
    )
    return c.html(page, problem === null ? 200 : 422)
  }

  app.get(setUpRoute, async (c) => {
    if (await hasTwoFactor(c)) return c.redirect(pathOf(), 303)
    return isRecent(c)
      ? showSetup(c, twoFactorCipher.createSecret())
      : c.redirect(confirmPathOf(), 303)
  })

  // The password is required first: whoever sees the secret can create codes until it is replaced.
  app.get(confirmRoute, async (c) =>
    isRecent(c)
      ? c.redirect(setUpPathOf(), 303)
      : showConfirm(c, { isRequired: true, problem: null }),
  )

  app.post(confirmRoute, async (c) => {
    const password = await c.var.passwords.check()
    return password === null ? c.redirect(setUpPathOf(), 303) : showConfirm(c, password)
  })

  app.post(setUpRoute, async (c) => {
    if (await hasTwoFactor(c)) return c.redirect(pathOf(), 303)
    const { person, session, form } = c.var
    const secret = form.text("secret")
    if (!isTotpSecret(secret)) return c.redirect(setUpPathOf(), 303)
    if (await hasPassword(c)) {
      try {
        await confirmPassword(services, person, ipRangeOfRequest(c), form.raw("password"))
      } catch (error) {
        const text = describeSignInRejection(error, t("Wrong password."))
        return showSetup(c, secret, { current: text })
      }
    } else if (!isRecent(c)) return c.redirect(confirmPathOf(), 303)
    const codes = await setUpTwoFactor(services, person, session, {
      secret,
      typed: form.text("code"),
    })
    if (codes === null)
      return showSetup(c, secret, {
        code: t("This code is wrong or was already used. Wait for the next one."),
      })
    await record(c, "second_factor_on")
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
          <ButtonLink href={`${pathOf()}?done=second_factor_on`}>
            {t("I have stored them")}
          </ButtonLink>
        </p>
      </Page>,
    )
  })

  app.post(`${setUpRoute}/off`, async (c) => {
    const { person, form } = c.var
    try {
      await requireTwoFactorCode(services, person, ipRangeOfRequest(c), form.text("code"))
    } catch (error) {
      const text = describeSignInRejection(
        error,
        t("This code is wrong or was already used. Wait for the next one."),
      )
      return show(c, { code: text })
    }
    await twoFactor.remove(person.id)
    await record(c, "second_factor_off")
    return c.redirect(`${pathOf()}?done=second_factor_off`, 303)
  })
}

type SessionProps = Readonly<{
  path: string
  sessions: readonly Session[]
  currentId: string
}>

const SessionTable = ({ path, sessions, currentId }: SessionProps) => (
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
          <PostForm action={`${path}/${id}`}>
            <QuietButton>{t("Sign out # session")}</QuietButton>
          </PostForm>
        )
      }
    />
    <details>
      <summary>{t("Sign out everywhere")}</summary>
      <p>{t("Signs out all sessions, including this one.")}</p>
      <PostForm action={`${path}/all`}>
        <button type="submit" class="danger">
          {t("Sign out everywhere")}
        </button>
      </PostForm>
    </details>
  </Panel>
)

type CodeFieldProps = Readonly<{
  hint?: string
  error?: string | null | undefined
  isRequired?: boolean
  isFocused?: boolean
}>

export const CodeField = ({ ...field }: CodeFieldProps) => (
  <Field name="code" label={t("2FA code")} autocomplete="one-time-code" {...field} />
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
