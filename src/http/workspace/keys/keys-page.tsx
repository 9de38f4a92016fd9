import { extractSecret, isLive, maskOf, publicTestSecret } from "../../../domain/keys/api-key.ts"
import { listInactiveKeyUse } from "../../../domain/usage/failed-requests.ts"
import { formatTimestamp } from "../../../domain/values/time/timestamp.ts"
import { findPastedKey } from "../../../operations/keys/find-key.ts"
import {
  type AuthorApp,
  type AuthorContext,
  viewOf,
  visitorOf,
} from "../../pages/author-context.ts"
import { Field, PostForm, QuietButton } from "../../pages/components/form-fields.tsx"
import { Day, NamedLink, Pill, RelativeTime } from "../../pages/components/formatted-values.tsx"
import { StatePill } from "../../pages/components/key-state.tsx"
import { Pager } from "../../pages/components/panels-and-tables.tsx"
import { WorkspacePage } from "../../pages/components/workspace-layout.tsx"
import {
  isUsedSinceRotation,
  type KeyFacts,
  listKeyFacts,
  listKeys,
  looksShipped,
  requestsOfMonth,
} from "../../pages/key-facts.ts"
import { keysPath, newKeyPath, pathOfKey, pathOfKeys } from "../../pages/paths.ts"
import type { View } from "../../pages/view.ts"
import type { WorkspaceServices } from "../../pages/workspace-services.ts"

/** A row has about 1 KB. Keeps the page under 100 KB. */
const pageRows = 50

export function addKeysRoutes(app: AuthorApp, services: WorkspaceServices): void {
  const { keys, keyCipher, failedRequests } = services

  app.get(keysPath, (c) => {
    const isRevoked = c.req.query("done") === "revoked"
    return showKeys(c, { notice: isRevoked ? viewOf(c).texts.keys.actions.revoked : null })
  })

  app.post(`${keysPath}/find`, async (c) => {
    const texts = viewOf(c).texts.keyPages.find
    const pasted = c.get("form").raw("key")
    if (pasted.trim() === "") return showKeys(c, { problem: texts.empty })
    const key = await findPastedKey({ keys, keyCipher }, visitorOf(c).account.id, pasted)
    if (key === null) {
      const isPublic = extractSecret(pasted) === publicTestSecret
      return showKeys(c, { problem: isPublic ? texts.publicTest : texts.none })
    }
    return c.redirect(`${pathOfKey(key.id)}/leak?done=found`, 303)
  })

  async function showKeys(
    c: AuthorContext,
    { notice = null, problem = null }: { notice?: string | null; problem?: string | null },
  ): Promise<Response> {
    const { account } = visitorOf(c)
    const at = formatTimestamp(services.now())
    const { ended, ids } = await listKeys(services, account.id)
    const pages = Math.max(1, Math.ceil(ids.length / pageRows))
    const page = Math.min(pages, Math.max(1, Math.floor(Number(c.req.query("page")) || 1)))
    const rows = await listKeyFacts(services, ids.slice((page - 1) * pageRows, page * pageRows))
    const inactiveKeyUse = listInactiveKeyUse(
      ended.length === 0 ? [] : await failedRequests.list(account.id, at),
    )
    return c.html(
      <KeysPage
        view={viewOf(c, notice)}
        rows={rows.map((facts): KeyRow => {
          const { key } = facts
          return {
            ...facts,
            mask: maskOf(keyCipher, key),
            isStillUsed: isUsedSinceRotation(facts, at),
            isUsedWhenInactive: inactiveKeyUse.has(key.id),
          }
        })}
        page={page}
        pages={pages}
        ended={ended.length}
        problem={problem}
      />,
      problem === null ? 200 : 422,
    )
  }
}

type Props = Readonly<{
  view: View
  /** One page: valid keys first, each group newest first. */
  rows: readonly KeyRow[]
  page: number
  pages: number
  /** Inactive keys on all pages. */
  ended: number
  problem: string | null
}>

const KeysPage = ({ view, rows, page, pages, ended, problem }: Props) => {
  const texts = view.texts.keys
  const live = rows.filter(({ state }) => isLive(state))
  const inactive = rows.filter(({ state }) => !isLive(state))
  const isOpen =
    (live.length === 0 && page > 1) || inactive.some(({ isUsedWhenInactive }) => isUsedWhenInactive)
  return (
    <WorkspacePage
      view={view}
      title={texts.title}
      action={live.length > 0 && <CreateLink view={view} />}
    >
      <p>{texts.intro}</p>
      <FindForm view={view} problem={problem} />
      {page === 1 && live.length === 0 && (
        <p class="empty">
          {texts.none} <CreateLink view={view} />
        </p>
      )}
      {live.length > 0 && (
        <>
          <PostForm view={view} id={revealFormId} />
          <KeyTable view={view} rows={live} />
        </>
      )}
      {inactive.length > 0 && (
        <details open={isOpen ? true : undefined}>
          <summary>{texts.inactive(ended)}</summary>
          <InactiveKeyTable view={view} rows={inactive} />
        </details>
      )}
      {pages > 1 && (
        <Pager view={view} label={texts.title} page={page} pages={pages} linkTo={pathOfKeys} />
      )}
    </WorkspacePage>
  )
}

const CreateLink = ({ view }: Pick<Props, "view">) => (
  <a class="button" href={newKeyPath}>
    {view.texts.keys.create}
  </a>
)

