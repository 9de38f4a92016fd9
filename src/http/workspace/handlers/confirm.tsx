/**
 * Asks for the password before a key is made, shown or ended, unless it was given, or a sign-in link used,
 * within five minutes. Meanwhile the form is kept in a note of
 * the session: nothing typed is lost, and none of it is in an address.
 */
import type { Hono } from "hono"
import { isConfirmed } from "../../../domain/session.ts"
import { formatTimestamp } from "../../../domain/timestamp.ts"
import { confirmPassword } from "../../../operations/confirm-password.ts"
import { findNote, keepNote } from "../../../operations/keep-note.ts"
import { keysPath } from "../key-paths.ts"
import { createForm, type Form, networkOfVisit } from "../page-context.ts"
import { ConfirmPasswordPage, NoPasswordPage } from "../pages/confirm-page.tsx"
import { explainRefusal } from "../password-words.ts"
import type { WorkspaceServices } from "../services.ts"
import {
  viewOf,
  visitorOf,
  type WorkspaceContext,
  type WorkspaceEnv,
} from "../workspace-context.ts"

/** The fields of each form that are kept while the password is asked for. */
const keptFields = {
  create: ["form_id", "kind", "name", "scope", "items", "expiry"],
  replace: ["form_id", "overlap"],
  reveal: ["page"],
  revoke: [],
} as const

export type GuardedAction = keyof typeof keptFields
/** `keyId` is empty where there is no key yet. */
export type GuardedActions = Readonly<
  Record<
    GuardedAction,
    (c: WorkspaceContext, keyId: string, form: Form) => Response | Promise<Response>
  >
>

type WaitingForm = Readonly<{
  action: GuardedAction
  keyId: string
  fields: Readonly<Record<string, readonly string[]>>
}>

const confirmPath = `${keysPath}/confirm`

/** Null when the session was confirmed recently; else a redirect to the page that asks for it. */
export async function askPassword(
  c: WorkspaceContext,
  services: WorkspaceServices,
  [action, keyId, form]: readonly [GuardedAction, string, Form],
): Promise<Response | null> {
  const { session } = visitorOf(c)
  if (isConfirmed(session, services.now())) return null
  const fields = Object.fromEntries(keptFields[action].map((name) => [name, form.list(name)]))
  const waiting: WaitingForm = { action, keyId, fields }
  const id = services.tokens.create()
  const note = { sessionId: session.id, kind: "form", id } as const
  await keepNote({ ...services.store, ...services }, note, JSON.stringify(waiting))
  return c.redirect(`${confirmPath}/${id}`, 303)
}

export function addConfirmRoutes(
  app: Hono<WorkspaceEnv>,
  services: WorkspaceServices,
  actions: GuardedActions,
): void {
  const { store, now } = services

  async function findWaiting(c: WorkspaceContext): Promise<WaitingForm | null> {
    const { session } = visitorOf(c)
    const identity = { sessionId: session.id, kind: "form", id: c.req.param("id") ?? "" } as const
    const note = await findNote({ ...store, ...services }, identity)
    return note && JSON.parse(note.text)
  }

  app.get(`${confirmPath}/:id`, async (c) => {
    const waiting = await findWaiting(c)
    if (waiting === null) return c.notFound()
    const hash = await store.passwords.find(visitorOf(c).account.id)
    if (hash === null) return c.html(<NoPasswordPage view={viewOf(c)} />)
    return c.html(<ConfirmPasswordPage view={viewOf(c)} waiting={waiting} problem={null} />)
  })

  app.post(`${confirmPath}/:id`, async (c) => {
    const waiting = await findWaiting(c)
    if (waiting === null) return c.notFound()
    const { account, session } = visitorOf(c)
    const password = c.get("form").exact("password")
    try {
      const owner = { id: account.id, name: account.username }
      await confirmPassword({ ...store, ...services }, owner, networkOfVisit(c), password)
    } catch (error) {
      const problem = explainRefusal(viewOf(c).words, error)
      return c.html(
        <ConfirmPasswordPage view={viewOf(c)} waiting={waiting} problem={problem} />,
        422,
      )
    }
    const confirmedAt = formatTimestamp(now())
    await store.sessions.confirm(session.id, confirmedAt)
    c.set("visitor", { account, session: { ...session, confirmedAt } })
    return actions[waiting.action](c, waiting.keyId, createForm(waiting.fields))
  })
}
