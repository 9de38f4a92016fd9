import type { Session } from "../../../domain/session.ts"
import { Field, TokenField } from "../parts/fields.tsx"
import { NewPasswordFields, type NewPasswordProblem } from "../parts/new-password.tsx"
import { SessionTable } from "../parts/session-table.tsx"
import { ShowPasswords } from "../parts/show-passwords.tsx"
import { SiteSignIn } from "../parts/site-sign-in.tsx"
import { SettingsPage } from "../parts/workspace-layout.tsx"
import type { View } from "../view.ts"

export type PasswordProblem = Readonly<{ field: "current"; text: string }> | NewPasswordProblem

/**
 * An author without a password may set one shortly after a sign-in link was used: a browser that was left
 * open must not be enough.
 */
export type PasswordForm = "change" | "set" | "none"

type Props = Readonly<{
  view: View
  passwordForm: PasswordForm
  sessions: readonly Session[]
  currentId: string
  problem: PasswordProblem | null
}>

export const SecurityPage = ({ view, passwordForm, sessions, currentId, problem }: Props) => {
  const words = view.words.security
  return (
    <SettingsPage view={view} title={words.title} problem={problem?.text}>
      <section class="panel" aria-labelledby="password-title">
        <h2 id="password-title">
          {passwordForm === "change" ? words.password : words.setPassword}
        </h2>
        {passwordForm === "none" ? (
          <>
            <p>{words.noPassword}</p>
            <SiteSignIn view={view} />
          </>
        ) : (
          <ChangePassword view={view} isFirst={passwordForm === "set"} problem={problem} />
        )}
      </section>
      <SessionTable
        view={view}
        path="/workspace/settings/security/sessions"
        sessions={sessions}
        currentId={currentId}
      />
    </SettingsPage>
  )
}

const ChangePassword = ({
  view,
  isFirst,
  problem,
}: Pick<Props, "view" | "problem"> & { isFirst: boolean }) => {
  const words = view.words.security
  const isCurrent = problem?.field === "current"
  return (
    <>
      <p class="hint">{isFirst ? words.setHint : words.ends}</p>
      <form method="post" action="/workspace/settings/security/password">
        <TokenField view={view} />
        <input
          type="text"
          name="username"
          value={view.author?.username}
          autocomplete="username"
          readonly
          hidden
        />
        {!isFirst && (
          <Field
            name="current"
            label={words.current}
            type="password"
            autocomplete="current-password"
            error={isCurrent ? problem.text : null}
            isRequired
          />
        )}
        <NewPasswordFields view={view} problem={isCurrent ? null : problem} />
        <ShowPasswords view={view} />
        <button type="submit">{isFirst ? words.setPassword : words.submit}</button>
      </form>
    </>
  )
}
