/** The second factor of the visitor, an author or an operator: setting it up, its recovery codes, and turning it off. */

import type { Hono } from "hono"
import { encode } from "uqr"
import { isTotpSecret, totpUri } from "../../../domain/sign-in/second-factor.ts"
import { confirmPassword } from "../../../operations/sign-in/passwords.ts"
import { requireCode, setUpSecondFactor } from "../../../operations/sign-in/second-factor.ts"
import { explainRefusal, type PasswordAsk, passwordAskOf, refusePassword } from "../ask-password.ts"
import { networkOfVisit, type PageContext, type PageEnv, type Place } from "../page-context.ts"
import type { PageServices } from "../page-services.ts"
import { Panel, QuietLink } from "../parts/blocks.tsx"
import { CopyButton } from "../parts/copy.tsx"
import { Field, PostForm, QuietButton } from "../parts/fields.tsx"
import { SiteSignIn } from "../parts/layout.tsx"
import { ChangeEnd, PasswordField } from "../parts/passwords.tsx"
import { Pill } from "../parts/values.tsx"
import type { FactorPaths } from "../paths.ts"
import type { View } from "../view.ts"

/** The workspace gives one, and the console another. */
type FactorPlace<Visitor, V extends View> = Place<Visitor, V> &
  Readonly<{
    paths: FactorPaths
    isRequired(): Promise<boolean>
    record(
      c: PageContext<Visitor>,
      action: "second_factor_on" | "second_factor_off",
    ): Promise<unknown>
    /** Shows the settings again, with the problem of a code. */
    showProblem(c: PageContext<Visitor>, problem: CodeProblem): Promise<Response>
  }>

export type CodeProblem = Readonly<{ field: "code"; text: string }>
type FactorProblem = Readonly<{ field: "password" | "code"; text: string }>

export function addFactorRoutes<Visitor, V extends View>(
  app: Hono<PageEnv<Visitor>>,
  services: PageServices,
  place: FactorPlace<Visitor, V>,
): void {
  const { secondFactors, passwords, site, secondFactorVault: vault, now } = services
  const { paths, viewOf, visitOf, Frame } = place
  type C = PageContext<Visitor>
  const hasFactor = async (c: C) => (await secondFactors.find(visitOf(c).person.id)) !== null
  /** An author who came by a link may have none. */
  const hasPassword = async (c: C) => (await passwords.find(visitOf(c).person.id)) !== null

  /** The form contains the secret, so that a wrong code does not ask for another scan. */
  async function showNew(c: C, secret: string, problem: FactorProblem | null) {
    const view = viewOf(c)
    const page = (
      <Frame view={view} title={view.words.secondFactor.setUp} problem={problem?.text}>
        <NewFactor
          view={view}
          action={paths.set}
          secret={secret}
          uri={totpUri(site.name, visitOf(c).person.name, secret)}
          isRequired={await place.isRequired()}
          hasPassword={await hasPassword(c)}
          problem={problem}
        />
      </Frame>
    )
    return c.html(page, problem === null ? 200 : 422)
  }

  async function showConfirm(c: C, password: PasswordAsk) {
    const view = viewOf(c)
    const { setUp, passwordFirst, goOn } = view.words.secondFactor
    const { problem } = password
    const page = (
      <Frame view={view} title={setUp} problem={problem}>
        {(await hasPassword(c)) ? (
          <PostForm view={view} action={paths.confirm}>
            <p>{passwordFirst}</p>
            <ChangeEnd
              view={view}
              password={password}
              submit={goOn}
              back={paths.security}
              isFocused
            />
          </PostForm>
        ) : (
          <>
            <p>{view.words.keys.confirm.noPassword}</p>
            <SiteSignIn view={view} />
          </>
        )}
      </Frame>
    )
    return c.html(page, problem === null ? 200 : 422)
  }

  app.get(paths.set, async (c) => {
    if (await hasFactor(c)) return c.redirect(paths.security, 303)
    const { isAsked } = passwordAskOf(visitOf(c).session, now())
    return isAsked ? c.redirect(paths.confirm, 303) : showNew(c, vault.createSecret(), null)
  })

  // A person who has seen the secret can make codes until it is replaced, so the password comes first.
  app.get(paths.confirm, async (c) => {
    const password = passwordAskOf(visitOf(c).session, now())
    return password.isAsked ? showConfirm(c, password) : c.redirect(paths.set, 303)
  })

  app.post(paths.confirm, async (c) => {
    const { person, session } = visitOf(c)
    const password = await refusePassword(c, services, person, session)
    return password === null ? c.redirect(paths.set, 303) : showConfirm(c, password)
  })

  app.post(paths.set, async (c) => {
    if (await hasFactor(c)) return c.redirect(paths.security, 303)
    const { person, session } = visitOf(c)
    const form = c.get("form")
    const { words } = viewOf(c)
    const secret = form.text("secret")
    if (!isTotpSecret(secret)) return c.redirect(paths.set, 303)
    if (await hasPassword(c)) {
      try {
        await confirmPassword(services, person, networkOfVisit(c), form.exact("password"))
      } catch (error) {
        const text = explainRefusal(words, error, words.passwordProblems.wrong)
        return showNew(c, secret, { field: "password", text })
      }
    } else if (passwordAskOf(session, now()).isAsked) return c.redirect(paths.confirm, 303)
    const codes = await setUpSecondFactor(services, person, session, secret, form.text("code"))
    if (codes === null) return showNew(c, secret, { field: "code", text: words.secondFactor.wrong })
    await place.record(c, "second_factor_on")
    const view = viewOf(c)
    return c.html(
      <Frame view={view} title={words.secondFactor.codesTitle}>
        <RecoveryCodes view={view} next={`${paths.security}?done=second_factor_on`} codes={codes} />
      </Frame>,
    )
  })

  app.post(paths.off, async (c) => {
    const { person } = visitOf(c)
    const { words } = viewOf(c)
    try {
      await requireCode(services, person, networkOfVisit(c), c.get("form").text("code"))
    } catch (error) {
      const text = explainRefusal(words, error, words.secondFactor.wrong)
      return place.showProblem(c, { field: "code", text })
    }
    await secondFactors.remove(person.id)
    await place.record(c, "second_factor_off")
    return c.redirect(`${paths.security}?done=second_factor_off`, 303)
  })
}

