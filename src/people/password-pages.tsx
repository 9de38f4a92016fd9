/** Forms that change something require the password again: a stolen cookie alone must not be enough. */
import type { Child } from "hono/jsx"
import { identityPath } from "../access/paths.ts"
import { ipRangeOf } from "../platform/ip-range.ts"
import { ConfirmActions, ShowPasswords } from "../platform/pages/confirm.tsx"
import {
  currentView,
  Page,
  type PageContext,
  type PasswordChecks,
  type PasswordPrompt,
} from "../platform/pages/context.ts"
import { Field, PostForm } from "../platform/pages/elements.tsx"
import { t } from "../platform/t.ts"
import { formatTimestamp } from "../platform/time.ts"
import {
  listPasswordProblems,
  type PasswordProblem,
  passwordCharactersMax,
  passwordCharactersMin,
} from "./password.ts"
import { confirmPassword } from "./security-operations.ts"
import { isConfirmed, type SessionStore } from "./session.ts"
import type { PasswordConfirmation } from "./sign-in-operations.ts"
import { SignInRejected } from "./sign-in-throttle.ts"

/** Authors who use sign-in links may not have a password. */
export const createPasswordChecks = (
  c: PageContext,
  services: PasswordConfirmation &
    Readonly<{ sessions: Pick<SessionStore, "confirm">; now: () => Date }>,
): PasswordChecks => ({
  isConfirmed: () => isConfirmed(c.var.session, services.now()),
  hasPassword: async () => (await services.passwords.find(c.var.person.id)) !== null,
  async check() {
    const { session, person, form } = c.var
    if (isConfirmed(session, services.now())) return null
    const [password] = form.list("password")
    if (password === undefined) return { isRequired: true, problem: null }
    try {
      await confirmPassword(services, person, ipRangeOf(c.env.address), password)
    } catch (error) {
      return { isRequired: true, problem: describeSignInRejection(error, t("Wrong password.")) }
    }
    await services.sessions.confirm(session.id, formatTimestamp(services.now()))
    return null
  },
  renderNone: () => <NoPassword />,
})

export type NewPasswordProblems = Readonly<{ password?: string; repeat?: string }>

/** Every problem with a new password that was typed twice, by field; null for a valid one. */
export function findNewPasswordProblems(
  c: PageContext,
  names: readonly string[],
): NewPasswordProblems | null {
  const password = c.var.form.raw("password")
  const problems = listPasswordProblems(password, names)
  const isDifferent = password !== c.var.form.raw("repeat")
  if (problems.length === 0 && !isDifferent) return null
  const texts: Readonly<Record<PasswordProblem, string>> = {
    "too short": t("Use at least {min} characters.", { min: passwordCharactersMin }),
    "too long": t("Use at most {max} characters.", { max: passwordCharactersMax }),
    common: t("This password is easy to guess. Use a few unrelated words instead."),
    "own name": t(
      "Your name and e-mail address are easy to guess. Use a few unrelated words instead.",
    ),
  }
  return {
    ...(problems.length > 0 && { password: problems.map((each) => texts[each]).join(" ") }),
    ...(isDifferent && { repeat: t("The passwords do not match.") }),
  }
}

/** The problem with a password or code that was typed again. `wrong` is used unless the visitor has to wait. */
export function describeSignInRejection(error: unknown, wrong: string): string {
  if (!(error instanceof SignInRejected)) throw error
  return error.retryAfterSeconds > 0 ? describeWait(error.retryAfterSeconds) : wrong
}

/** The same for a sign-in, with the status of the response. Sets `Retry-After`. */
export function rejectSignIn(c: PageContext, error: unknown, wrong: string) {
  if (!(error instanceof SignInRejected)) throw error
  const isThrottled = error.retryAfterSeconds > 0
  if (isThrottled) c.header("Retry-After", String(error.retryAfterSeconds))
  const text = describeSignInRejection(error, wrong)
  return { text, status: isThrottled ? 429 : 401 } as const
}

/** For the password manager of the browser. */
export const UsernameField = ({ name }: { name: string }) => (
  <input type="text" name="username" value={name} autocomplete="username" readonly hidden />
)

export const NewPasswordFields = ({ problems }: { problems: NewPasswordProblems | null }) => (
  <>
    <Field
      name="password"
      label={t("New password")}
      type="password"
      autocomplete="new-password"
      hint={
        problems?.password
          ? undefined
          : t("At least {min} characters. A few unrelated words are easy to remember.", {
              min: passwordCharactersMin,
            })
      }
      error={problems?.password}
      isRequired
    />
    <Field
      name="repeat"
      label={t("New password again")}
      type="password"
      autocomplete="new-password"
      error={problems?.repeat}
      isRequired
    />
    <ShowPasswords />
  </>
)

type CodeFieldProps = Readonly<{
  hint?: string
  error?: string | null | undefined
  isFocused?: boolean
}>

export const CodeField = (props: CodeFieldProps) => (
  <Field name="code" label={t("2FA code")} autocomplete="one-time-code" {...props} isRequired />
)

export const wrongCode = "This code is wrong or was already used. Wait for the next one."

type ConfirmPageProps = Readonly<{
  title: string
  password: PasswordPrompt
  submit: string
  back: string
  children?: Child
}>

/** A page that requires the password before a change. */
export const ConfirmPage = ({ title, password, submit, back, children }: ConfirmPageProps) => (
  <Page title={title} problem={password.problem}>
    <PostForm action={currentView().path}>
      {children}
      <ConfirmActions {...{ password, submit, back }} isFocused />
    </PostForm>
  </Page>
)

/** For authors without a password whose sign-in by link is not recent. */
export const NoPassword = () => (
  <>
    <p>
      {t(
        "You signed in more than five minutes ago, and your account has no password. Sign in again, from your marketplace or with a passkey, and repeat the action, or set a password under Settings, Security within five minutes of signing in.",
      )}
    </p>
    <SiteSignIn />
  </>
)

export const describeWait = (seconds: number) =>
  seconds < 60
    ? t("Too many attempts. Wait {n second|seconds}, then try again.", { n: seconds })
    : t("Too many attempts. Wait {n minute|minutes}, then try again.", {
        n: Math.ceil(seconds / 60),
      })

/** For people without a password. Empty if the marketplace has no sign-in of its own. */
export const SiteSignIn = ({ next = "" }: Readonly<{ next?: string }>) => {
  const { signInUrl, name } = currentView().site
  return (
    <>
      {signInUrl !== null && (
        <p>
          <a class="button wraps" href={signInUrl}>
            {t("Sign in through {site}", { site: name })}
          </a>
        </p>
      )}
      <IdentityForm next={next} />
    </>
  )
}

/** Signs in at the identity provider. */
export const IdentityForm = ({
  next = "",
  invitation = "",
}: Readonly<{ next?: string; invitation?: string }>) => {
  const { identityHost: host } = currentView().site
  return host === null ? null : (
    <PostForm action={identityPath}>
      <input type="hidden" name="next" value={next} />
      <input type="hidden" name="invitation" value={invitation} />
      <button type="submit" class="wraps">
        {invitation === ""
          ? t("Sign in through {site}", { site: host })
          : t("Continue with {host}", { host })}
      </button>
    </PostForm>
  )
}

export function hasSiteSignIn(): boolean {
  const { signInUrl, identityHost } = currentView().site
  return signInUrl !== null || identityHost !== null
}
