/** The security page of an author or operator: password, two-factor authentication and sessions. */
import type { Child } from "hono/jsx"
import { encode } from "uqr"
import { describeDevice } from "../platform/http/device.ts"
import {
  ipRangeOfRequest,
  type PageApp,
  type PageContext,
  type View,
  visitOf,
} from "../platform/pages/context.ts"
import { DataTable } from "../platform/pages/data-table.tsx"
import { ButtonLink, CopyButton, Panel, Pill, QuietLink } from "../platform/pages/elements.tsx"
import { Field, PostForm, QuietButton } from "../platform/pages/form-fields.tsx"
import { SiteSignIn } from "../platform/pages/layout.tsx"
import type { PageServices } from "../workspace/services.ts"
import { addIdentityRoutes, renderIdentities } from "./identity-panel.tsx"
import { addPasskeyRoutes, type PasskeyArea, PasskeyPanel } from "./passkey-pages.tsx"
import { namesOf } from "./password.ts"
import {
  ConfirmActions,
  checkPassword,
  describeSignInRejection,
  findNewPasswordProblems,
  NewPasswordFields,
  type NewPasswordProblems,
  NoPassword,
  PasswordField,
  type PasswordPrompt,
  UsernameField,
} from "./password-pages.tsx"
import { recordPersonEvent } from "./person-email-operations.ts"
import { isConfirmed, isOpen, type Session } from "./session.ts"
import {
  changePassword,
  confirmPassword,
  requireTwoFactorCode,
  setUpTwoFactor,
} from "./sign-in-operations.ts"
import { isTotpSecret, totpUri } from "./two-factor.ts"

type SecurityArea = PasskeyArea &
  Readonly<{
    isTwoFactorRequired(): Promise<boolean>
    /** Shown above the sessions. */
    renderMore?(c: PageContext): Promise<Child>
  }>

const loginPath = "/login"

type Problems = NewPasswordProblems & Readonly<{ current?: string; code?: string }>

