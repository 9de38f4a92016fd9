/** Actions that create, reveal, rotate or revoke a key. Each requires a recent password. */

import type { Account } from "../../../domain/catalog/account.ts"
import { isLive, type StoredKey, stateOf } from "../../../domain/keys/api-key.ts"
import { isConfirmed } from "../../../domain/sign-in/session.ts"
import { UserError } from "../../../domain/values/error.ts"
import { formatTimestamp } from "../../../domain/values/time/timestamp.ts"
import { revealKey, revokeKey } from "../../../operations/keys/change-key.ts"
import { findOwnKey } from "../../../operations/keys/find-key.ts"
import {
  NoRoomForOverlap,
  type Overlap,
  overlapSeconds,
  rotateKey,
} from "../../../operations/keys/issue-key.ts"
import {
  type AuthorApp,
  type AuthorContext,
  actorOf,
  identityOf,
  viewOf,
  visitorOf,
} from "../../pages/author-context.ts"
import { PostForm } from "../../pages/components/form-fields.tsx"
import { ConfirmActions, NoPassword } from "../../pages/components/password-fields.tsx"
import { type PasswordPrompt, passwordsOf } from "../../pages/confirm-password.ts"
import { findKeyFacts } from "../../pages/key-facts.ts"
import { findFormId } from "../../pages/page-context.ts"
import { keysPath, pathOfKey, pathOfKeyLimit } from "../../pages/paths.ts"
import type { PageTexts } from "../../pages/translations/texts.ts"
import type { View } from "../../pages/view.ts"
import type { WorkspaceServices } from "../../pages/workspace-services.ts"
import { KeyLayout } from "./key-layout.tsx"
import { createKeyPages } from "./key-page.tsx"

export function addKeyActionRoutes(app: AuthorApp, services: WorkspaceServices): void {
  const { keys, keyCipher } = services
  const { showSecret, showCreated } = createSecretPages(services)
  const recordingOf = (c: AuthorContext) => services.keyServices(actorOf(c))
  const find = (c: AuthorContext) =>
    findOwnKey(keys, visitorOf(c).account.id, c.req.param("id") ?? "")
  /** Whether the form for leaked keys was used. */
  const isLeaked = (c: AuthorContext) => c.get("form").text("leaked") !== ""
  const isUsable = (key: StoredKey) => isLive(stateOf(key, formatTimestamp(services.now())))

  /** 404 for keys of other authors. */
  const post = (path: string, act: (c: AuthorContext, key: StoredKey) => Promise<Response>) =>
    app.post(`${keysPath}/:id${path}`, async (c) => {
      const key = await find(c)
      return key === null ? c.notFound() : act(c, key)
    })

  post("/replace", async (c, key) => {
    const formId = findFormId(c.get("form"))
    if (formId === null) return c.notFound()
    const confirmation = await requirePassword(c, services, "rotate")
    if (confirmation !== null) return confirmation
    const overlap = parseOverlap(c.get("form").text("overlap"))
    try {
      const created = await createKeyOnce(services, visitorOf(c).account, formId, (id) =>
        rotateKey(recordingOf(c), key, overlap, { id, isLeaked: isLeaked(c) }),
      )
      return await showCreated(c, created, key.id)
    } catch (error) {
      if (error instanceof NoRoomForOverlap) return c.redirect(pathOfKeyLimit(key.id), 303)
      if (error instanceof UserError) return c.redirect(pathOfKey(key.id), 303)
      throw error
    }
  })

  app.get(`${keysPath}/:id/reveal`, async (c) => {
    const key = await find(c)
    if (key === null) return c.notFound()
    if (isConfirmed(visitorOf(c).session, services.now())) {
      return c.redirect(pathOfKey(key.id), 303)
    }
    const password = await findPasswordPrompt(c, services)
    if (!password.isRequired) return c.html(<NoPasswordPage view={viewOf(c)} />)
    const shown = { view: viewOf(c), action: "reveal", fields: [], password } as const
    return c.html(<ConfirmPasswordPage {...shown} />)
  })

  post("/reveal", async (c, key) => {
    if (!isUsable(key)) return c.redirect(pathOfKey(key.id), 303)
    const confirmation = await requirePassword(c, services, "reveal")
    // The button has no password field. The page with the field can be reloaded.
    if (confirmation !== null && c.get("form").list("password").length === 0) {
      return c.redirect(c.req.path, 303)
    }
    if (confirmation !== null) return confirmation
    await revealKey({ ...recordingOf(c), keyCipher }, key)
    return showSecret(c, key.id, { isNew: false, replacedId: null })
  })

  post("/revoke", async (c, key) => {
    if (!isUsable(key)) return c.redirect(pathOfKey(key.id), 303)
    const confirmation = await requirePassword(c, services, "revoke")
    if (confirmation !== null) return confirmation
    await revokeKey(recordingOf(c), key, isLeaked(c))
    return c.redirect(`${keysPath}?done=revoke`, 303)
  })
}

