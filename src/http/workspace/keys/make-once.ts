/** A form that is sent twice, by a reload or a second click, makes one key. */
import type { Account } from "../../../domain/catalogue/account.ts"
import { findOwnKey } from "../../../operations/keys/find-key.ts"
import { showKey } from "../../../operations/keys/show-key.ts"
import { type AuthorContext, visitorOf } from "../../pages/author-context.ts"
import type { Form } from "../../pages/page-context.ts"
import { pathOfKey } from "../../pages/paths.ts"
import type { WorkspaceServices } from "../frame/services.ts"

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

export function findFormId(form: Form): string | null {
  const id = form.text("form_id")
  return /^[\w-]{16,64}$/.test(id) ? id : null
}
