/** The actions that make, show or end a key. Each needs a recent password. */

import type { Account } from "../../../domain/catalogue/account.ts"
import { isLive, type StoredKey, stateOf } from "../../../domain/keys/api-key.ts"
import { isConfirmed } from "../../../domain/sign-in/session.ts"
import { RefusedError } from "../../../domain/values/error.ts"
import { formatTimestamp } from "../../../domain/values/time/timestamp.ts"
import { revealKey, revokeKey } from "../../../operations/keys/change-key.ts"
import { findOwnKey } from "../../../operations/keys/find-key.ts"
import {
  NoRoomForOverlap,
  type Overlap,
  overlapSeconds,
  rotateKey,
} from "../../../operations/keys/issue-key.ts"
import { hideKey, showKey } from "../../../operations/keys/show-key.ts"
import { type PasswordAsk, passwordAskOf, refusePassword } from "../../pages/ask-password.ts"
import {
  type AuthorApp,
  type AuthorContext,
  actorOf,
  viewOf,
  visitorOf,
} from "../../pages/author-context.ts"
import { type Form, findFormId } from "../../pages/page-context.ts"
import { PostForm } from "../../pages/parts/fields.tsx"
import { SiteSignIn } from "../../pages/parts/layout.tsx"
import { ChangeEnd } from "../../pages/parts/passwords.tsx"
import { keysPath, pathOfKey, pathOfKeys, pathOfNoRoom } from "../../pages/paths.ts"
import type { Words } from "../../pages/translations/en.ts"
import type { View } from "../../pages/view.ts"
import type { WorkspaceServices } from "../frame/services.ts"
import { KeyLayout } from "./key-parts.tsx"

export function addKeyActionRoutes(app: AuthorApp, services: WorkspaceServices): void {
  const { keys, vault } = services
  const recordingOf = (c: AuthorContext) => services.keyServices(actorOf(c))
  const find = (c: AuthorContext) =>
    findOwnKey(keys, visitorOf(c).account.id, c.req.param("id") ?? "")
  /** Stopped by the form for keys that others may know. */
  const isLeaked = (c: AuthorContext) => c.get("form").text("leaked") !== ""
  const isUsable = (key: StoredKey) => isLive(stateOf(key, formatTimestamp(services.now())))

  /** Another author's key is not found. */
  const post = (path: string, act: (c: AuthorContext, key: StoredKey) => Promise<Response>) =>
    app.post(`${keysPath}/:id${path}`, async (c) => {
      const key = await find(c)
      return key === null ? c.notFound() : act(c, key)
    })

  post("/replace", async (c, key) => {
    const formId = findFormId(c.get("form"))
    if (formId === null) return c.notFound()
    const asked = await askPassword(c, services, "replace")
    if (asked !== null) return asked
    const overlap = parseOverlap(c.get("form").text("overlap"))
    try {
      const made = await makeOnce(services, visitorOf(c).account, formId, (id) =>
        rotateKey(recordingOf(c), key, overlap, { id, isLeaked: isLeaked(c) }),
      )
      return await showMade(c, services, made, key.id)
    } catch (error) {
      if (error instanceof NoRoomForOverlap) return c.redirect(pathOfNoRoom(key.id), 303)
      if (error instanceof RefusedError) return c.redirect(pathOfKey(key.id), 303)
      throw error
    }
  })

  app.get(`${keysPath}/:id/reveal`, async (c) => {
    const key = await find(c)
    if (key === null) return c.notFound()
    if (isConfirmed(visitorOf(c).session, services.now())) {
      return c.redirect(pathOfKey(key.id), 303)
    }
    const password = await findPasswordAsk(c, services)
    if (!password.isAsked) return c.html(<NoPasswordPage view={viewOf(c)} />)
    const fields = [{ name: "page", value: c.req.query("page") ?? "key" }]
    const shown = { view: viewOf(c), action: "reveal", fields, password } as const
    return c.html(<ConfirmPasswordPage {...shown} />)
  })

  post("/reveal", async (c, key) => {
    if (!isUsable(key)) return c.redirect(pathOfKey(key.id), 303)
    const asked = await askPassword(c, services, "reveal")
    // The button has no field: the page that has one can be reloaded.
    if (asked !== null && c.get("form").list("password").length === 0) {
      return c.redirect(`${c.req.path}?page=${listPageOf(c.get("form")) ?? "key"}`, 303)
    }
    if (asked !== null) return asked
    // Unsealed here too, so that a damaged copy fails now and not on every page that shows it.
    await revealKey({ ...recordingOf(c), vault }, key)
    const listPage = listPageOf(c.get("form"))
    const shownOn = listPage === null ? "key" : "list"
    const shown = { keyId: key.id, shownOn, isNew: false, replacedId: null } as const
    await showKey(services, visitorOf(c).session, shown)
    // Without a fragment: the secret has the focus, and the browser scrolls to it.
    return c.redirect(listPage === null ? pathOfKey(key.id) : pathOfKeys(listPage), 303)
  })

  post("/revoke", async (c, key) => {
    if (!isUsable(key)) return c.redirect(pathOfKey(key.id), 303)
    const asked = await askPassword(c, services, "revoke")
    if (asked !== null) return asked
    await revokeKey(recordingOf(c), key, isLeaked(c))
    return c.redirect(`${keysPath}?done=revoked`, 303)
  })

  post("/hide", async (c, key) => {
    await hideKey(services, visitorOf(c).session, key)
    const listPage = listPageOf(c.get("form"))
    const path = listPage === null ? pathOfKey(key.id) : `${pathOfKeys(listPage)}#${key.id}`
    return c.redirect(path, 303)
  })
}