function parseOverlap(text: string): Overlap {
  return Object.hasOwn(overlapSeconds, text) ? (text as Overlap) : "1d" // just found among its names
}

export const findPasswordPrompt = (c: AuthorContext, services: WorkspaceServices) =>
  passwordsOf(services, identityOf).promptFor(c)

/** Fields of each form that the password page repeats. */
const fieldsOf = {
  create: ["form_id", "kind", "name", "scope", "items", "requires_site", "expiry"],
  rotate: ["form_id", "overlap", "leaked"],
  reveal: [],
  revoke: ["leaked"],
} as const

/** Null if the password is confirmed. Otherwise a page with a password field and the fields of the form. */
export async function requirePassword(
  c: AuthorContext,
  services: WorkspaceServices,
  action: keyof typeof fieldsOf,
): Promise<Response | null> {
  const { confirm, hasPassword } = passwordsOf(services, identityOf)
  const password = await confirm(c)
  if (password === null) return null
  const view = viewOf(c)
  if (!(await hasPassword(c))) return c.html(<NoPasswordPage view={view} />, 422)
  const form = c.get("form")
  // One field per item ID could be thousands of fields.
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
  action: keyof PageTexts["keys"]["confirm"]["why"]
  fields: readonly Readonly<{ name: string; value: string }>[]
  password: PasswordPrompt
}>

const NoPasswordPage = ({ view }: { view: View }) => (
  <KeyLayout view={view} title={view.texts.keys.confirm.signInAgain}>
    <NoPassword view={view} />
  </KeyLayout>
)

/** The form is submitted to the URL that required the password. */
const ConfirmPasswordPage = ({ view, action, fields, password }: ConfirmProps) => {
  const texts = view.texts.keys.confirm
  return (
    <KeyLayout view={view} title={texts.title} problem={password.problem}>
      <p>{texts.why[action]}</p>
      <PostForm view={view} action={view.path}>
        {fields.map(({ name, value }) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <ConfirmActions
          view={view}
          password={password}
          submit={texts.submit[action]}
          isDangerous={action === "revoke"}
          back={action === "create" ? keysPath : view.path.replace(/\/\w+$/, "")}
          isFocused
        />
      </PostForm>
    </KeyLayout>
  )
}

type CreatedKey = Readonly<{ keyId: string; isNew: boolean }>

/**
 * Derives the key ID from the account and the ID of the form. One form creates one key, and no form can name the ID
 * of another author's key.
 */
export async function createKeyOnce(
  { keys, keyCipher }: WorkspaceServices,
  account: Account,
  formId: string,
  make: (keyId: string) => Promise<unknown>,
): Promise<CreatedKey> {
  const keyId = keyCipher.deriveKeyId(`${account.id} ${formId}`)
  const isCreated = async () => (await findOwnKey(keys, account.id, keyId)) !== null
  if (await isCreated()) return { keyId, isNew: false }
  try {
    await make(keyId)
  } catch (error) {
    if (await isCreated()) return { keyId, isNew: false }
    throw error
  }
  return { keyId, isNew: true }
}

export function createSecretPages(services: WorkspaceServices) {
  const { show } = createKeyPages(services)

  async function showSecret(
    c: AuthorContext,
    keyId: string,
    { isNew, replacedId }: Readonly<{ isNew: boolean; replacedId: string | null }>,
  ): Promise<Response> {
    const find = (id: string) => findKeyFacts(services, visitorOf(c).account.id, id)
    const facts = await find(keyId)
    if (facts === null || !isLive(facts.state)) return c.redirect(pathOfKey(keyId), 303)
    const secret = services.keyCipher.decrypt(facts.key.encrypted, facts.key)
    const replaced = replacedId === null ? null : await find(replacedId)
    return show(c, facts, { shown: { secret, isNew, replaced } })
  }

  return {
    showSecret,
    /** Shows the secret once: submitting the form again redirects to the page of the key. */
    async showCreated(c: AuthorContext, { keyId, isNew }: CreatedKey, replacedId: string | null) {
      return isNew ? showSecret(c, keyId, { isNew, replacedId }) : c.redirect(pathOfKey(keyId), 303)
    },
  }
}