type PanelProps = Readonly<{
  view: View
  paths: FactorPaths
  /** How many are left; null without a second factor. */
  recoveryCodes: number | null
  problem: CodeProblem | null
}>

/** On the page with the settings: whether it is on, and the way to change that. */
export const FactorPanel = ({ view, paths, recoveryCodes, problem }: PanelProps) => {
  const words = view.words.secondFactor
  return (
    <Panel id="factor-title" title={words.title}>
      {recoveryCodes === null ? (
        <>
          <p>
            <Pill tone="warning">{words.off}</Pill> {words.offText}
          </p>
          <p class="actions">
            <QuietLink href={paths.set}>{words.setUp}</QuietLink>
          </p>
        </>
      ) : (
        <>
          <p>
            <Pill tone="good">{words.on}</Pill> {words.codesLeft(recoveryCodes)}
          </p>
          <p class="hint">{words.turnOffHint}</p>
          <PostForm view={view} action={paths.off}>
            <CodeField view={view} error={problem?.text} isRequired />
            <QuietButton>{words.turnOff}</QuietButton>
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
  <Field name="code" label={view.words.secondFactor.code} autocomplete="one-time-code" {...field} />
)

type NewFactorProps = Readonly<{
  view: View
  action: string
  secret: string
  /** The same for an app on this device. */
  uri: string
  isRequired: boolean
  hasPassword: boolean
  problem: FactorProblem | null
}>

const NewFactor = (props: NewFactorProps) => {
  const { view, action, secret, uri, isRequired, hasPassword, problem } = props
  const words = view.words.secondFactor
  const errorOf = (field: FactorProblem["field"]) =>
    problem?.field === field ? problem.text : null
  return (
    <>
      {isRequired && <p class="notice warning">{words.required}</p>}
      <section class="panel">
        <p>{words.scan}</p>
        <QrCode text={uri} label={words.qrCode} />
        <p>{words.addSecret}</p>
        <div class="secret">
          <code>{secret.replace(/(.{4})(?=.)/g, "$1 ")}</code>
          <CopyButton view={view} text={secret} />
        </div>
        <p>
          <a href={uri}>{words.openApp}</a>
        </p>
        <PostForm view={view} action={action}>
          <input type="hidden" name="secret" value={secret} />
          <CodeField view={view} hint={words.codeHint} error={errorOf("code")} isRequired />
          {hasPassword && <PasswordField view={view} error={errorOf("password")} />}
          <button type="submit">{words.turnOn}</button>
        </PostForm>
      </section>
    </>
  )
}

type CodesProps = Readonly<{ view: View; next: string; codes: readonly string[] }>

const RecoveryCodes = ({ view, next, codes }: CodesProps) => {
  const words = view.words.secondFactor
  return (
    <>
      <p>{words.codesText}</p>
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
        <a class="button" href={next}>
          {words.codesKept}
        </a>
      </p>
    </>
  )
}

/** Around the code: cameras need it to find the corners. */
const quietModules = 4

/** Dark on white in both themes: not every camera reads the reverse. */
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