/** Revealing and hiding lead back to where the button was: a page of the list, or the key's own (null). */
const listPageOf = (form: Form) =>
  /^\d{1,6}$/.test(form.text("page")) ? Number(form.text("page")) : null

function parseOverlap(text: string): Overlap {
  return Object.hasOwn(overlapSeconds, text) ? (text as Overlap) : "1d" // just found among its names
}

/** For the form of a change. An author who came by a link may have no password: no field, and the change is refused. */
export async function findPasswordAsk(
  c: AuthorContext,
  { passwords, now }: WorkspaceServices,
): Promise<PasswordAsk> {
  const { account, session } = visitorOf(c)
  const password = passwordAskOf(session, now())
  if (!password.isAsked) return password
  return { ...password, isAsked: (await passwords.find(account.id)) !== null }
}

/** The fields of each form that come again with the password. */
const fieldsOf = {
  create: ["form_id", "kind", "name", "scope", "items", "expiry"],
  replace: ["form_id", "overlap", "leaked"],
  reveal: ["page"],
  revoke: ["leaked"],
} as const

/** Null when the password was given; else a page with what was chosen, and a field for it. */
export async function askPassword(
  c: AuthorContext,
  services: WorkspaceServices,
  action: keyof typeof fieldsOf,
): Promise<Response | null> {
  const { account, session } = visitorOf(c)
  const owner = { id: account.id, name: account.username }
  const password = await refusePassword(c, services, owner, session)
  if (password === null) return null
  const view = viewOf(c)
  if ((await services.passwords.find(account.id)) === null) {
    return c.html(<NoPasswordPage view={view} />, 422)
  }
  const form = c.get("form")
  // Ids of thousands of items would be thousands of fields.
  const fields = fieldsOf[action]
    .map((name) => ({ name, value: form.list(name).join(",") }))
    .filter(({ value }) => value !== "")
  return c.html(
    <ConfirmPasswordPage view={view} action={action} fields={fields} password={password} />,
    422,
  )
}

type ConfirmProps = Readonly<{
  view: View
  action: keyof Words["keys"]["confirm"]["why"]
  fields: readonly Readonly<{ name: string; value: string }>[]
  password: PasswordAsk
}>

/** For an author who came by a link, too long ago, and has no password. */
const NoPasswordPage = ({ view }: { view: View }) => (
  <KeyLayout view={view} title={view.words.keys.confirm.signInAgain}>
    <p>{view.words.keys.confirm.noPassword}</p>
    <SiteSignIn view={view} />
  </KeyLayout>
)

/** The form is sent to the address that asked for the password. */
const ConfirmPasswordPage = ({ view, action, fields, password }: ConfirmProps) => {
  const words = view.words.keys.confirm
  return (
    <KeyLayout view={view} title={words.title} problem={password.problem}>
      <p>{words.why[action]}</p>
      <PostForm view={view} action={view.path}>
        {fields.map(({ name, value }) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <ChangeEnd
          view={view}
          password={password}
          submit={words.submit[action]}
          isDangerous={action === "revoke"}
          back={action === "create" ? keysPath : view.path.replace(/\/\w+$/, "")}
          isFocused
        />
      </PostForm>
    </KeyLayout>
  )
}

type Made = Readonly<{ keyId: string; isNew: boolean }>

/**
 * The key's id comes from the form's id and the account, so that one form means one key, and no form
 * can name the id of another author's key.
 */
export async function makeOnce(
  { keys, vault }: WorkspaceServices,
  account: Account,
  formId: string,
  make: (keyId: string) => Promise<unknown>,
): Promise<Made> {
  const keyId = vault.deriveKeyId(`${account.id} ${formId}`)
  const isMade = async () => (await findOwnKey(keys, account.id, keyId)) !== null
  if (await isMade()) return { keyId, isNew: false }
  try {
    await make(keyId)
  } catch (error) {
    if (await isMade()) return { keyId, isNew: false }
    throw error
  }
  return { keyId, isNew: true }
}

/** Redirects to the key's page, which shows the secret to the session that made it. */
export async function showMade(
  c: AuthorContext,
  services: WorkspaceServices,
  { keyId, isNew }: Made,
  replacedId: string | null,
): Promise<Response> {
  const shown = { keyId, shownOn: "key", isNew, replacedId } as const
  if (isNew) await showKey(services, visitorOf(c).session, shown)
  return c.redirect(pathOfKey(keyId), 303)
}
