import { raw } from "hono/html"
import type { Child } from "hono/jsx"
import { asset } from "../pages/assets.ts"
import { Document, PublicBar } from "../pages/components/layout.tsx"
import type { View } from "../pages/page-context.ts"
import type { PageTexts } from "../pages/translations/texts.ts"
import { type Heading, renderInline } from "./markdown.ts"
import { type DocsPage, groups, pathOf } from "./pages.ts"
import { queryLengthMax, type SearchResult } from "./search.ts"

export const searchPath = "/docs/search"

type DocsDocumentProps = Readonly<{
  view: View
  title: string
  /** Null for the results of a search. */
  page: DocsPage | null
  /** The index and the column, as HTML. */
  body: string
}>

/** The parts of a page that depend on the visitor: head and bar. */
export const DocsDocument = ({ view, title, page, body }: DocsDocumentProps) => {
  const head = (
    <>
      {page !== null && (
        <link rel="alternate" type="text/markdown" href={markdownPathOf(page, view)} />
      )}
      <script type="module" src={asset.docsScript.path} />
    </>
  )
  return (
    <Document view={view} title={title} head={head}>
      <PublicBar view={view} home={view.author === null ? "/" : "/workspace"} areLanguagesStored />
      {raw(body)}
    </Document>
  )
}

const markdownPathOf = (page: DocsPage, { locale }: Pick<View, "locale">) =>
  `${pathOf(page)}.md?lang=${locale}`

export type DocsView = Pick<View, "locale" | "texts"> &
  Readonly<{
    pages: readonly DocsPage[]
    /** Null for the results of a search. */
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
        {current !== null && <Pager pages={view.pages} current={current} />}
        <p class="hint">
          {current !== null && (
            <>
              <a href={markdownPathOf(current, view)}>{texts.docs.asMarkdown}</a>
              {" · "}
            </>
          )}
          <a href="/openapi.json">{texts.docs.openapi}</a>
          {" · "}
          <a href="/llms.txt">{texts.docs.forModels}</a>
        </p>
      </main>
    </div>
  )
}

const Pager = ({ pages, current }: Readonly<{ pages: readonly DocsPage[]; current: DocsPage }>) => {
  const at = pages.indexOf(current)
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

/** The script closes the index on a phone, shows results while the reader types, and marks the current heading. */
const DocsIndex = ({ view: { texts, pages, current } }: { view: DocsView }) => (
  <details class="docs-index" open>
    <summary>{texts.docs.contents}</summary>
    <nav aria-label={texts.docs.contents}>
      {current !== null && <SearchForm texts={texts} />}
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
    </nav>
  </details>
)

/** A short title, and the headings of the current page. */
const IndexEntry = ({ page, isCurrent }: Readonly<{ page: DocsPage; isCurrent: boolean }>) => (
  <li>
    <a href={pathOf(page)} aria-current={isCurrent ? "page" : undefined}>
      {page.title.split(":")[0]}
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

/** The script puts results into the last element. */
const SearchForm = ({ texts, query }: Readonly<{ texts: PageTexts; query?: string }>) => (
  <form action={searchPath} role="search" class="search">
    <input
      type="search"
      name="q"
      value={query}
      placeholder={texts.search.title}
      aria-label={texts.docs.search}
      maxlength={queryLengthMax}
      autocomplete="off"
    />
    <div />
  </form>
)

type SearchProps = Readonly<{ view: DocsView; query: string; results: readonly SearchResult[] }>

export const SearchBody = ({ view, query, results }: SearchProps) => (
  <DocsBody view={view}>
    <h1>{view.texts.docs.search}</h1>
    <SearchForm texts={view.texts} query={query} />
    <div id="results">
      {results.length === 0 ? (
        <p>{view.texts.docs.noMatch}</p>
      ) : (
        <ul class="plain-list results">
          {results.map(({ page, headings }) => (
            <li>
              <a href={pathOf(page)}>{page.title}</a>
              <p class="hint">{raw(renderInline(page.summary))}</p>
              {headings.map(({ id, text }) => (
                <a class="section" href={`${pathOf(page)}#${id}`}>
                  {text}
                </a>
              ))}
            </li>
          ))}
        </ul>
      )}
    </div>
  </DocsBody>
)

/** Looks like a heading of a Markdown text. */
export const LinkedHeading = ({ id, text }: Heading) => (
  <h2 id={id}>
    <a href={`#${id}`}>{text}</a>
  </h2>
)
