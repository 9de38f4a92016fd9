import type { PasswordAsk } from "../../pages/ask-password.ts"
import { Field, TokenField } from "../../pages/parts/fields.tsx"
import { CopyButton } from "../../pages/parts/secret-box.tsx"
import { ShowPasswords } from "../../pages/parts/show-passwords.tsx"
import type { ConsoleView } from "../frame/console-context.ts"
import { recoveryCodesPath, secondFactorPath, securityPath } from "../frame/console-paths.ts"
import { ConfirmChangePage } from "../parts/confirm-change.tsx"
import { ConsolePage } from "../parts/console-layout.tsx"
import { QrCode } from "../parts/qr-code.tsx"

export type FactorProblem = Readonly<{ field: "password" | "code"; text: string }>

type ConfirmProps = Readonly<{ view: ConsoleView; password: PasswordAsk }>

export const ConfirmFactorPage = ({ view, password }: ConfirmProps) => {
  const texts = view.texts.secondFactor
  return (
    <ConfirmChangePage
      view={view}
      title={texts.setUp}
      submit={texts.goOn}
      isDangerous={false}
      back={securityPath}
      password={password}
    >
      <p>{texts.passwordFirst}</p>
    </ConfirmChangePage>
  )
}

type NewProps = Readonly<{
  view: ConsoleView
  secret: string
  /** The same for an app on this device. */
  uri: string
  isRequired: boolean
  problem: FactorProblem | null
}>

export const NewFactorPage = ({ view, secret, uri, isRequired, problem }: NewProps) => {
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
        <form method="post" action={secondFactorPath}>
          <TokenField view={view} />
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
        </form>
      </section>
    </ConsolePage>
  )
}

type CodesProps = Readonly<{ view: ConsoleView; codes: readonly string[] }>

export const RecoveryCodesPage = ({ view, codes }: CodesProps) => {
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
      <form method="post" action={recoveryCodesPath}>
        <TokenField view={view} />
        <button type="submit">{texts.codesKept}</button>
      </form>
    </ConsolePage>
  )
}
