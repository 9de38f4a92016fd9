/** Forms that change something require the password again: a stolen cookie alone must not be enough. */
import type { Child, FC } from "hono/jsx"
import {
  ipRangeOfRequest,
  type PageContext,
  type PageProps,
  type View,
} from "../platform/pages/context.ts"
import { Field } from "../platform/pages/form-fields.tsx"
import { SiteSignIn } from "../platform/pages/layout.tsx"
import type { PageTexts } from "../platform/pages/translations/texts.ts"
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
        : c.html(<NoPasswordPage view={c.var.view} Layout={Layout} />, 422)
    },
  }
}

/** Null if the session was confirmed recently or the form contains the password; else the prompt to show. */
export async function checkPassword(
  c: PageContext,
  services: PasswordCheck,
): Promise<PasswordPrompt | null> {
  const { session, person, view } = c.var
  const { sessions, now } = services
  if (isConfirmed(session, now())) return null
  const [password] = c.var.form.list("password")
  if (password === undefined) return { isRequired: true, problem: null }
  try {
    await confirmPassword(services, person, ipRangeOfRequest(c), password)
  } catch (error) {
    const { wrong } = view.texts.signIn.passwordProblems
    return { isRequired: true, problem: describeSignInRejection(view.texts, error, wrong) }
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
  const { passwordProblems } = c.var.view.texts.signIn
  const password = c.var.form.raw("password")
  const problems = listPasswordProblems(password, names)
  const isDifferent = password !== c.var.form.raw("repeat")
  if (problems.length === 0 && !isDifferent) return null
  const texts: Readonly<Record<PasswordProblem, string>> = {
    "too short": passwordProblems.tooShort(passwordCharactersMin),
    "too long": passwordProblems.tooLong(passwordCharactersMax),
    common: passwordProblems.common,
    "own name": passwordProblems.ownName,
  }
  return {
    ...(problems.length > 0 && { password: problems.map((each) => texts[each]).join(" ") }),
    ...(isDifferent && { repeat: passwordProblems.different }),
  }
}

/** The problem with a password or code that was typed again. `wrong` is used unless the visitor has to wait. */
export function describeSignInRejection(
  { signIn }: PageTexts,
  error: unknown,
  wrong: string,
): string {
  if (!(error instanceof SignInRejected)) throw error
  return error.retryAfterSeconds > 0 ? signIn.slow(error.retryAfterSeconds) : wrong
}

/** The same for a sign-in, with the status of the response. Sets `Retry-After`. */
export function rejectSignIn(c: PageContext, error: unknown, wrong: string) {
  if (!(error instanceof SignInRejected)) throw error
  const isThrottled = error.retryAfterSeconds > 0
  if (isThrottled) c.header("Retry-After", String(error.retryAfterSeconds))
  const text = describeSignInRejection(c.var.view.texts, error, wrong)
  return { text, status: isThrottled ? 429 : 401 } as const
}

type NewPasswordFieldsProps = Readonly<{ view: View; problems: NewPasswordProblems | null }>

/** For the password manager of the browser. */
export const UsernameField = ({ name }: { name: string }) => (
  <input type="text" name="username" value={name} autocomplete="username" readonly hidden />
)

export const NewPasswordFields = ({ view, problems }: NewPasswordFieldsProps) => {
  const { invitation, passwordProblems } = view.texts.signIn
  return (
    <>
      <Field
        name="password"
        label={invitation.password}
        type="password"
        autocomplete="new-password"
        hint={problems?.password ? undefined : passwordProblems.hint(passwordCharactersMin)}
        error={problems?.password}
        isRequired
      />
      <Field
        name="repeat"
        label={invitation.repeat}
        type="password"
        autocomplete="new-password"
        error={problems?.repeat}
        isRequired
      />
      <ShowPasswords view={view} />
    </>
  )
}

type ConfirmActionsProps = Readonly<{
  view: View
  password: PasswordPrompt
  submit: string
  isDangerous?: boolean
  back: string
  isFocused?: boolean
  others?: Child
}>

/** The end of a form that changes something: the password, unless it was confirmed recently, and the button. */
export const ConfirmActions = (props: ConfirmActionsProps) => {
  const { view, password, submit, isDangerous = false, back, isFocused = false, others } = props
  return (
    <>
      {password.isRequired && (
        <PasswordField
          view={view}
          hint={view.texts.signIn.passwordAgain}
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
          {view.texts.words.cancel}
        </a>
      </p>
    </>
  )
}

export const NoPasswordPage = ({ view, Layout }: { view: View; Layout: FC<PageProps> }) => (
  <Layout view={view} title={view.texts.keys.confirm.signInAgain}>
    <NoPassword view={view} />
  </Layout>
)

/** For authors without a password whose sign-in by link is not recent. */
export const NoPassword = ({ view }: { view: View }) => (
  <>
    <p>{view.texts.keys.confirm.noPassword}</p>
    <SiteSignIn view={view} />
  </>
)

type PasswordFieldProps = Readonly<{
  view: View
  hint?: string
  error: string | null | undefined
  isFocused?: boolean
}>

export const PasswordField = ({ view, ...field }: PasswordFieldProps) => (
  <>
    <Field
      name="password"
      label={view.texts.signIn.password}
      type="password"
      autocomplete="current-password"
      isRequired
      {...field}
    />
    <ShowPasswords view={view} />
  </>
)

const ShowPasswords = ({ view }: { view: View }) => (
  <label class="choice" hidden>
    <input type="checkbox" data-shows-passwords />
    {view.texts.signIn.show}
  </label>
)
