/** The security page of an author or operator: password, two-factor authentication and sessions. */
import type { Hono } from "hono"
import { encode } from "uqr"
import { isConfirmed, isOpen, type Session } from "../../../domain/sign-in/session.ts"
import { isTotpSecret, totpUri } from "../../../domain/sign-in/two-factor.ts"
import {
  changePassword,
  confirmPassword,
  type Owners,
  requireTwoFactorCode,
  setUpTwoFactor,
} from "../../../operations/sign-in/sign-in.ts"
import { DataTable } from "../components/data-table.tsx"
import { CopyButton, Panel, Pill, QuietLink } from "../components/elements.tsx"
import { Field, PostForm, QuietButton } from "../components/form-fields.tsx"
import { SiteSignIn } from "../components/layout.tsx"
import {
  ConfirmActions,
  describeSignInRejection,
  findNewPasswordProblems,
  NewPasswordFields,
  type NewPasswordProblems,
  NoPassword,
  PasswordField,
  type PasswordPrompt,
  passwordPromptOf,
  passwordsOf,
  UsernameField,
} from "../components/passwords.tsx"
import type { Cookies } from "../cookies.ts"
import {
  ipRangeOfRequest,
  type PageArea,
  type PageContext,
  type PageEnv,
  type View,
  visitOf,
} from "../page-context.ts"
import type { PageServices } from "../page-services.ts"

type SecurityRouteOptions<Visitor, V extends View, Owner extends { id: number }> = PageArea<
  Visitor,
  V
> &
  Readonly<{
    path: string
    loginPath: string
    cookies: Cookies
    owners: Pick<Owners<Owner>, "namesOf">
    ownerOf(c: PageContext<Visitor>): Owner
    isTwoFactorRequired(): Promise<boolean>
    record(
      c: PageContext<Visitor>,
      action: "password" | "second_factor_on" | "second_factor_off",
    ): Promise<unknown>
  }>

type Problems = NewPasswordProblems & Readonly<{ current?: string; code?: string }>

export function addSecurityRoutes<Visitor, V extends View, Owner extends { id: number }>(
  app: Hono<PageEnv<Visitor>>,
  services: PageServices,
  area: SecurityRouteOptions<Visitor, V, Owner>,
): void {
  const { passwords, sessions, twoFactor, now } = services
  const { path, loginPath, cookies, owners, ownerOf, Layout } = area
  type C = PageContext<Visitor>

  async function show(c: C, problems: Problems | null): Promise<Response> {
    const { person, session } = area.identityOf(c)
    const view = area.viewOf(c)
    const texts = view.texts.settings.security
    const form = formFor(c, await passwords.find(person.id))
    const all = await sessions.list(person.id)
    const hasFactor = (await twoFactor.find(person.id)) !== null
    const page = (
      <Layout view={view} title={texts.title} problem={problems && Object.values(problems)[0]}>
        <Panel id="password-title" title={form === "change" ? texts.password : texts.setPassword}>
          {form === "none" ? (
            <>
              <p>{texts.noPassword}</p>
              <SiteSignIn view={view} />
            </>
          ) : (
            <PasswordForm {...{ view, path, name: person.name, form, problems }} />
          )}
        </Panel>
        <TwoFactorPanel
          view={view}
          path={path}
          recoveryCodes={hasFactor ? await twoFactor.countRecoveryCodes(person.id) : null}
          problem={problems?.code}
        />
        <SessionTable
          view={view}
          path={`${path}/sessions`}
          sessions={all.filter((each) => isOpen(each, now()))}
          currentId={session.id}
        />
      </Layout>
    )
    return c.html(page, problems === null ? 200 : 422)
  }

  /**
   * An author without a password may set one only shortly after using a sign-in link: a browser that was
   * left open must not be enough.
   */
  function formFor(c: C, hash: string | null) {
    if (hash !== null) return "change"
    return isConfirmed(area.identityOf(c).session, now()) ? "set" : "none"
  }

  app.get(path, (c) => show(c, null))

  app.post(`${path}/password`, async (c) => {
    const { person } = area.identityOf(c)
    const owner = ownerOf(c)
    const form = c.get("form")
    let knownHash = await passwords.find(person.id)
    if (formFor(c, knownHash) === "none") return show(c, null)
    const problems = findNewPasswordProblems(c, owners.namesOf(owner))
    try {
      if (knownHash !== null) {
        const current = form.raw("current")
        knownHash = await confirmPassword(services, person, ipRangeOfRequest(c), current)
      }
    } catch (error) {
      const { texts } = area.viewOf(c)
      const current = describeSignInRejection(texts, error, texts.signIn.passwordProblems.wrong)
      return show(c, { current, ...problems })
    }
    if (problems !== null) return show(c, problems)
    const change = { knownHash, password: form.raw("password") }
    const signedIn = await changePassword(services, owners, owner, change, visitOf(c))
    // A concurrent change has ended all sessions.
    if (signedIn === null) return c.redirect(loginPath, 303)
    await area.record(c, "password")
    cookies.writeSession(c, signedIn.token)
    return c.redirect(`${path}?done=password`, 303)
  })

  app.post(`${path}/sessions/:id`, async (c) => {
    const id = c.req.param("id")
    await sessions.end(area.identityOf(c).person.id, id)
    if (id !== "all") return c.redirect(path, 303)
    cookies.clearSession(c)
    return c.redirect(`${loginPath}?done=signed_out`, 303)
  })

  addTwoFactorRoutes(app, services, {
    ...area,
    isRequired: area.isTwoFactorRequired,
    showProblem: (c, code) => show(c, { code }),
  })
}

