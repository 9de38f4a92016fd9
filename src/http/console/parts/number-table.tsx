import type { Child } from "hono/jsx"

export type Column = Readonly<{
  head: string
  /** Numbers stand to the right of their name; on a phone each has its head beside it. */
  isNumber?: boolean
}>

type Props = Readonly<{
  title: string
  hint?: string
  columns: readonly Column[]
  /** A row has a cell for each column. */
  rows: readonly (readonly Child[])[]
  /** Shown in place of a table without rows. */
  empty: string
}>

/** A list under a heading, one line each. */
export const NumberTable = ({ title, hint, columns, rows, empty }: Props) => (
  <section>
    <h2>{title}</h2>
    {hint !== undefined && <p class="hint">{hint}</p>}
    {rows.length === 0 ? (
      <p class="empty">{empty}</p>
    ) : (
      <table class="stack">
        <thead>
          <tr>
            {columns.map(({ head, isNumber }) => (
              <th scope="col" class={isNumber ? "amount" : undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells) => (
            <tr>
              {cells.map((cell, index) => (
                <td
                  class={columns[index]?.isNumber ? "amount" : undefined}
                  data-label={index === 0 ? undefined : columns[index]?.head}
                >
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    )}
  </section>
)
