import type { Hono } from "hono"
import { isLive, keyNameCharactersMax } from "../../../domain/api-key.ts"
import { renameKey } from "../../../operations/rename-key.ts"
import { listShownKeys } from "../../../operations/show-key.ts"
import { findKeyFacts, listKeyFacts } from "../key-facts.ts"
import { KeyPage, ReplaceKeyPage, RevokeKeyPage } from "../pages/key-page.tsx"
import { type KeyFacts, KeysPage, type ShownSecret } from "../pages/keys-page.tsx"
import type { WorkspaceServices } from "../services.ts"
import {
  networkOfVisit,
  viewOf,
  visitorOf,
  type WorkspaceContext,
  type WorkspaceEnv,
} from "../workspace-context.ts"

const keysPath = "/workspace/settings/keys"

export function addKeyRoutes(app: Hono<WorkspaceEnv>, services: WorkspaceServices): void {
  const { store, vault } = services
  const find = (c: WorkspaceContext) =>
    findKeyFacts(services, visitorOf(c).account.id, c.req.param("id") ?? "")

  /** The secrets that this session made or revealed just now, the newest first. */
  async function listSecrets(
    c: WorkspaceContext,
    keys: readonly KeyFacts[],
  ): Promise<readonly ShownSecret[]> {
    const shown = await listShownKeys({ ...store, ...services }, visitorOf(c).session)
    const factsOf = (id: string | null) => keys.find(({ key }) => key.id === id) ?? null
    return shown.flatMap(({ keyId, isNew, replacedId }): ShownSecret[] => {
      const facts = factsOf(keyId)
      if (facts === null || !isLive(facts.state)) return []
      const secret = vault.unseal(facts.key.sealed, facts.key)
      return [{ keyId, secret, isNew, replaced: factsOf(replacedId) }]
    })
  }

  app.get(keysPath, async (c) => {
    const { keys: words } = viewOf(c).words
    const notice = c.req.query("done") === "revoked" ? words.one.revoked : null
    const keys = await listKeyFacts(services, visitorOf(c).account.id)
    const secrets = (await listSecrets(c, keys)).filter(({ isNew }) => !isNew)
    return c.html(<KeysPage view={viewOf(c, notice)} keys={keys} secrets={secrets} />)
  })

  async function showKeyPage(
    c: WorkspaceContext,
    rename: Readonly<{ name: string; problem: string }> | null,
  ) {
    const keys = await listKeyFacts(services, visitorOf(c).account.id)
    const facts = keys.find(({ key }) => key.id === c.req.param("id"))
    if (facts === undefined) return c.notFound()
    const notice = c.req.query("done") === "renamed" ? viewOf(c).words.keys.one.renamed : null
    const secrets = await listSecrets(c, keys)
    const shown = secrets.find(({ keyId }) => keyId === facts.key.id) ?? null
    const page = <KeyPage view={viewOf(c, notice)} facts={facts} shown={shown} rename={rename} />
    return c.html(page, rename === null ? 200 : 422)
  }

  app.get(`${keysPath}/:id`, (c) => showKeyPage(c, null))

  app.post(`${keysPath}/:id/rename`, async (c) => {
    const facts = await find(c)
    if (facts === null) return c.notFound()
    if (!isLive(facts.state)) return c.redirect(`${keysPath}/${facts.key.id}`, 303)
    const typed = c.get("form").text("name")
    const name = typed.trim()
    const words = viewOf(c).words.keys.new
    if (name === "") return showKeyPage(c, { name: typed, problem: words.emptyName })
    if ([...name].length > keyNameCharactersMax) {
      return showKeyPage(c, { name: typed, problem: words.longName(keyNameCharactersMax) })
    }
    await renameKey(services.keyServices(networkOfVisit(c)), facts.key, name)
    return c.redirect(`${keysPath}/${facts.key.id}?done=renamed`, 303)
  })

  app.get(`${keysPath}/:id/replace`, async (c) => {
    const facts = await find(c)
    if (facts === null) return c.notFound()
    if (facts.state !== "active") return c.redirect(`${keysPath}/${facts.key.id}`, 303)
    const formId = services.tokens.create()
    return c.html(<ReplaceKeyPage view={viewOf(c)} facts={facts} formId={formId} />)
  })

  app.get(`${keysPath}/:id/revoke`, async (c) => {
    const facts = await find(c)
    if (facts === null) return c.notFound()
    if (!isLive(facts.state)) return c.redirect(`${keysPath}/${facts.key.id}`, 303)
    return c.html(<RevokeKeyPage view={viewOf(c)} facts={facts} />)
  })
}
