import type { Hono } from "hono"
import type { Account } from "../../../domain/account.ts"
import {
  type IssuedKind,
  isKeyId,
  isLive,
  issuedKinds,
  keyNameCharactersMax,
} from "../../../domain/api-key.ts"
import { RefusedError } from "../../../domain/error.ts"
import { formatTimestamp } from "../../../domain/timestamp.ts"
import { confirmPassword } from "../../../operations/confirm-password.ts"
import { findOwnKey } from "../../../operations/find-key.ts"
import { type IssuedKey, issueKey } from "../../../operations/issue-key.ts"
import { renameKey } from "../../../operations/rename-key.ts"
import { isConfirmed, revealKey } from "../../../operations/reveal-key.ts"
import { revokeKey } from "../../../operations/revoke-key.ts"
import { type Overlap, overlapSeconds, rotateKey } from "../../../operations/rotate-key.ts"
import { type Desk, type DeskEnv, type Form, networkOfDesk, viewOf, visitorOf } from "../desk.ts"
import { listKeyFacts } from "../key-facts.ts"
import { ConfirmPasswordPage, KeyPage, ReplaceKeyPage, RevokeKeyPage } from "../pages/key-page.tsx"
import { type KeyFacts, KeysPage } from "../pages/keys-page.tsx"
import { expiryChoices, MadeKeyPage, type NewKeyForm, NewKeyPage } from "../pages/new-key-page.tsx"
import { explainRefusal } from "../password-words.ts"
import type { WorkspaceServices } from "../services.ts"
import { itemFacts } from "./items.tsx"

const keysPath = "/workspace/settings/keys"
/** More items than this are chosen by typing their ids. */
const tickableMax = 60

