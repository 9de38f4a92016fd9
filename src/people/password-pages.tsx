/** Forms that change something require the password again: a stolen cookie alone must not be enough. */
import type { Child, FC } from "hono/jsx"
import { ipRangeOfRequest, type PageContext, type PageProps } from "../platform/pages/context.ts"
import { Field } from "../platform/pages/form-fields.tsx"
import { SiteSignIn } from "../platform/pages/layout.tsx"
import { t } from "../platform/t.ts"
import { formatTimestamp } from "../platform/time.ts"
import {
  listPasswordProblems,
  type PasswordProblem,
  passwordCharactersMax,
  passwordCharactersMin,
} from "./password.ts"
import { isConfirmed, type SessionStore } from "./session.ts"
import { confirmPassword, type PasswordConfirmation } from "./sign-in-operations.ts"
import { SignInRejected } from "./sign-in-throttle.ts"

/** `isRequired` unless the session was confirmed within five minutes. `problem` says why the password was rejected. */
export type PasswordPrompt = Readonly<{ isRequired: boolean; problem: string | null }>

type PasswordCheck = PasswordConfirmation &
  Readonly<{ sessions: Pick<SessionStore, "confirm">; now: () => Date }>

/** Authors who use sign-in links may not have a password. */
export function passwordsOf(services: PasswordCheck) {
  const hasPassword = async (c: PageContext) =>
    (await services.passwords.find(c.var.person.id)) !== null
  return {
    hasPassword,
    /** Without a password the form has no field, and the change is rejected. */
    async promptFor(c: PageContext): Promise<PasswordPrompt> {
      const isRequired = !isConfirmed(c.var.session, services.now())
      return { isRequired: isRequired && (await hasPassword(c)), problem: null }
    },
    /** Null if the password was confirmed; else the page that requires it, which `show` returns. */
    async requirePassword(
      c: PageContext,
      Layout: FC<PageProps>,
      show: (password: PasswordPrompt) => Response | Promise<Response>,
    ): Promise<Response | null> {
      const password = await checkPassword(c, services)
      if (password === null) return null
      return (await hasPassword(c))
        ? show(password)
        : c.html(<NoPasswordPage Layout={Layout} />, 422)
    },
  }
}

/** Null if the session was confirmed recently or the form contains the password; else the prompt to show. */
export async function checkPassword(
  c: PageContext,
  services: PasswordCheck,
): Promise<PasswordPrompt | null> {
  const { session, person } = c.var
  const { sessions, now } = services
  if (isConfirmed(session, now())) return null
  const [password] = c.var.form.list("password")
  if (password === undefined) return { isRequired: true, problem: null }
  try {
    await confirmPassword(services, person, ipRangeOfRequest(c), password)
  } catch (error) {
    return { isRequired: true, problem: describeSignInRejection(error, t("Wrong password.")) }
  }
  await sessions.confirm(session.id, formatTimestamp(now()))
  return null
}

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

type NewPasswordFieldsProps = Readonly<{ problems: NewPasswordProblems | null }>

/** For the password manager of the browser. */
export const UsernameField = ({ name }: { name: string }) => (
  <input type="text" name="username" value={name} autocomplete="username" readonly hidden />
)

export const NewPasswordFields = ({ problems }: NewPasswordFieldsProps) => (
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

type ConfirmActionsProps = Readonly<{
  password: PasswordPrompt
  submit: string
  isDangerous?: boolean
  back: string
  isFocused?: boolean
  others?: Child
}>

/** The end of a form that changes something: the password, unless it was confirmed recently, and the button. */
export const ConfirmActions = (props: ConfirmActionsProps) => {
  const { password, submit, isDangerous = false, back, isFocused = false, others } = props
  return (
    <>
      {password.isRequired && (
        <PasswordField
          hint={t("Required because you last entered it more than five minutes ago.")}
          error={password.problem}
          isFocused={isFocused}
        />
      )}
      <p class="actions">
        <button type="submit" class={isDangerous ? "danger" : undefined}>
          {submit}
        </button>
        {others}
        <a href={back} data-cancel>
          {t("Cancel")}
        </a>
      </p>
    </>
  )
}

export const NoPasswordPage = ({ Layout }: { Layout: FC<PageProps> }) => (
  <Layout title={t("Sign in again")}>
    <NoPassword />
  </Layout>
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

type PasswordFieldProps = Readonly<{
  hint?: string
  error: string | null | undefined
  isFocused?: boolean
}>

export const PasswordField = ({ ...field }: PasswordFieldProps) => (
  <>
    <Field
      name="password"
      label={t("Password")}
      type="password"
      autocomplete="current-password"
      isRequired
      {...field}
    />
    <ShowPasswords />
  </>
)

const ShowPasswords = () => (
  <label class="choice" hidden>
    <input type="checkbox" data-shows-passwords />
    {t("Show password")}
  </label>
)

export const describeWait = (seconds: number) =>
  seconds < 60
    ? t("Too many attempts. Wait {n second|seconds}, then try again.", { n: seconds })
    : t("Too many attempts. Wait {n minute|minutes}, then try again.", {
        n: Math.ceil(seconds / 60),
      })