export function addSecurityRoutes(app: PageApp, services: PageServices, area: SecurityArea): void {
  const { passwords, passkeys, sessions, twoFactor, twoFactorCipher, now } = services
  const { route, Layout } = area
  const setUpRoute = `${route}/second-factor`
  const confirmRoute = `${setUpRoute}/confirm`
  const pathOf = (c: C) => area.pathOf(c.var.view)
  const setUpPathOf = (c: C) => `${pathOf(c)}/second-factor`
  const confirmPathOf = (c: C) => `${setUpPathOf(c)}/confirm`
  type C = PageContext
  const hasTwoFactor = async (c: C) => (await twoFactor.find(c.var.person.id)) !== null
  const hasPassword = async (c: C) => (await passwords.find(c.var.person.id)) !== null
  const record = (c: C, action: "password" | "second_factor_on" | "second_factor_off") =>
    recordPersonEvent({ ...services, actor: c.var.actor }, c.var.person, action, area.accountOf(c))
  const isRecent = (c: C) => isConfirmed(c.var.session, now())

  async function show(c: C, problems: Problems | null): Promise<Response> {
    const { person, session, view } = c.var
    const { settings, twoFactor: factorTexts } = view.texts
    const texts = settings.security
    const form = formFor(c, await passwords.find(person.id))
    const all = await sessions.list(person.id)
    const submit = form === "change" ? texts.password : texts.setPassword
    const page = (
      <Layout view={view} title={texts.title} problem={problems && Object.values(problems)[0]}>
        <Panel id="password-title" title={submit}>
          {form === "none" ? (
            <>
              <p>{texts.noPassword}</p>
              <SiteSignIn view={view} next={pathOf(c)} />
            </>
          ) : (
            <>
              <p class="hint">{form === "set" ? texts.setHint : texts.ends}</p>
              <PostForm view={view} action={`${pathOf(c)}/password`}>
                <UsernameField name={person.name} />
                {form === "change" && (
                  <Field
                    name="current"
                    label={texts.current}
                    type="password"
                    autocomplete="current-password"
                    error={problems?.current}
                    isRequired
                  />
                )}
                <NewPasswordFields view={view} problems={problems} />
                <button type="submit">{submit}</button>
              </PostForm>
            </>
          )}
        </Panel>
        <Panel id="factor-title" title={factorTexts.title}>
          {(await hasTwoFactor(c)) ? (
            <>
              <p>
                <Pill tone="good">{factorTexts.enabled}</Pill>{" "}
                {factorTexts.codesLeft(await twoFactor.countRecoveryCodes(person.id))}
              </p>
              <p class="hint">{factorTexts.disableHint}</p>
              <PostForm view={view} action={`${setUpPathOf(c)}/off`}>
                <CodeField view={view} error={problems?.code} isRequired />
                <QuietButton>{factorTexts.disable}</QuietButton>
              </PostForm>
            </>
          ) : (
            <>
              <p>
                <Pill tone="warning">{factorTexts.disabled}</Pill> {factorTexts.disabledHint}
              </p>
              <p class="actions">
                <QuietLink href={setUpPathOf(c)}>{factorTexts.setUp}</QuietLink>
              </p>
            </>
          )}
        </Panel>
        {await renderIdentities(c, services, area)}
        <PasskeyPanel view={view} path={pathOf(c)} passkeys={await passkeys.list(person.id)} />
        {await area.renderMore?.(c)}
        <SessionTable
          view={view}
          path={`${pathOf(c)}/sessions`}
          sessions={all.filter((each) => isOpen(each, now()))}
          currentId={session.id}
        />
      </Layout>
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
    const { person, form, view } = c.var
    let knownHash = await passwords.find(person.id)
    if (formFor(c, knownHash) === "none") return show(c, null)
    const problems = findNewPasswordProblems(c, namesOf(person))
    try {
      if (knownHash !== null) {
        const current = form.raw("current")
        knownHash = await confirmPassword(services, person, ipRangeOfRequest(c), current)
      }
    } catch (error) {
      const { texts } = view
      const current = describeSignInRejection(texts, error, texts.signIn.passwordProblems.wrong)
      return show(c, { current, ...problems })
    }
    if (problems !== null) return show(c, problems)
    const change = { knownHash, password: form.raw("password") }
    const signedIn = await changePassword(services, person, change, visitOf(c))
    // A concurrent change has ended all sessions.
    if (signedIn === null) return c.redirect(loginPath, 303)
    await record(c, "password")
    c.var.cookies.writeSession(c, signedIn.token)
    return c.redirect(`${pathOf(c)}?done=password`, 303)
  })

  app.post(`${route}/sessions/:id`, async (c) => {
    const id = c.req.param("id")
    await sessions.end(c.var.person.id, id)
    if (id !== "all") return c.redirect(pathOf(c), 303)
    c.var.cookies.clearSession(c)
    return c.redirect(`${loginPath}?done=signed_out`, 303)
  })

  /** The form contains the secret, so that a wrong code does not require another scan. */
  async function showSetup(c: C, secret: string, problem: Pick<Problems, "code" | "current"> = {}) {
    const { view } = c.var
    const texts = view.texts.twoFactor
    const uri = totpUri(view.site.name, c.var.person.name, secret)
    const page = (
      <Layout view={view} title={texts.setUp} problem={problem.code ?? problem.current}>
        {(await area.isTwoFactorRequired()) && <p class="notice warning">{texts.required}</p>}
        <section class="panel">
          <p>{texts.scan}</p>
          <QrCode text={uri} label={texts.qrCode} />
          <p>{texts.addSecret}</p>
          <div class="secret">
            <code>{secret.replace(/(.{4})(?=.)/g, "$1 ")}</code>
            <CopyButton view={view} text={secret} />
          </div>
          <p>
            <a href={uri}>{texts.openApp}</a>
          </p>
          <PostForm view={view} action={setUpPathOf(c)}>
            <input type="hidden" name="secret" value={secret} />
            <CodeField view={view} hint={texts.codeHint} error={problem.code} isRequired />
            {(await hasPassword(c)) && <PasswordField view={view} error={problem.current} />}
            <button type="submit">{texts.enable}</button>
          </PostForm>
        </section>
      </Layout>
    )
    return c.html(page, Object.keys(problem).length === 0 ? 200 : 422)
  }

  async function showConfirm(c: C, password: PasswordPrompt) {
    const { view } = c.var
    const { setUp, passwordFirst } = view.texts.twoFactor
    const { submit } = view.texts.signIn.link
    const { problem } = password
    const page = (
      <Layout view={view} title={setUp} problem={problem}>
        {(await hasPassword(c)) ? (
          <PostForm view={view} action={confirmPathOf(c)}>
            <p>{passwordFirst}</p>
            <ConfirmActions {...{ view, password, submit, back: pathOf(c) }} isFocused />
          </PostForm>
        ) : (
          <NoPassword view={view} />
        )}
      </Layout>
    )
    return c.html(page, problem === null ? 200 : 422)
  }

  app.get(setUpRoute, async (c) => {
    if (await hasTwoFactor(c)) return c.redirect(pathOf(c), 303)
    return isRecent(c)
      ? showSetup(c, twoFactorCipher.createSecret())
      : c.redirect(confirmPathOf(c), 303)
  })

  // The password is required first: whoever sees the secret can create codes until it is replaced.
  app.get(confirmRoute, async (c) =>
    isRecent(c)
      ? c.redirect(setUpPathOf(c), 303)
      : showConfirm(c, { isRequired: true, problem: null }),
  )

  app.post(confirmRoute, async (c) => {
    const password = await checkPassword(c, services)
    return password === null ? c.redirect(setUpPathOf(c), 303) : showConfirm(c, password)
  })

  app.post(setUpRoute, async (c) => {
    if (await hasTwoFactor(c)) return c.redirect(pathOf(c), 303)
    const { person, session, form, view } = c.var
    const { texts } = view
    const secret = form.text("secret")
    if (!isTotpSecret(secret)) return c.redirect(setUpPathOf(c), 303)
    if (await hasPassword(c)) {
      try {
        await confirmPassword(services, person, ipRangeOfRequest(c), form.raw("password"))
      } catch (error) {
        const text = describeSignInRejection(texts, error, texts.signIn.passwordProblems.wrong)
        return showSetup(c, secret, { current: text })
      }
    } else if (!isRecent(c)) return c.redirect(confirmPathOf(c), 303)
    const codes = await setUpTwoFactor(services, person, session, secret, form.text("code"))
    if (codes === null) return showSetup(c, secret, { code: texts.twoFactor.wrong })
    await record(c, "second_factor_on")
    return c.html(
      <Layout view={view} title={texts.twoFactor.codesTitle}>
        <p>{texts.twoFactor.codesText}</p>
        <section class="panel">
          <ul class="plain-list mono" data-recovery-codes>
            {codes.map((code) => (
              <li>{code}</li>
            ))}
          </ul>
          <p>
            <CopyButton view={view} text={codes.join("\n")} />
          </p>
        </section>
        <p>
          <ButtonLink href={`${pathOf(c)}?done=second_factor_on`}>
            {texts.twoFactor.codesKept}
          </ButtonLink>
        </p>
      </Layout>,
    )
  })

  app.post(`${setUpRoute}/off`, async (c) => {
    const { person, form, view } = c.var
    const { texts } = view
    try {
      await requireTwoFactorCode(services, person, ipRangeOfRequest(c), form.text("code"))
    } catch (error) {
      const text = describeSignInRejection(texts, error, texts.twoFactor.wrong)
      return show(c, { code: text })
    }
    await twoFactor.remove(person.id)
    await record(c, "second_factor_off")
    return c.redirect(`${pathOf(c)}?done=second_factor_off`, 303)
  })
}

