import { isLive } from "../../../../domain/keys/api-key.ts"
import { keysPath, newKeyPath, pathOfKeys } from "../../../pages/key-paths.ts"
import { Field, TokenField } from "../../../pages/parts/fields.tsx"
import { SettingsPage } from "../../../pages/parts/workspace-layout.tsx"
import type { View } from "../../../pages/view.ts"
import { RevealForm } from "../../parts/key-menu.tsx"
import { EndedTable, type KeyRow, KeyTable } from "../../parts/key-table.tsx"

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

export const KeysPage = ({ view, rows, page, pages, ended, focusedId, problem }: Props) => {
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
      {pages > 1 && <Pager view={view} page={page} pages={pages} />}
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
    <form method="post" action={`${keysPath}/find`} class="filter find">
      <TokenField view={view} />
      <Field name="key" label={words.label} hint={words.hint} autocomplete="off" error={problem} />
      <button type="submit" class="quiet">
        {words.submit}
      </button>
    </form>
  )
}

const Pager = ({ view, page, pages }: Pick<Props, "view" | "page" | "pages">) => {
  const words = view.words.items
  return (
    <nav class="pager" aria-label={view.words.navigation.keys}>
      <span>{words.page(page, pages)}</span>
      <span class="actions">
        {page > 1 && (
          <a class="button quiet" href={pathOfKeys(page - 1)} rel="prev">
            {words.previous}
          </a>
        )}
        {page < pages && (
          <a class="button quiet" href={pathOfKeys(page + 1)} rel="next">
            {words.next}
          </a>
        )}
      </span>
    </nav>
  )
}
