import type { Child } from "hono/jsx"
import type { View } from "../view.ts"

/** A section whose heading is its accessible name. */
export const Panel = ({ id, title, children }: { id: string; title: string; children?: Child }) => (
  <section class="panel" aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {children}
  </section>
)

type Tile = Readonly<{
  label: string
  value: string
  note: string
  /** What the number consists of. */
  path?: string | undefined
}>

export const Tiles = ({ tiles }: Readonly<{ tiles: readonly Tile[] }>) => (
  <dl class="figures">
    {tiles.map(({ label, value, note, path }) => (
      <div>
        <dt>{label}</dt>
        <dd class="figure">{path === undefined ? value : <a href={path}>{value}</a>}</dd>
        <dd class="hint">{note}</dd>
      </div>
    ))}
  </dl>
)

type TabsProps = Readonly<{
  label: string
  tabs: readonly Readonly<{ path: string; text: Child; isCurrent: boolean }>[]
}>

export const Tabs = ({ label, tabs }: TabsProps) => (
  <nav aria-label={label} class="tabs">
    <ul>
      {tabs.map(({ path, text, isCurrent }) => (
        <li>
          <a href={path} aria-current={isCurrent ? "page" : undefined}>
            {text}
          </a>
        </li>
      ))}
    </ul>
  </nav>
)

type QuietLinkProps = Readonly<{
  href: string
  rel?: string
  /** A confirmation, which opens over the page. */
  "data-dialog"?: boolean
  children?: Child
}>

export const QuietLink = ({ children, ...attributes }: QuietLinkProps) => (
  <a class="button quiet" {...attributes}>
    {children}
  </a>
)

/**
 * Downloads the list above it. The attribute `download` would also save a sign-in or error page as a file.
 */
export const CsvLink = ({ view, path }: Readonly<{ view: View; path: string }>) => (
  <a class="button quiet" href={path}>
    {view.texts.lists.csv.download}
  </a>
)
