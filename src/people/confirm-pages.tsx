/** Confirmation pages for changes. They require the password unless it was entered recently. */
import type { Child, FC } from "hono/jsx"
import { noteUnitsMax } from "../access/audit-event.ts"
import {
  currentView,
  type PageApp,
  type PageContext,
  type PageProps,
} from "../platform/pages/context.ts"
import { Field, PostForm, QuietButton } from "../platform/pages/form-fields.tsx"
import { t } from "../platform/t.ts"
import { trimWhitespace } from "../platform/text.ts"
import type { PageServices } from "../workspace/services.ts"
import * as shared from "./password-pages.tsx"
import { ConfirmActions } from "./password-pages.tsx"
import { isConfirmed } from "./session.ts"

export type Confirmation = Readonly<{
  title: string
  text: string
  submit: string
  isDangerous?: boolean
  back: string
  fields?: Child
  others?: Child
}>

export type Change<Subject> = Readonly<{
  Layout: FC<PageProps>
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
  services: PageServices,
  { Layout, path, find, findRedirect, confirm, apply }: Change<Subject>,
): void {
  /** The form is submitted to the URL of the page. */
  async function show(
    c: PageContext,
    subject: Subject,
    problems: FieldProblems = {},
    password: shared.PasswordPrompt = {
      isRequired: !isConfirmed(c.var.session, services.now()),
      problem: null,
    },
  ) {
    const { title, text, fields, ...end } = await confirm(subject, c, problems)
    const problem = Object.values(problems)[0] ?? password.problem
    return (
      <Layout title={title} problem={problem}>
        <p>{text}</p>
        <PostForm action={currentView().path}>
          {fields}
          <ConfirmActions password={password} {...end} isFocused />
        </PostForm>
      </Layout>
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
    const password = await shared.checkPassword(c, services)
    if (password !== null) return c.html(await show(c, subject, {}, password), 422)
    const applied = await apply(c, subject)
    return applied instanceof Response ? applied : c.html(await show(c, subject, applied), 422)
  })
}

/** Submits the form of a link and sends the link by e-mail. */
export const SendButton = () => (
  <QuietButton name="send" value="1">
    {t("Send by e-mail")}
  </QuietButton>
)

export const isToBeSent = (c: PageContext) => c.get("form").text("send") !== ""

/** The submitted note. Empty on the confirmation page. */
export const noteIn = (c: PageContext) =>
  c.req.method === "POST"
    ? trimWhitespace(c.get("form").text("note").slice(0, noteUnitsMax).toWellFormed())
    : ""

export const NoteField = ({ c }: { c: PageContext }) => (
  <Field
    name="note"
    label={t("Note")}
    value={noteIn(c)}
    hint={t("Only operators see the note, here and in the audit log.")}
    maxlength={noteUnitsMax}
    autocomplete="off"
  />
)
