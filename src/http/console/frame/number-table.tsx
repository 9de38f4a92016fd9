import type { Child } from "hono/jsx"
import type { Locale } from "../../api/answer/messages.ts"
import type { ConsoleView } from "./console-context.ts"

type Column = Readonly<{
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

/** A sentence that the program says in English elsewhere, in the language of the page. */
export const Told = ({ view, text }: Readonly<{ view: ConsoleView; text: string }>) => {
  const { own, foreign } = view.texts.imports.told(text)
  return (
    <>
      {own.split(/`([^`]+)`/).map((part, at) => (at % 2 === 1 ? <code>{part}</code> : part))}
      {foreign !== "" && <span lang="en">{foreign}</span>}
    </>
  )
}

const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const

/** `1.5 GB`, by powers of 1,000 as disks are sold. */
export function formatBytes(bytes: number, locale: Locale): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  return (bytes / 1000 ** power).toLocaleString(locale, {
    style: "unit",
    unit: units[power],
    maximumFractionDigits: 1,
  })
}
