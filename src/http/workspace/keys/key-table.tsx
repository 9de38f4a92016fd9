import { type KeyFacts, looksShipped } from "../../pages/key-facts.ts"
import { PostForm } from "../../pages/parts/fields.tsx"
import { StatePill } from "../../pages/parts/key-state.tsx"
import { SecretBox } from "../../pages/parts/secret-box.tsx"
import { Day, Moment, Pill } from "../../pages/parts/values.tsx"
import { pathOfKey } from "../../pages/paths.ts"
import type { View } from "../../pages/view.ts"

/** `mask` tells the key from others; `secret` is null unless this session revealed it just now. */
export type KeyRow = KeyFacts & Readonly<{ mask: string; secret: string | null }>

type TableProps = Readonly<{
  view: View
  rows: readonly KeyRow[]
  /** The revealed key that has the focus. */
  focusedId: string | null
}>

/** The keys that work. */
export const KeyTable = ({ view, rows, focusedId }: TableProps) => {
  const words = view.words.keys
  const { table } = view.words.keyPages
  const highest = Math.max(1, ...rows.flatMap(({ usage }) => usage?.days ?? []))
  return (
    <table class="keys">
      <thead>
        <tr>
          <th scope="col">{table.name}</th>
          <th scope="col">{table.kind}</th>
          <th scope="col">{table.key}</th>
          <th scope="col">{words.lastUsed}</th>
          <th scope="col" class="amount">
            {table.use}
          </th>
          <th scope="col">{words.expires}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <LiveRow view={view} row={row} highest={highest} isFocused={row.key.id === focusedId} />
        ))}
      </tbody>
    </table>
  )
}

type RowProps = Readonly<{
  view: View
  row: KeyRow
  highest: number
  isFocused: boolean
}>

const LiveRow = ({ view, row, highest, isFocused }: RowProps) => {
  const { key, state, usage, mask, secret } = row
  const words = view.words.keys
  const { table } = view.words.keyPages
  return (
    <>
      <tr id={key.id}>
        <td>
          <a href={pathOfKey(key.id)}>
            <bdi>{key.name}</bdi>
          </a>{" "}
          {state === "ending" &&
            (usage?.callsLastDay ? (
              <Pill tone="warning">{table.stillUsed}</Pill>
            ) : (
              <StatePill view={view} state={state} />
            ))}
          {state === "active" && looksShipped(row) && <Pill tone="warning">{table.shipped}</Pill>}
        </td>
        <td>{words.shortKinds[key.kind]}</td>
        <td class="mono">{mask}</td>
        <td data-label={words.lastUsed}>
          <Moment view={view} at={usage?.lastUsedAt ?? null} />
        </td>
        <td data-label={table.use}>
          <span class="use">
            <Sparkline days={usage?.days ?? noDays} highest={highest} />
            {(usage?.callsLast30Days ?? 0).toLocaleString(view.locale)}
          </span>
        </td>
        <td data-label={words.expires}>
          {key.expiresAt === null ? (
            words.new.expiries.never
          ) : (
            <Day view={view} at={key.expiresAt} />
          )}
        </td>
        <td>
          <KeyMenu view={view} facts={row} />
        </td>
      </tr>
      {secret !== null && (
        <tr>
          <td colspan={7}>
            <SecretBox
              view={view}
              keyOf={key}
              page="list"
              mask={mask}
              secret={secret}
              isFocused={isFocused}
            />
          </td>
        </tr>
      )}
    </>
  )
}

const noDays: readonly number[] = Array(30).fill(0)

/** The keys that no longer work. */
export const EndedTable = ({ view, rows }: Pick<TableProps, "view" | "rows">) => (
  <table class="keys">
    <tbody>
      {rows.map(({ key, state, mask }) => (
        <tr>
          <td>
            <a href={pathOfKey(key.id)}>
              <bdi>{key.name}</bdi>
            </a>
          </td>
          <td>{view.words.keys.shortKinds[key.kind]}</td>
          <td class="mono">{mask}</td>
          <td>
            <StatePill view={view} state={state} />
          </td>
          <td>
            <Moment view={view} at={key.revokedAt ?? key.expiresAt} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

const revealFormId = "reveal"

/** One form for the buttons of all menus on the page: each says which key it reveals. */
export const RevealForm = ({ view }: { view: View }) => (
  <PostForm view={view} id={revealFormId}>
    <input type="hidden" name="page" value="list" />
  </PostForm>
)

/** The actions of a key that works, at the end of its row. */
const KeyMenu = ({ view, facts }: { view: View; facts: KeyFacts }) => {
  const { key, state } = facts
  const words = view.words.keys
  const path = pathOfKey(key.id)
  return (
    <details class="row-menu" name="row-menu">
      <summary aria-label={view.words.keyPages.table.menu(key.name)}>⋯</summary>
      <div class="actions">
        <button type="submit" class="quiet" form={revealFormId} formaction={`${path}/reveal`}>
          {words.reveal}
        </button>
        {state === "active" && (
          <a class="button quiet" href={`${path}/replace`}>
            {words.one.replace}
          </a>
        )}
        <a class="button quiet" href={`${path}/revoke`}>
          {words.one.revoke}
        </a>
      </div>
    </details>
  )
}

const height = 20
const dayWidth = 3

type SparklineProps = Readonly<{
  days: readonly number[]
  /** The calls that fill the whole height: the same for all keys of a table. */
  highest: number
}>

/** The calls of thirty days. Hidden from screen readers: the number is beside it. */
const Sparkline = ({ days, highest }: SparklineProps) => {
  const width = days.length * dayWidth
  const bars = days.map((calls, index) => {
    const tall = Math.max(3, Math.round((calls / highest) * height))
    return calls === 0 ? "" : `M${index * dayWidth + 1} ${height}v-${tall}`
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
