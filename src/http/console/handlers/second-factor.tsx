import { totpUri } from "../../../domain/sign-in/second-factor.ts"
import type { NoteKind } from "../../../domain/sign-in/session-note.ts"
import { secondsBefore } from "../../../domain/values/time/date-arithmetic.ts"
import { secretShownSeconds } from "../../../operations/keys/show-key.ts"
import { recordOperatorEvent } from "../../../operations/record-event.ts"
import { confirmPassword } from "../../../operations/sign-in/confirm-password.ts"
import { findNote, keepNote } from "../../../operations/sign-in/keep-note.ts"
import { passSecondFactor, setUpSecondFactor } from "../../../operations/sign-in/second-factor.ts"
import { networkOfVisit } from "../../pages/page-context.ts"
import { explainRefusal } from "../../pages/password-words.ts"
import {
  actorOf,
  type ConsoleApp,
  type ConsoleContext,
  viewAfter,
  viewOf,
  visitorOf,
} from "../frame/console-context.ts"
import {
  confirmFactorPath,
  recoveryCodesPath,
  secondFactorPath,
  securityPath,
} from "../frame/console-paths.ts"
import type { ConsoleServices } from "../frame/services.ts"
import {
  ConfirmFactorPage,
  type FactorProblem,
  NewFactorPage,
  RecoveryCodesPage,
} from "../pages/second-factor-page.tsx"
import { passwordAskOf, refusePassword } from "./ask-password.ts"
import { showSecurity } from "./security.tsx"

/** Setting the second factor up, the recovery codes of it, and turning it off. */
export function addSecondFactorRoutes(app: ConsoleApp, services: ConsoleServices): void {
  const { store, site, secondFactorVault: vault, hasher, throttle, now } = services
  const { passwords, sessions, sessionNotes } = store.operatorSignIn
  const notes = { ...services, sessionNotes }
  const factors = { ...store, ...services }
  const noteOf = (c: ConsoleContext, kind: NoteKind) =>
    ({ sessionId: visitorOf(c).session.id, kind, id: "latest" }) as const

  const hasFactor = async (c: ConsoleContext) =>
    (await store.secondFactors.find(visitorOf(c).operator.id)) !== null

  /** The same secret until it is set up, so that a reload does not spoil what the app has scanned. */
  async function findSecret(c: ConsoleContext): Promise<string> {
    const kept = await findNote(notes, noteOf(c, "new_factor"))
    if (kept !== null) return kept.text
    const secret = vault.createSecret()
    await keepNote(notes, noteOf(c, "new_factor"), secret)
    return secret
  }

  async function showNew(c: ConsoleContext, problem: FactorProblem | null) {
    const secret = await findSecret(c)
    const uri = totpUri(site.name, visitorOf(c).operator.name, secret)
    const isRequired = services.isSecondFactorRequired
    const page = <NewFactorPage {...{ view: viewAfter(c), secret, uri, isRequired, problem }} />
    return c.html(page, problem === null ? 200 : 422)
  }

  const record = (c: ConsoleContext, action: "second_factor_on" | "second_factor_off") =>
    recordOperatorEvent(
      { audit: store.audit, now, actor: actorOf(c) },
      visitorOf(c).operator.name,
      action,
    )

  app.get(secondFactorPath, async (c) => {
    if (await hasFactor(c)) return c.redirect(securityPath, 303)
    return passwordAskOf(c, services).isAsked
      ? c.redirect(confirmFactorPath, 303)
      : showNew(c, null)
  })

  // A person who has seen the secret can make codes until it is replaced, so the password comes first.
  app.get(confirmFactorPath, (c) => {
    const password = passwordAskOf(c, services)
    if (!password.isAsked) return c.redirect(secondFactorPath, 303)
    return c.html(<ConfirmFactorPage view={viewOf(c)} password={password} />)
  })

  app.post(confirmFactorPath, async (c) => {
    const password = await refusePassword(c, services)
    if (password === null) return c.redirect(secondFactorPath, 303)
    return c.html(<ConfirmFactorPage view={viewOf(c)} password={password} />, 422)
  })

  app.post(secondFactorPath, async (c) => {
    if (await hasFactor(c)) return c.redirect(securityPath, 303)
    const { operator } = visitorOf(c)
    const form = c.get("form")
    try {
      const given = form.exact("password")
      const confirmation = { passwords, sessions, hasher, throttle }
      await confirmPassword(confirmation, operator, networkOfVisit(c), given)
    } catch (error) {
      return showNew(c, { field: "password", text: explainRefusal(viewOf(c).words, error) })
    }
    const secret = await findSecret(c)
    const codes = await setUpSecondFactor(factors, visitorOf(c), secret, form.text("code"))
    if (codes === null) {
      return showNew(c, { field: "code", text: viewOf(c).texts.secondFactor.wrong })
    }
    await record(c, "second_factor_on")
    await sessionNotes.delete(noteOf(c, "new_factor"))
    await keepNote(notes, noteOf(c, "recovery_codes"), JSON.stringify(codes))
    return c.redirect(recoveryCodesPath, 303)
  })

  app.get(recoveryCodesPath, async (c) => {
    const note = await findNote(notes, noteOf(c, "recovery_codes"))
    const isShown = note !== null && note.at >= secondsBefore(now(), secretShownSeconds)
    if (!isShown) return c.redirect(securityPath, 303)
    return c.html(<RecoveryCodesPage view={viewOf(c)} codes={JSON.parse(note.text)} />)
  })

  app.post(recoveryCodesPath, async (c) => {
    await sessionNotes.delete(noteOf(c, "recovery_codes"))
    return c.redirect(`${securityPath}?done=second_factor_on`, 303)
  })

  app.post(`${secondFactorPath}/off`, async (c) => {
    const { operator } = visitorOf(c)
    const { words, texts } = viewOf(c)
    try {
      const isRight = await passSecondFactor(factors, operator, c.get("form").text("code"))
      if (!isRight) {
        return await showSecurity(c, services, { field: "code", text: texts.secondFactor.wrong })
      }
    } catch (error) {
      return showSecurity(c, services, { field: "code", text: explainRefusal(words, error) })
    }
    await store.secondFactors.remove(operator.id)
    await record(c, "second_factor_off")
    return c.redirect(`${securityPath}?done=second_factor_off`, 303)
  })
}
