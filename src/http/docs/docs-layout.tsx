import { raw } from "hono/html"
import type { Child } from "hono/jsx"
import { assetPaths } from "../pages/assets.ts"
import {
  AuthorLanguages,
  BarLinks,
  Brand,
  Document,
  Languages,
} from "../pages/components/layout.tsx"
import type { View } from "../pages/view.ts"
import { type DocsPage, pathOf } from "./pages.ts"

type DocsDocumentProps = Readonly<{
  view: View
  title: string
  /** The index and the column, as HTML. */
  body: string
}>

/** All of a page that depends on the visitor: the head and the bar. */
export const DocsDocument = ({ view, title, body }: DocsDocumentProps) => {
  const head = (
    <>
      <link rel="alternate" type="text/markdown" href={copyOf(view.path, view)} />
      <script type="module" src={assetPaths.docsScript} />
    </>
  )
  return (
    <Document view={view} title={title} head={head}>
      <DocsBar view={view} />
      {raw(body)}
    </Document>
  )
}

/** The Markdown copy of a page. */
const copyOf = (path: string, { locale }: Pick<View, "locale">) => `${path}.md?lang=${locale}`

const DocsBar = ({ view }: { view: View }) => (
  <header class="public-bar docs-bar">
    <Brand view={view} href={view.author === null ? "/" : "/workspace"} />
    <BarLinks view={view} />
    {view.author === null ? <Languages view={view} /> : <AuthorLanguages view={view} />}
  </header>
)

export type DocsView = Pick<View, "locale" | "texts"> &
  Readonly<{
    pages: readonly DocsPage[]
    /** Null for the first page, `/docs`. */
    current: DocsPage | null
  }>

/** The index and the column. */
export const DocsBody = ({ view, children }: Readonly<{ view: DocsView; children?: Child }>) => {
  const { texts, current } = view
  return (
    <div class="docs">
      <DocsIndex view={view} />
      <main id="main" tabindex={-1}>
        {children}
        <Neighbours view={view} />
        <p class="hint">
          <a href={copyOf(current === null ? "/docs" : pathOf(current), view)}>
            {texts.docs.asMarkdown}
          </a>
          {" · "}
          <a href="/openapi.json">{texts.docs.openapi}</a>
          {" · "}
          <a href="/llms.txt">{texts.docs.forModels}</a>
        </p>
      </main>
    </div>
  )
}

/** The pages before and after this one. */
const Neighbours = ({ view: { pages, current } }: { view: DocsView }) => {
  const at = current === null ? -1 : pages.indexOf(current)
  const [before, after] = [pages[at - 1], pages[at + 1]]
  return (
    <p class="pager">
      {before !== undefined && (
        <a href={pathOf(before)} rel="prev">
          ← {before.title}
        </a>
      )}
      {after !== undefined && (
        <a href={pathOf(after)} rel="next" class="after">
          {after.title} →
        </a>
      )}
    </p>
  )
}

export const groups = ["operations", "guides", "explanations"] as const

/** The script closes it on a phone, shows the search, and marks the heading that is being read. */
const DocsIndex = ({ view: { texts, pages, current } }: { view: DocsView }) => (
  <details class="docs-index" open>
    <summary>{texts.docs.contents}</summary>
    <nav aria-label={texts.docs.contents}>
      <label class="search" hidden>
        <span class="visually-hidden">{texts.search.title}</span>
        <input type="search" placeholder={texts.search.title} autocomplete="off" />
      </label>
      <ul class="plain-list index-group">
        <li>
          <a href="/docs" aria-current={current === null ? "page" : undefined}>
            {texts.navigation.docs}
          </a>
        </li>
      </ul>
      {groups.map((group) => (
        <div class="index-group">
          <p class="index-title">{texts.docs[group]}</p>
          <ul class="plain-list">
            {pages
              .filter((page) => page.group === group)
              .map((page) => (
                <IndexEntry page={page} isCurrent={page === current} />
              ))}
          </ul>
        </div>
      ))}
      <p class="hint" data-no-match hidden>
        {texts.docs.noMatch}
      </p>
    </nav>
  </details>
)

/** The page that is shown has its headings below it. */
const IndexEntry = ({ page, isCurrent }: Readonly<{ page: DocsPage; isCurrent: boolean }>) => (
  <li>
    <a href={pathOf(page)} aria-current={isCurrent ? "page" : undefined}>
      {page.title}
    </a>
    {isCurrent && page.headings.length > 1 && (
      <ul class="plain-list index-headings">
        {page.headings.map(({ id, text }) => (
          <li>
            <a href={`#${id}`}>{text}</a>
          </li>
        ))}
      </ul>
    )}
  </li>
)

type LinkedHeadingProps = Readonly<{ id: string; text: string }>

/** As the headings of the Markdown texts are. */
export const LinkedHeading = ({ id, text }: LinkedHeadingProps) => (
  <h2 id={id}>
    <a href={`#${id}`}>{text}</a>
  </h2>
)
