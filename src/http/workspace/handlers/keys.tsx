/** All keys of an account, and whose key a pasted one is. */
import { isLive } from "../../../domain/keys/api-key.ts"
import { findPastedKey } from "../../../operations/keys/find-pasted-key.ts"
import { listShownKeys } from "../../../operations/keys/show-key.ts"
import {
  type AuthorApp,
  type AuthorContext,
  viewOf,
  visitorOf,
} from "../../pages/author-context.ts"
import { listKeyFacts, listKeys, maskOf } from "../../pages/key-facts.ts"
import { keysPath, pathOfKey } from "../../pages/key-paths.ts"
import type { WorkspaceServices } from "../frame/services.ts"
import { KeysPage } from "../pages/keys/keys-page.tsx"
import type { KeyRow } from "../parts/key-table.tsx"

/** A row is about a kilobyte, and a page stays under 100. */
const pageRows = 50

export function addKeysRoutes(app: AuthorApp, services: WorkspaceServices): void {
  const { store, vault } = services

  app.get(keysPath, (c) => {
    const isRevoked = c.req.query("done") === "revoked"
    return showKeys(c, { notice: isRevoked ? viewOf(c).words.keys.one.revoked : null })
  })

  app.post(`${keysPath}/find`, async (c) => {
    const words = viewOf(c).words.keyPages.find
    const pasted = c.get("form").exact("key")
    if (pasted.trim() === "") return showKeys(c, { problem: words.blank })
    const key = await findPastedKey({ keys: store.keys, vault }, visitorOf(c).account.id, pasted)
    if (key === null) return showKeys(c, { problem: words.none })
    return c.redirect(`${pathOfKey(key.id)}/leak?done=found`, 303)
  })

  async function showKeys(
    c: AuthorContext,
    { notice = null, problem = null }: { notice?: string | null; problem?: string | null },
  ): Promise<Response> {
    const { account, session } = visitorOf(c)
    const [{ live, ended }, shown] = await Promise.all([
      listKeys(services, account.id),
      listShownKeys({ ...store, ...services }, session),
    ])
    const pages = Math.max(1, Math.ceil((live.length + ended.length) / pageRows))
    const page = Math.min(pages, Math.max(1, Math.floor(Number(c.req.query("page")) || 1)))
    const revealed = shown.filter(({ shownOn }) => shownOn === "list").map(({ keyId }) => keyId)
    const onPage = [...live, ...ended].slice((page - 1) * pageRows, page * pageRows)
    const rows = await listKeyFacts(services, onPage)
    return c.html(
      <KeysPage
        view={viewOf(c, notice)}
        rows={rows.map((facts): KeyRow => {
          const { key, state } = facts
          const isShown = isLive(state) && revealed.includes(key.id)
          const secret = isShown ? vault.unseal(key.sealed, key) : null
          return { ...facts, mask: maskOf(vault, key), secret }
        })}
        page={page}
        pages={pages}
        ended={ended.length}
        focusedId={revealed[0] ?? null}
        problem={problem}
      />,
      problem === null ? 200 : 422,
    )
  }
}