/** The pasted key is neither shown again nor part of a URL. */
const FindForm = ({ view, problem }: Pick<Props, "view" | "problem">) => {
  const texts = view.texts.keyPages.find
  return (
    <PostForm view={view} action={`${keysPath}/find`} class="filter find">
      <Field name="key" label={texts.label} hint={texts.hint} autocomplete="off" error={problem} />
      <QuietButton>{texts.submit}</QuietButton>
    </PostForm>
  )
}

type KeyRow = KeyFacts &
  Readonly<{
    mask: string
    /** Whether the key was used after its rotation. */
    isStillUsed: boolean
    /** Whether the key was used although it is inactive. */
    isUsedWhenInactive: boolean
  }>

type TableProps = Readonly<{ view: View; rows: readonly KeyRow[] }>

export const KeyTable = ({ view, rows }: TableProps) => {
  const texts = view.texts.keys
  const { columns } = view.texts
  const { table } = view.texts.keyPages
  const highest = Math.max(1, ...rows.flatMap(({ usage }) => usage?.days ?? []))
  return (
    <table class="keys">
      <thead>
        <tr>
          <th scope="col">{columns.name}</th>
          <th scope="col">{table.kind}</th>
          <th scope="col">{columns.key}</th>
          <th scope="col">{texts.lastUsed}</th>
          <th scope="col" class="amount">
            {table.use}
          </th>
          <th scope="col">{texts.expires}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <LiveRow view={view} row={row} highest={highest} />
        ))}
      </tbody>
    </table>
  )
}

const LiveRow = ({ view, row, highest }: { view: View; row: KeyRow; highest: number }) => {
  const { key, state, usage, mask } = row
  const texts = view.texts.keys
  const { table } = view.texts.keyPages
  return (
    <tr id={key.id}>
      <td>
        <NamedLink href={pathOfKey(key.id)} name={key.name} />{" "}
        {state === "ending" &&
          (row.isStillUsed ? (
            <Pill tone="warning">{table.stillUsed}</Pill>
          ) : (
            <StatePill view={view} facts={row} />
          ))}
        {state === "active" && looksShipped(row) && <Pill tone="warning">{table.shipped}</Pill>}
      </td>
      <td>{texts.shortKinds[key.kind]}</td>
      <td class="mono">{mask}</td>
      <td data-label={texts.lastUsed}>
        <RelativeTime view={view} at={usage?.lastUsedAt ?? null} />
      </td>
      <td data-label={table.use}>
        <span class="use">
          <Sparkline days={usage?.days ?? noDays} highest={highest} />
          {requestsOfMonth(usage).toLocaleString(view.locale)}
        </span>
      </td>
      <td data-label={texts.expires}>
        {key.expiresAt === null ? texts.new.expiries.never : <Day view={view} at={key.expiresAt} />}
      </td>
      <td>
        <KeyMenu view={view} facts={row} />
      </td>
    </tr>
  )
}

const noDays: readonly number[] = Array(30).fill(0)

const InactiveKeyTable = ({ view, rows }: Pick<TableProps, "view" | "rows">) => (
  <table class="keys">
    <tbody>
      {rows.map(({ key, state, mask, isUsedWhenInactive }) => (
        <tr>
          <td>
            <NamedLink href={pathOfKey(key.id)} name={key.name} />{" "}
            {isUsedWhenInactive && (
              <Pill tone="warning">{view.texts.keyPages.inactiveRequests.pill}</Pill>
            )}
          </td>
          <td>{view.texts.keys.shortKinds[key.kind]}</td>
          <td class="mono">{mask}</td>
          <td>
            <StatePill view={view} facts={{ key, state }} />
          </td>
          <td>
            <RelativeTime view={view} at={key.revokedAt ?? key.expiresAt} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

/** One form for all "Reveal" buttons of the page. Each button submits its own key ID. */
const revealFormId = "reveal"

const KeyMenu = ({ view, facts }: { view: View; facts: KeyFacts }) => {
  const { key, state } = facts
  const texts = view.texts.keys
  const path = pathOfKey(key.id)
  return (
    <>
      <button
        type="button"
        class="quiet"
        popovertarget={`menu-${key.id}`}
        aria-label={view.texts.keyPages.table.menu(key.name)}
      >
        ⋯
      </button>
      <div class="row-menu" id={`menu-${key.id}`} popover="auto">
        <button type="submit" class="link" form={revealFormId} formaction={`${path}/reveal`}>
          {texts.reveal}
        </button>
        {state === "active" && <a href={`${path}/replace`}>{texts.actions.rotate}</a>}
        <a href={`${path}/leak`}>{view.texts.keyPages.leak.link}</a>
        <a href={`${path}/revoke`}>{texts.actions.revoke}</a>
      </div>
    </>
  )
}

const height = 20
const dayWidth = 3

type SparklineProps = Readonly<{
  days: readonly number[]
  /** Requests at full height: the same scale for all keys of a table. */
  highest: number
}>

/** Requests of 30 days. Hidden from screen readers, because the number is beside it. */
const Sparkline = ({ days, highest }: SparklineProps) => {
  const width = days.length * dayWidth
  const bars = days.map((calls, index) => {
    const barHeight = Math.max(3, Math.round((calls / highest) * height))
    return calls === 0 ? "" : `M${index * dayWidth + 1} ${height}v-${barHeight}`
  })
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      aria-hidden="true"
    >
      <path class="none" d={`M0 ${height - 0.5}h${width}`} />
      <path d={bars.join("")} />
    </svg>
  )
}