type SessionProps = Readonly<{
  view: View
  path: string
  sessions: readonly Session[]
  currentId: string
}>

const SessionTable = ({ view, path, sessions, currentId }: SessionProps) => {
  const { columns } = view.texts
  const texts = view.texts.settings.security
  return (
    <Panel id="sessions-title" title={texts.sessions}>
      <DataTable
        view={view}
        rows={sessions}
        columns={[
          {
            head: texts.browser,
            isWide: true,
            value: ({ device }) => describeDevice(device) || texts.unknownDevice,
            cell: ({ id, device }) => (
              <>
                {describeDevice(device) || texts.unknownDevice}{" "}
                {id === currentId && <Pill tone="good">{texts.thisOne}</Pill>}
              </>
            ),
          },
          { head: columns.ipRange, kind: "code", value: ({ ipRange }) => ipRange },
          { head: texts.since, kind: "time", priority: 2, value: ({ createdAt }) => createdAt },
          { head: columns.lastSeen, kind: "time", value: ({ lastSeenAt }) => lastSeenAt },
        ]}
        menuOf={({ id }) =>
          id !== currentId && (
            <PostForm view={view} action={`${path}/${id}`}>
              <QuietButton>{texts.signOut}</QuietButton>
            </PostForm>
          )
        }
      />
      <details>
        <summary>{texts.signOutAll}</summary>
        <p>{texts.signOutAllHint}</p>
        <PostForm view={view} action={`${path}/all`}>
          <button type="submit" class="danger">
            {texts.signOutAll}
          </button>
        </PostForm>
      </details>
    </Panel>
  )
}

type CodeFieldProps = Readonly<{
  view: View
  hint?: string
  error?: string | null | undefined
  isRequired?: boolean
  isFocused?: boolean
}>

export const CodeField = ({ view, ...field }: CodeFieldProps) => (
  <Field name="code" label={view.texts.twoFactor.code} autocomplete="one-time-code" {...field} />
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
