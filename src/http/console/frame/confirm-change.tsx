/** A change is asked for on a page of its own before it is made, with the password unless it was given just now. */
import type { Child } from "hono/jsx"
import * as shared from "../../pages/ask-password.ts"
import { PostForm } from "../../pages/parts/fields.tsx"
import { ChangeEnd } from "../../pages/parts/passwords.tsx"
import {
  type ConsoleApp,
  type ConsoleContext,
  type ConsoleView,
  viewOf,
  visitorOf,
} from "./console-context.ts"
import { ConsolePage } from "./console-layout.tsx"
import type { ConsoleServices } from "./services.ts"

type Question = Readonly<{
  title: string
  /** What will happen, and to whom. */
  text: string
  submit: string
  isDangerous: boolean
  /** Where "cancel" leads. */
  back: string
  fields?: Child
}>

type Change<Subject> = Readonly<{
  path: string
  /** Null where there is no such page. */
  find(c: ConsoleContext): Promise<Subject | null>
  /** Where nothing is left to change, the address that the page leads to instead. */
  findOther?(subject: Subject): Promise<string | null>
  ask(view: ConsoleView, subject: Subject, c: ConsoleContext): Question | Promise<Question>
  make(c: ConsoleContext, subject: Subject): Promise<Response>
}>

export function addChange<Subject>(
  app: ConsoleApp,
  services: ConsoleServices,
  { path, find, findOther, ask, make }: Change<Subject>,
): void {
  /** The form is sent to the address of the page. */
  async function show(c: ConsoleContext, subject: Subject, password: shared.PasswordAsk) {
    const view = viewOf(c)
    const { title, text, fields, ...end } = await ask(view, subject, c)
    return (
      <ConsolePage view={view} title={title} problem={password.problem}>
        <p>{text}</p>
        <PostForm view={view} action={view.path}>
          {fields}
          <ChangeEnd view={view} password={password} {...end} isFocused />
        </PostForm>
      </ConsolePage>
    )
  }

  app.get(path, async (c) => {
    const subject = await find(c)
    if (subject === null) return c.notFound()
    const other = (await findOther?.(subject)) ?? null
    if (other !== null) return c.redirect(other, 303)
    return c.html(await show(c, subject, passwordAskOf(c, services)))
  })

  app.post(path, async (c) => {
    const subject = await find(c)
    if (subject === null) return c.notFound()
    const password = await refusePassword(c, services)
    return password === null ? make(c, subject) : c.html(await show(c, subject, password), 422)
  })
}

export const passwordAskOf = (c: ConsoleContext, { now }: ConsoleServices) =>
  shared.passwordAskOf(visitorOf(c).session, now())

export function refusePassword(c: ConsoleContext, services: ConsoleServices) {
  const { operator, session } = visitorOf(c)
  return shared.refusePassword(c, services, operator, session)
}
