/** Two-factor authentication of an author or operator: set-up, recovery codes and disabling. */

import type { Hono } from "hono"
import { encode } from "uqr"
import { isTotpSecret, totpUri } from "../../../domain/sign-in/two-factor.ts"
import { confirmPassword } from "../../../operations/sign-in/password-operations.ts"
import {
  requireTwoFactorCode,
  setUpTwoFactor,
} from "../../../operations/sign-in/two-factor-operations.ts"
import { CopyButton } from "../components/copy-button.tsx"
import { Field, PostForm, QuietButton } from "../components/form-fields.tsx"
import { Pill } from "../components/formatted-values.tsx"
import { Panel, QuietLink } from "../components/panels-and-tables.tsx"
import { ConfirmActions, NoPassword, PasswordField } from "../components/password-fields.tsx"
import {
  describeSignInRejection,
  type PasswordPrompt,
  passwordPromptOf,
  passwordsOf,
} from "../confirm-password.ts"
import { ipRangeOfRequest, type PageArea, type PageContext, type PageEnv } from "../page-context.ts"
import type { PageServices } from "../page-services.ts"
import type { View } from "../view.ts"

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
