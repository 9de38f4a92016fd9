import type { Session } from "../../../domain/sign-in/session.ts"
import { ChangePassword, type PasswordProblem } from "../../pages/parts/change-password.tsx"
import { Field, TokenField } from "../../pages/parts/fields.tsx"
import { Languages } from "../../pages/parts/layout.tsx"
import { Pill } from "../../pages/parts/pill.tsx"
import { SessionTable } from "../../pages/parts/session-table.tsx"
import type { ConsoleView } from "../frame/console-context.ts"
import { secondFactorPath, securityPath } from "../frame/console-paths.ts"
import { ConsolePage } from "../parts/console-layout.tsx"

export type SecurityProblem = Readonly<{ field: "code"; text: string }> | PasswordProblem

type Props = Readonly<{
  view: ConsoleView
  /** How many are left; null without a second factor. */
  recoveryCodes: number | null
  sessions: readonly Session[]
  currentId: string
  problem: SecurityProblem | null
}>

export const ConsoleSecurityPage = (props: Props) => {
  const { view, recoveryCodes, sessions, currentId, problem } = props
  const words = view.words.security
  return (
    <ConsolePage view={view} title={words.title} problem={problem?.text}>
      <section class="panel" aria-labelledby="factor-title">
        <h2 id="factor-title">{view.texts.secondFactor.title}</h2>
        {recoveryCodes === null ? (
          <NoFactor view={view} />
        ) : (
          <Factor view={view} recoveryCodes={recoveryCodes} problem={problem} />
        )}
      </section>
      <section class="panel" aria-labelledby="password-title">
        <h2 id="password-title">{words.password}</h2>
        <ChangePassword
          view={view}
          path={`${securityPath}/password`}
          name={view.operator?.name}
          isFirst={false}
          problem={problem?.field === "code" ? null : problem}
        />
      </section>
      <SessionTable
        view={view}
        path={`${securityPath}/sessions`}
        sessions={sessions}
        currentId={currentId}
      />
      <section class="panel" aria-labelledby="language-title">
        <h2 id="language-title">{view.words.languagePage.title}</h2>
        <Languages view={view} />
      </section>
    </ConsolePage>
  )
}

const NoFactor = ({ view }: { view: ConsoleView }) => {
  const texts = view.texts.secondFactor
  return (
    <>
      <p>
        <Pill tone="warning">{texts.off}</Pill> {texts.offText}
      </p>
      <p class="actions">
        <a class="button quiet" href={secondFactorPath}>
          {texts.setUp}
        </a>
      </p>
    </>
  )
}

type FactorProps = Pick<Props, "view" | "problem"> & Readonly<{ recoveryCodes: number }>

const Factor = ({ view, recoveryCodes, problem }: FactorProps) => {
  const texts = view.texts.secondFactor
  return (
    <>
      <p>
        <Pill tone="good">{texts.on}</Pill> {texts.codesLeft(recoveryCodes)}
      </p>
      <p class="hint">{texts.turnOffHint}</p>
      <form method="post" action={`${secondFactorPath}/off`}>
        <TokenField view={view} />
        <Field
          name="code"
          label={texts.code}
          autocomplete="one-time-code"
          error={problem?.field === "code" ? problem.text : null}
          isRequired
        />
        <button type="submit" class="quiet">
          {texts.turnOff}
        </button>
      </form>
    </>
  )
}