type PasswordFormProps = Readonly<{
  view: View
  path: string
  name: string
  form: "change" | "set"
  problems: Problems | null
}>

const PasswordForm = ({ view, path, name, form, problems }: PasswordFormProps) => {
  const texts = view.texts.settings.security
  return (
    <>
      <p class="hint">{form === "set" ? texts.setHint : texts.ends}</p>
      <PostForm view={view} action={`${path}/password`}>
        <UsernameField name={name} />
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
        <button type="submit">{form === "change" ? texts.password : texts.setPassword}</button>
      </PostForm>
    </>
  )
}

type SessionTableProps = Readonly<{
  view: View
  /** Forms are sent to this path plus the id of a session or `all`. */
  path: string
  sessions: readonly Session[]
  currentId: string
}>

const SessionTable = ({ view, path, sessions, currentId }: SessionTableProps) => {
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

/** User agents also name other browsers: the first match in this order is the browser. */
const browsers = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
  ["curl/", "curl"],
] as const

const systems = [
  ["Android", "Android"],
  ["iPhone", "iOS"],
  ["iPad", "iPadOS"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"],
] as const

/** As in "Firefox · Linux"; empty if neither is recognized. */
function describeDevice(userAgent: string): string {
  const find = (names: readonly (readonly [token: string, name: string])[]) =>
    names.find(([token]) => userAgent.includes(token))?.[1]
  return [find(browsers), find(systems)].filter((name) => name !== undefined).join(" · ")
}

type TwoFactorRouteOptions<Visitor, V extends View> = PageArea<Visitor, V> &
  Readonly<{
    /** Of the security page. */
    path: string
    isRequired(): Promise<boolean>
    record(
      c: PageContext<Visitor>,
      action: "second_factor_on" | "second_factor_off",
    ): Promise<unknown>
    showProblem(c: PageContext<Visitor>, text: string): Promise<Response>
  }>

type TwoFactorProblem = Readonly<{ field: "password" | "code"; text: string }>

export function addTwoFactorRoutes<Visitor, V extends View>(
  app: Hono<PageEnv<Visitor>>,
  services: PageServices,
  area: TwoFactorRouteOptions<Visitor, V>,
): void {
  const { twoFactor, site, twoFactorCipher: cipher, now } = services
  const { path, viewOf, identityOf, Layout } = area
  const setPath = `${path}/second-factor`
  const confirmPath = `${setPath}/confirm`
  type C = PageContext<Visitor>
  const hasTwoFactor = async (c: C) => (await twoFactor.find(identityOf(c).person.id)) !== null
  const { hasPassword, confirm } = passwordsOf(services, identityOf)

  /** The form contains the secret, so that a wrong code does not require another scan. */
  async function showSetup(c: C, secret: string, problem: TwoFactorProblem | null) {
    const view = viewOf(c)
    const texts = view.texts.twoFactor
    const uri = totpUri(site.name, identityOf(c).person.name, secret)
    const errorOf = (field: TwoFactorProblem["field"]) =>
      problem?.field === field ? problem.text : null
    const page = (
      <Layout view={view} title={texts.setUp} problem={problem?.text}>
        {(await area.isRequired()) && <p class="notice warning">{texts.required}</p>}
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
          <PostForm view={view} action={setPath}>
            <input type="hidden" name="secret" value={secret} />
            <CodeField view={view} hint={texts.codeHint} error={errorOf("code")} isRequired />
            {(await hasPassword(c)) && <PasswordField view={view} error={errorOf("password")} />}
            <button type="submit">{texts.enable}</button>
          </PostForm>
        </section>
      </Layout>
    )
    return c.html(page, problem === null ? 200 : 422)
  }

  async function showConfirm(c: C, password: PasswordPrompt) {
    const view = viewOf(c)
    const { setUp, passwordFirst } = view.texts.twoFactor
    const { problem } = password
    const page = (
      <Layout view={view} title={setUp} problem={problem}>
        {(await hasPassword(c)) ? (
          <PostForm view={view} action={confirmPath}>
            <p>{passwordFirst}</p>
            <ConfirmActions
              view={view}
              password={password}
              submit={view.texts.signIn.link.submit}
              back={path}
              isFocused
            />
          </PostForm>
        ) : (
          <NoPassword view={view} />
        )}
      </Layout>
    )
    return c.html(page, problem === null ? 200 : 422)
  }

  app.get(setPath, async (c) => {
    if (await hasTwoFactor(c)) return c.redirect(path, 303)
    const { isRequired } = passwordPromptOf(identityOf(c).session, now())
    return isRequired ? c.redirect(confirmPath, 303) : showSetup(c, cipher.createSecret(), null)
  })

  // The password is required first: whoever sees the secret can create codes until it is replaced.
  app.get(confirmPath, async (c) => {
    const password = passwordPromptOf(identityOf(c).session, now())
    return password.isRequired ? showConfirm(c, password) : c.redirect(setPath, 303)
  })

  app.post(confirmPath, async (c) => {
    const password = await confirm(c)
    return password === null ? c.redirect(setPath, 303) : showConfirm(c, password)
  })

  app.post(setPath, async (c) => {
    if (await hasTwoFactor(c)) return c.redirect(path, 303)
    const { person, session } = identityOf(c)
    const form = c.get("form")
    const { texts } = viewOf(c)
    const secret = form.text("secret")
    if (!isTotpSecret(secret)) return c.redirect(setPath, 303)
    if (await hasPassword(c)) {
      try {
        await confirmPassword(services, person, ipRangeOfRequest(c), form.raw("password"))
      } catch (error) {
        const text = describeSignInRejection(texts, error, texts.signIn.passwordProblems.wrong)
        return showSetup(c, secret, { field: "password", text })
      }
    } else if (passwordPromptOf(session, now()).isRequired) return c.redirect(confirmPath, 303)
    const codes = await setUpTwoFactor(services, person, session, secret, form.text("code"))
    if (codes === null) return showSetup(c, secret, { field: "code", text: texts.twoFactor.wrong })
    await area.record(c, "second_factor_on")
    const view = viewOf(c)
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
          <a class="button" href={`${path}?done=second_factor_on`}>
            {texts.twoFactor.codesKept}
          </a>
        </p>
      </Layout>,
    )
  })

  app.post(`${setPath}/off`, async (c) => {
    const { person } = identityOf(c)
    const { texts } = viewOf(c)
    try {
      await requireTwoFactorCode(services, person, ipRangeOfRequest(c), c.get("form").text("code"))
    } catch (error) {
      const text = describeSignInRejection(texts, error, texts.twoFactor.wrong)
      return area.showProblem(c, text)
    }
    await twoFactor.remove(person.id)
    await area.record(c, "second_factor_off")
    return c.redirect(`${path}?done=second_factor_off`, 303)
  })
}

type PanelProps = Readonly<{
  view: View
  /** Of the security page. */
  path: string
  /** Number of unused codes; null if two-factor authentication is disabled. */
  recoveryCodes: number | null
  problem: string | undefined
}>

export const TwoFactorPanel = ({ view, path, recoveryCodes, problem }: PanelProps) => {
  const texts = view.texts.twoFactor
  return (
    <Panel id="factor-title" title={texts.title}>
      {recoveryCodes === null ? (
        <>
          <p>
            <Pill tone="warning">{texts.disabled}</Pill> {texts.disabledHint}
          </p>
          <p class="actions">
            <QuietLink href={`${path}/second-factor`}>{texts.setUp}</QuietLink>
          </p>
        </>
      ) : (
        <>
          <p>
            <Pill tone="good">{texts.enabled}</Pill> {texts.codesLeft(recoveryCodes)}
          </p>
          <p class="hint">{texts.disableHint}</p>
          <PostForm view={view} action={`${path}/second-factor/off`}>
            <CodeField view={view} error={problem} isRequired />
            <QuietButton>{texts.disable}</QuietButton>
          </PostForm>
        </>
      )}
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
