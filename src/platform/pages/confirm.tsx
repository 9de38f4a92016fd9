/** Changes that require the password again: a stolen cookie alone must not be enough. */
import type { Child } from "hono/jsx"
import { t } from "../t.ts"
import {
  currentView,
  Page,
  type PageApp,
  type PageContext,
  type PasswordPrompt,
} from "./context.ts"
import { Field, PostForm } from "./elements.tsx"

/** Without a password the form has no field, and the change is rejected. */
export async function promptFor({ var: { passwords } }: PageContext): Promise<PasswordPrompt> {
  const isRequired = !passwords.isConfirmed() && (await passwords.hasPassword())
  return { isRequired, problem: null }
}

/** Null if the password was confirmed; else the page that requires it, which `show` returns. */
export async function requirePassword(
  c: PageContext,
  show: (password: PasswordPrompt) => Response | Promise<Response>,
): Promise<Response | null> {
  const password = await c.var.passwords.check()
  if (password === null) return null
  return (await c.var.passwords.hasPassword()) ? show(password) : showNoPassword(c, 422)
}

export const showNoPassword = (c: PageContext, status: 200 | 422) =>
  c.html(<Page title={t("Sign in again")}>{c.var.passwords.renderNone()}</Page>, status)

type ConfirmActionsProps = Readonly<{
  password: PasswordPrompt
  submit: string
  isDangerous?: boolean
  back: string
  isFocused?: boolean
  others?: Child
}>

/** The end of a form that changes something: the password, unless it was confirmed recently, and the button. */
export const ConfirmActions = (props: ConfirmActionsProps) => (
  <>
    {props.password.isRequired && (
      <PasswordField
        hint={t("Required because you last entered it more than five minutes ago.")}
        error={props.password.problem}
        isFocused={props.isFocused ?? false}
      />
    )}
    <p class="actions">
      <button type="submit" class={props.isDangerous ? "danger" : undefined}>
        {props.submit}
      </button>
      {props.others}
      <a href={props.back} data-cancel>
        {t("Cancel")}
      </a>
    </p>
  </>
)

type PasswordFieldProps = Readonly<{
  hint?: string
  error: string | null | undefined
  isFocused?: boolean
}>

export const PasswordField = (props: PasswordFieldProps) => (
  <>
    <Field
      name="password"
      label={t("Password")}
      type="password"
      autocomplete="current-password"
      isRequired
      {...props}
    />
    <ShowPasswords />
  </>
)

export const ShowPasswords = () => (
  <label class="choice" hidden>
    <input type="checkbox" data-shows-passwords />
    {t("Show password")}
  </label>
)

type Confirmation = Readonly<{
  title: string
  text: string
  submit: string
  isDangerous?: boolean
  back: string
  fields?: Child
  others?: Child
}>

type Change<Subject> = Readonly<{
  path: string
  /** Null for 404. */
  find(c: PageContext): Promise<Subject | null>
  /** Redirect target if nothing is left to change. */
  findRedirect?(subject: Subject): Promise<string | null>
  confirm(
    subject: Subject,
    c: PageContext,
    problems: FieldProblems,
  ): Confirmation | Promise<Confirmation>
  /** The problems of invalid fields: the form is shown again. */
  apply(c: PageContext, subject: Subject): Promise<Response | FieldProblems>
}>

type FieldProblems = Readonly<{ name?: string; email?: string }>

export function addConfirmedChange<Subject>(
  app: PageApp,
  { path, find, findRedirect, confirm, apply }: Change<Subject>,
): void {
  /** The form is submitted to the URL of the page. */
  async function show(
    c: PageContext,
    subject: Subject,
    problems: FieldProblems = {},
    password: PasswordPrompt = { isRequired: !c.var.passwords.isConfirmed(), problem: null },
  ) {
    const { title, text, fields, ...end } = await confirm(subject, c, problems)
    const problem = Object.values(problems)[0] ?? password.problem
    return (
      <Page title={title} problem={problem}>
        <p>{text}</p>
        <PostForm action={currentView().path}>
          {fields}
          <ConfirmActions password={password} {...end} isFocused />
        </PostForm>
      </Page>
    )
  }

  app.get(path, async (c) => {
    const subject = await find(c)
    if (subject === null) return c.notFound()
    const other = (await findRedirect?.(subject)) ?? null
    if (other !== null) return c.redirect(other, 303)
    return c.html(await show(c, subject))
  })

  app.post(path, async (c) => {
    const subject = await find(c)
    if (subject === null) return c.notFound()
    const password = await c.var.passwords.check()
    if (password !== null) return c.html(await show(c, subject, {}, password), 422)
    const applied = await apply(c, subject)
    return applied instanceof Response ? applied : c.html(await show(c, subject, applied), 422)
  })
}
