/** All keys of an account, and whose key a pasted one is. */
import { isLive } from "../../../domain/keys/api-key.ts"
import { findPastedKey } from "../../../operations/keys/find-key.ts"
import { listShownKeys } from "../../../operations/keys/show-key.ts"
import {
  type AuthorApp,
  type AuthorContext,
  viewOf,
  visitorOf,
} from "../../pages/author-context.ts"
import { listKeyFacts, listKeys, maskOf } from "../../pages/key-facts.ts"
import { Pager } from "../../pages/parts/blocks.tsx"
import { Field, PostForm } from "../../pages/parts/fields.tsx"
import { SettingsPage } from "../../pages/parts/workspace-layout.tsx"
import { keysPath, newKeyPath, pathOfKey, pathOfKeys } from "../../pages/paths.ts"
import type { View } from "../../pages/view.ts"
import type { WorkspaceServices } from "../frame/services.ts"
import { EndedTable, type KeyRow, KeyTable, RevealForm } from "./key-table.tsx"

/** A row is about a kilobyte, and a page stays under 100. */
const pageRows = 50

export function addKeysRoutes(app: AuthorApp, services: WorkspaceServices): void {
  const { keys, vault } = services

  app.get(keysPath, (c) => {
    const isRevoked = c.req.query("done") === "revoked"
    return showKeys(c, { notice: isRevoked ? viewOf(c).words.keys.one.revoked : null })
  })

  app.post(`${keysPath}/find`, async (c) => {
    const words = viewOf(c).words.keyPages.find
    const pasted = c.get("form").exact("key")
    if (pasted.trim() === "") return showKeys(c, { problem: words.blank })
    const key = await findPastedKey({ keys, vault }, visitorOf(c).account.id, pasted)
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
      listShownKeys(services, session),
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

type Props = Readonly<{
  view: View
  /** One page of the account's keys: those that work first, each group newest first. */
  rows: readonly KeyRow[]
  page: number
  pages: number
  /** How many keys no longer work, on all pages. */
  ended: number
  focusedId: string | null
  /** Why a pasted key was not found. */
  problem: string | null
}>

const KeysPage = ({ view, rows, page, pages, ended, focusedId, problem }: Props) => {
  const words = view.words.keys
  const live = rows.filter(({ state }) => isLive(state))
  const over = rows.filter(({ state }) => !isLive(state))
  return (
    <SettingsPage
      view={view}
      title={view.words.navigation.keys}
      action={live.length > 0 && <CreateLink view={view} />}
    >
      <p>{words.intro}</p>
      <FindForm view={view} problem={problem} />
      {page === 1 && live.length === 0 && (
        <p class="empty">
          {words.none} <CreateLink view={view} />
        </p>
      )}
      {live.length > 0 && (
        <>
          <RevealForm view={view} />
          <KeyTable view={view} rows={live} focusedId={focusedId} />
        </>
      )}
      {over.length > 0 && (
        <details open={live.length === 0 && page > 1 ? true : undefined}>
          <summary>{words.ended(ended)}</summary>
          <EndedTable view={view} rows={over} />
        </details>
      )}
      {pages > 1 && (
        <Pager
          view={view}
          label={view.words.navigation.keys}
          page={page}
          pages={pages}
          linkTo={pathOfKeys}
        />
      )}
    </SettingsPage>
  )
}

const CreateLink = ({ view }: Pick<Props, "view">) => (
  <a class="button" href={newKeyPath}>
    {view.words.keys.create}
  </a>
)

/** The pasted key is never shown again, nor part of an address. */
const FindForm = ({ view, problem }: Pick<Props, "view" | "problem">) => {
  const words = view.words.keyPages.find
  return (
    <PostForm view={view} action={`${keysPath}/find`} class="filter find">
      <Field name="key" label={words.label} hint={words.hint} autocomplete="off" error={problem} />
      <button type="submit" class="quiet">
        {words.submit}
      </button>
    </PostForm>
  )
}