export function addKeyRoutes(app: Hono<DeskEnv>, services: WorkspaceServices): void {
  const { store, vault, now } = services
  const trace = (c: Desk) => services.keyServices(networkOfDesk(c))

  /** Null for another author's key as for one that never was. */
  async function findFacts(c: Desk): Promise<KeyFacts | null> {
    const keys = await listKeyFacts(services, visitorOf(c).account.id)
    return keys.find(({ key }) => key.id === c.req.param("id")) ?? null
  }

  /**
   * Makes the key of a form. Null when the same form, by a reload or a second click, has made it. An
   * id that is another author's is quietly passed over: nobody learns of it.
   */
  async function makeOnce(
    account: Account,
    keyId: string,
    make: (keyId: string) => Promise<IssuedKey>,
  ): Promise<IssuedKey | null> {
    const isMade = async () => (await findOwnKey(store.keys, account.id, keyId)) !== null
    if (await isMade()) return null
    const isTaken = (await store.keys.find(keyId)) !== null
    try {
      return await make(isTaken ? vault.createKeyId() : keyId)
    } catch (error) {
      if (await isMade()) return null
      throw error
    }
  }

  async function listTickable(accountId: number) {
    const query = { text: "", sort: "name", offset: 0, limit: tickableMax } as const
    const { items, total } = await store.itemSearch.search(accountId, query)
    return total > tickableMax ? null : items.map(itemFacts)
  }

  app.get(keysPath, async (c) => {
    const { account } = visitorOf(c)
    const { keys: words } = viewOf(c).words
    const notice = c.req.query("done") === "revoked" ? words.one.revoked : null
    const keys = await listKeyFacts(services, account.id)
    return c.html(<KeysPage view={viewOf(c, notice)} keys={keys} revealed={null} />)
  })

  app.get(`${keysPath}/new`, async (c) => {
    const kind = issuedKinds.find((each) => each === c.req.query("kind")) ?? "sk"
    const form: NewKeyForm = { kind, name: "", scope: "all", itemIds: [], expiry: "never" }
    const items = await listTickable(visitorOf(c).account.id)
    const keyId = vault.createKeyId()
    return c.html(
      <NewKeyPage view={viewOf(c)} keyId={keyId} form={form} items={items} problem={null} />,
    )
  })

  app.post(keysPath, async (c) => {
    const { account } = visitorOf(c)
    const view = viewOf(c)
    const words = view.words.keys.new
    const form = parseNewKey(c.get("form"))
    const keyId = parseKeyId(c.get("form"))
    if (keyId === null) return c.redirect(`${keysPath}/new`, 303)
    const itemIds = form.kind === "vk" && form.scope === "some" ? form.itemIds.map(Number) : null
    const name = form.name || words.defaultNames[form.kind]
    const refuse = async (field: "name" | "items", text: string) =>
      c.html(
        <NewKeyPage
          view={view}
          keyId={keyId}
          form={form}
          items={await listTickable(account.id)}
          problem={{ field, text }}
        />,
        422,
      )
    if ([...name].length > keyNameCharactersMax) {
      return refuse("name", words.longName(keyNameCharactersMax))
    }
    if (itemIds !== null && !itemIds.every((id) => Number.isSafeInteger(id))) {
      return refuse("items", words.badItems)
    }
    if (itemIds?.length === 0) return refuse("items", words.badItems)
    const wish = { kind: form.kind, name, itemIds, expiresAt: expiryOf(form, now()) }
    try {
      const made = await makeOnce(account, keyId, (id) => issueKey(trace(c), account, wish, id))
      if (made === null) return c.redirect(`${keysPath}/${keyId}`, 303)
      return c.html(<MadeKeyPage view={view} name={name} secret={made.secret} />, 201)
    } catch (error) {
      if (error instanceof RefusedError) return refuse("items", words.badItems)
      throw error
    }
  })

  app.get(`${keysPath}/:id`, async (c) => {
    const facts = await findFacts(c)
    if (facts === null) return c.notFound()
    const { keys: words } = viewOf(c).words
    const notice = c.req.query("done") === "renamed" ? words.one.renamed : null
    return c.html(<KeyPage view={viewOf(c, notice)} facts={facts} nameProblem={null} />)
  })

  app.post(`${keysPath}/:id/reveal`, async (c) => {
    const { account, session } = visitorOf(c)
    const facts = await findFacts(c)
    if (facts === null) return c.notFound()
    const view = viewOf(c)
    if (!isLive(facts.state)) return c.redirect(`${keysPath}/${facts.key.id}`, 303)
    if (!isConfirmed(session, now)) {
      const password = c.get("form").exact("password")
      const problem = await confirm(c, password)
      if (problem !== null) {
        const page = <ConfirmPasswordPage view={view} facts={facts} problem={problem || null} />
        return c.html(page, problem === "" ? 200 : 422)
      }
    }
    const secret = await revealKey({ ...trace(c), vault }, facts.key)
    const keys = await listKeyFacts(services, account.id)
    return c.html(<KeysPage view={view} keys={keys} revealed={{ id: facts.key.id, secret }} />)
  })

  /** Null when the password was right; else what to say, nothing yet if none was typed. */
  async function confirm(c: Desk, password: string): Promise<string | null> {
    if (password === "") return ""
    const { account, session } = visitorOf(c)
    const confirmation = { ...store, ...services }
    try {
      await confirmPassword(confirmation, account, networkOfDesk(c), password)
    } catch (error) {
      return explainRefusal(viewOf(c).words, error)
    }
    await store.sessions.confirm(session.id, formatTimestamp(now()))
    return null
  }

  app.post(`${keysPath}/:id/rename`, async (c) => {
    const facts = await findFacts(c)
    if (facts === null) return c.notFound()
    const name = c.get("form").text("name").trim()
    if (name === "" || [...name].length > keyNameCharactersMax) {
      const problem = viewOf(c).words.keys.new.longName(keyNameCharactersMax)
      return c.html(<KeyPage view={viewOf(c)} facts={facts} nameProblem={problem} />, 422)
    }
    await renameKey(trace(c), facts.key, name)
    return c.redirect(`${keysPath}/${facts.key.id}?done=renamed`, 303)
  })

  app.get(`${keysPath}/:id/replace`, async (c) => {
    const facts = await findFacts(c)
    if (facts === null) return c.notFound()
    if (facts.state !== "active") return c.redirect(`${keysPath}/${facts.key.id}`, 303)
    const newKeyId = vault.createKeyId()
    return c.html(<ReplaceKeyPage view={viewOf(c)} facts={facts} newKeyId={newKeyId} />)
  })

  app.post(`${keysPath}/:id/replace`, async (c) => {
    const { account } = visitorOf(c)
    const facts = await findFacts(c)
    const newKeyId = parseKeyId(c.get("form"))
    if (facts === null || newKeyId === null) return c.notFound()
    const { key } = facts
    const overlap = parseOverlap(c.get("form").text("overlap"))
    try {
      const made = await makeOnce(account, newKeyId, (id) => rotateKey(trace(c), key, overlap, id))
      if (made === null) return c.redirect(`${keysPath}/${newKeyId}`, 303)
      return c.html(<MadeKeyPage view={viewOf(c)} name={key.name} secret={made.secret} />, 201)
    } catch (error) {
      if (error instanceof RefusedError) return c.redirect(`${keysPath}/${facts.key.id}`, 303)
      throw error
    }
  })

  app.get(`${keysPath}/:id/revoke`, async (c) => {
    const facts = await findFacts(c)
    if (facts === null) return c.notFound()
    return c.html(<RevokeKeyPage view={viewOf(c)} facts={facts} />)
  })

  app.post(`${keysPath}/:id/revoke`, async (c) => {
    const facts = await findFacts(c)
    if (facts === null) return c.notFound()
    await revokeKey(trace(c), facts.key)
    return c.redirect(`${keysPath}?done=revoked`, 303)
  })
}

function parseNewKey(form: Form): NewKeyForm {
  const kind: IssuedKind = issuedKinds.find((each) => each === form.text("kind")) ?? "sk"
  const itemIds = form
    .list("items")
    .flatMap((text) => text.split(","))
    .map((text) => text.trim())
  return {
    kind,
    name: form.text("name").trim(),
    scope: form.text("scope") === "some" ? "some" : "all",
    itemIds: [...new Set(itemIds.filter((text) => text !== ""))],
    expiry: expiryChoices.find((each) => each === form.text("expiry")) ?? "never",
  }
}

function parseKeyId(form: Form): string | null {
  const id = form.text("key_id")
  return isKeyId(id) ? id : null
}

function parseOverlap(text: string): Overlap {
  return Object.hasOwn(overlapSeconds, text) ? (text as Overlap) : "1d" // just found among its names
}

function expiryOf({ expiry }: NewKeyForm, now: Date): string | null {
  if (expiry === "never") return null
  return formatTimestamp(new Date(now.getTime() + Number(expiry) * 86_400_000))
}
