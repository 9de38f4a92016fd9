import { encode } from "uqr"
import { totpUri } from "../../domain/sign-in/second-factor.ts"
import type { NoteKind } from "../../domain/sign-in/session.ts"
import { secondsBefore } from "../../domain/values/time/timestamp.ts"
import { secretShownSeconds } from "../../operations/keys/show-key.ts"
import { recordOperatorEvent } from "../../operations/record-event.ts"
import { findNote, keepNote } from "../../operations/sign-in/keep-note.ts"
import { confirmPassword } from "../../operations/sign-in/passwords.ts"
import { passSecondFactor, setUpSecondFactor } from "../../operations/sign-in/second-factor.ts"
import { explainRefusal, type PasswordAsk } from "../pages/ask-password.ts"
import { networkOfVisit } from "../pages/page-context.ts"
import { Field, PostForm } from "../pages/parts/fields.tsx"
import { ShowPasswords } from "../pages/parts/passwords.tsx"
import { CopyButton } from "../pages/parts/secret-box.tsx"
import { ConfirmChangePage, passwordAskOf, refusePassword } from "./frame/confirm-change.tsx"
import {
  actorOf,
  type ConsoleApp,
  type ConsoleContext,
  type ConsoleView,
  viewAfter,
  viewOf,
  visitorOf,
} from "./frame/console-context.ts"
import { ConsolePage } from "./frame/console-layout.tsx"
import { paths } from "./frame/console-paths.ts"
import type { ConsoleServices } from "./frame/services.ts"
import { showSecurity } from "./security.tsx"

/** Setting the second factor up, the recovery codes of it, and turning it off. */
export function addSecondFactorRoutes(app: ConsoleApp, services: ConsoleServices): void {
  const { secondFactors, sessionNotes, site, secondFactorVault: vault, now } = services
  const noteOf = (c: ConsoleContext, kind: NoteKind) =>
    ({ sessionId: visitorOf(c).session.id, kind, id: "latest" }) as const

  const hasFactor = async (c: ConsoleContext) =>
    (await secondFactors.find(visitorOf(c).operator.id)) !== null

  /** The same secret until it is set up, so that a reload does not spoil what the app has scanned. */
  async function findSecret(c: ConsoleContext): Promise<string> {
    const kept = await findNote(services, noteOf(c, "new_factor"))
    if (kept !== null) return kept.text
    const secret = vault.createSecret()
    await keepNote(services, noteOf(c, "new_factor"), secret)
    return secret
  }

  async function showNew(c: ConsoleContext, problem: FactorProblem | null) {
    const secret = await findSecret(c)
    const uri = totpUri(site.name, visitorOf(c).operator.name, secret)
    const isRequired = await services.secondFactorRule.isRequired()
    const page = (
      <NewFactorPage
        view={viewAfter(c)}
        secret={secret}
        uri={uri}
        isRequired={isRequired}
        problem={problem}
      />
    )
    return c.html(page, problem === null ? 200 : 422)
  }

  const record = (c: ConsoleContext, action: "second_factor_on" | "second_factor_off") =>
    recordOperatorEvent({ ...services, actor: actorOf(c) }, visitorOf(c).operator.name, action)

  app.get(paths.secondFactor, async (c) => {
    if (await hasFactor(c)) return c.redirect(paths.security, 303)
    return passwordAskOf(c, services).isAsked
      ? c.redirect(paths.confirmFactor, 303)
      : showNew(c, null)
  })

  // A person who has seen the secret can make codes until it is replaced, so the password comes first.
  app.get(paths.confirmFactor, (c) => {
    const password = passwordAskOf(c, services)
    if (!password.isAsked) return c.redirect(paths.secondFactor, 303)
    return c.html(<ConfirmFactorPage view={viewOf(c)} password={password} />)
  })

  app.post(paths.confirmFactor, async (c) => {
    const password = await refusePassword(c, services)
    if (password === null) return c.redirect(paths.secondFactor, 303)
    return c.html(<ConfirmFactorPage view={viewOf(c)} password={password} />, 422)
  })

  app.post(paths.secondFactor, async (c) => {
    if (await hasFactor(c)) return c.redirect(paths.security, 303)
    const { operator } = visitorOf(c)
    const form = c.get("form")
    try {
      await confirmPassword(services, operator, networkOfVisit(c), form.exact("password"))
    } catch (error) {
      return showNew(c, { field: "password", text: explainRefusal(viewOf(c).words, error) })
    }
    const secret = await findSecret(c)
    const codes = await setUpSecondFactor(services, visitorOf(c), secret, form.text("code"))
    if (codes === null) {
      return showNew(c, { field: "code", text: viewOf(c).texts.secondFactor.wrong })
    }
    await record(c, "second_factor_on")
    await sessionNotes.delete(noteOf(c, "new_factor"))
    await keepNote(services, noteOf(c, "recovery_codes"), JSON.stringify(codes))
    return c.redirect(paths.recoveryCodes, 303)
  })

  app.get(paths.recoveryCodes, async (c) => {
    const note = await findNote(services, noteOf(c, "recovery_codes"))
    const isShown = note !== null && note.at >= secondsBefore(now(), secretShownSeconds)
    if (!isShown) return c.redirect(paths.security, 303)
    return c.html(<RecoveryCodesPage view={viewOf(c)} codes={JSON.parse(note.text)} />)
  })

  app.post(paths.recoveryCodes, async (c) => {
    await sessionNotes.delete(noteOf(c, "recovery_codes"))
    return c.redirect(`${paths.security}?done=second_factor_on`, 303)
  })

  app.post(`${paths.secondFactor}/off`, async (c) => {
    const { operator } = visitorOf(c)
    const { words, texts } = viewOf(c)
    try {
      const isRight = await passSecondFactor(services, operator, c.get("form").text("code"))
      if (!isRight) {
        return await showSecurity(c, services, { field: "code", text: texts.secondFactor.wrong })
      }
    } catch (error) {
      return showSecurity(c, services, { field: "code", text: explainRefusal(words, error) })
    }
    await secondFactors.remove(operator.id)
    await record(c, "second_factor_off")
    return c.redirect(`${paths.security}?done=second_factor_off`, 303)
  })
}

