import type { Session } from "../../../../domain/sign-in/session.ts"
import { ChangePassword, type PasswordProblem } from "../../../pages/parts/change-password.tsx"
import { SessionTable } from "../../../pages/parts/session-table.tsx"
import { SettingsPage } from "../../../pages/parts/workspace-layout.tsx"
import type { View } from "../../../pages/view.ts"
import { SiteSignIn } from "../../parts/site-sign-in.tsx"

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
          <ChangePassword
            view={view}
            path="/workspace/settings/security/password"
            name={view.author?.username}
            isFirst={passwordForm === "set"}
            problem={problem}
          />
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
