import type { Hono } from "hono"
import { isLive, keyNameCharactersMax } from "../../../domain/api-key.ts"
import { renameKey } from "../../../operations/rename-key.ts"
import { findShownKey, listShownKeys } from "../../../operations/show-key.ts"
import { findKeyFacts, type KeyFacts, listKeyFacts } from "../key-facts.ts"
import { keysPath, pathOfKey } from "../key-paths.ts"
import { KeyPage, type ShownSecret } from "../pages/key-page.tsx"
import { KeysPage, type RevealedKey } from "../pages/keys-page.tsx"
import { ReplaceKeyPage } from "../pages/replace-key-page.tsx"
import { RevokeKeyPage } from "../pages/revoke-key-page.tsx"
import type { WorkspaceServices } from "../services.ts"
import {
  networkOfVisit,
  viewOf,
  visitorOf,
  type WorkspaceContext,
  type WorkspaceEnv,
} from "../workspace-context.ts"

export function addKeyRoutes(app: Hono<WorkspaceEnv>, services: WorkspaceServices): void {
  const { store, vault } = services
  const notes = { ...store, ...services }
  const find = (c: WorkspaceContext, keyId = c.req.param("id") ?? "") =>
    findKeyFacts(services, visitorOf(c).account.id, keyId)

  app.get(keysPath, async (c) => {
    const { keys: words } = viewOf(c).words
    const notice = c.req.query("done") === "revoked" ? words.one.revoked : null
    const keys = await listKeyFacts(services, visitorOf(c).account.id)
    const revealed = await listRevealed(c, keys)
    return c.html(<KeysPage view={viewOf(c, notice)} keys={keys} revealed={revealed} />)
  })

  /** A key that was just made is shown on its own page. */
  async function listRevealed(
    c: WorkspaceContext,
    keys: readonly KeyFacts[],
  ): Promise<readonly RevealedKey[]> {
    const shown = await listShownKeys(notes, visitorOf(c).session)
    return shown.flatMap(({ keyId, isNew }): RevealedKey[] => {
      const facts = keys.find(({ key }) => key.id === keyId)
      if (facts === undefined || isNew || !isLive(facts.state)) return []
      return [{ keyId, secret: vault.unseal(facts.key.sealed, facts.key) }]
    })
  }

  async function findShownSecret(
    c: WorkspaceContext,
    { key, state }: KeyFacts,
  ): Promise<ShownSecret | null> {
    const shown = await findShownKey(notes, visitorOf(c).session, key.id)
    if (shown === null || !isLive(state)) return null
    const { isNew, replacedId } = shown
    const replaced = replacedId === null ? null : await find(c, replacedId)
    return { secret: vault.unseal(key.sealed, key), isNew, replaced }
  }

  async function showKeyPage(
    c: WorkspaceContext,
    facts: KeyFacts,
    rename: Readonly<{ name: string; problem: string }> | null,
  ) {
    const notice = c.req.query("done") === "renamed" ? viewOf(c).words.keys.one.renamed : null
    const shown = await findShownSecret(c, facts)
    const page = <KeyPage view={viewOf(c, notice)} facts={facts} shown={shown} rename={rename} />
    return c.html(page, rename === null ? 200 : 422)
  }

  app.get(`${keysPath}/:id`, async (c) => {
    const facts = await find(c)
    return facts === null ? c.notFound() : showKeyPage(c, facts, null)
  })

  app.post(`${keysPath}/:id/rename`, async (c) => {
    const facts = await find(c)
    if (facts === null) return c.notFound()
    if (!isLive(facts.state)) return c.redirect(pathOfKey(facts.key.id), 303)
    const typed = c.get("form").text("name")
    const name = typed.trim()
    const words = viewOf(c).words.keys.new
    if (name === "") return showKeyPage(c, facts, { name: typed, problem: words.emptyName })
    if ([...name].length > keyNameCharactersMax) {
      const problem = words.longName(keyNameCharactersMax)
      return showKeyPage(c, facts, { name: typed, problem })
    }
    await renameKey(services.keyServices(networkOfVisit(c)), facts.key, name)
    return c.redirect(`${pathOfKey(facts.key.id)}?done=renamed`, 303)
  })

  app.get(`${keysPath}/:id/replace`, async (c) => {
    const facts = await find(c)
    if (facts === null) return c.notFound()
    if (facts.state !== "active") return c.redirect(pathOfKey(facts.key.id), 303)
    const formId = services.tokens.create()
    return c.html(<ReplaceKeyPage view={viewOf(c)} facts={facts} formId={formId} />)
  })

  app.get(`${keysPath}/:id/revoke`, async (c) => {
    const facts = await find(c)
    if (facts === null) return c.notFound()
    if (!isLive(facts.state)) return c.redirect(pathOfKey(facts.key.id), 303)
    return c.html(<RevokeKeyPage view={viewOf(c)} facts={facts} />)
  })
}