type FactorProblem = Readonly<{ field: "password" | "code"; text: string }>

type ConfirmProps = Readonly<{ view: ConsoleView; password: PasswordAsk }>

const ConfirmFactorPage = ({ view, password }: ConfirmProps) => {
  const { setUp: title, passwordFirst: text, goOn: submit } = view.texts.secondFactor
  const question = { title, text, submit, isDangerous: false, back: paths.security }
  return <ConfirmChangePage view={view} {...question} password={password} />
}

type NewProps = Readonly<{
  view: ConsoleView
  secret: string
  /** The same for an app on this device. */
  uri: string
  isRequired: boolean
  problem: FactorProblem | null
}>

const NewFactorPage = ({ view, secret, uri, isRequired, problem }: NewProps) => {
  const texts = view.texts.secondFactor
  const errorOf = (field: FactorProblem["field"]) =>
    problem?.field === field ? problem.text : null
  return (
    <ConsolePage view={view} title={texts.setUp} problem={problem?.text}>
      {isRequired && <p class="notice warning">{texts.required}</p>}
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
        <PostForm view={view} action={paths.secondFactor}>
          <Field
            name="code"
            label={texts.code}
            hint={texts.codeHint}
            autocomplete="one-time-code"
            error={errorOf("code")}
            isRequired
          />
          <Field
            name="password"
            label={view.words.signIn.password}
            type="password"
            autocomplete="current-password"
            error={errorOf("password")}
            isRequired
          />
          <ShowPasswords view={view} />
          <button type="submit">{texts.turnOn}</button>
        </PostForm>
      </section>
    </ConsolePage>
  )
}

type CodesProps = Readonly<{ view: ConsoleView; codes: readonly string[] }>

const RecoveryCodesPage = ({ view, codes }: CodesProps) => {
  const texts = view.texts.secondFactor
  return (
    <ConsolePage view={view} title={texts.codesTitle}>
      <p>{texts.codesText}</p>
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
      <PostForm view={view} action={paths.recoveryCodes}>
        <button type="submit">{texts.codesKept}</button>
      </PostForm>
    </ConsolePage>
  )
}

type Props = Readonly<{ text: string; label: string }>

/** Around the code: cameras need it to find the corners. */
const quietModules = 4

/** Dark on white in both themes: not every camera reads the reverse. */
const QrCode = ({ text, label }: Props) => {
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
