import type { Child } from "hono/jsx"
import type { Locale } from "../api/answer/messages.ts"
import { assetPaths } from "../pages/assets.ts"
import { BarLinks, Brand, Document, Languages } from "../pages/parts/layout.tsx"
import type { Words } from "../pages/translations/en.ts"
import type { View } from "../pages/view.ts"
import type { Reference } from "./reference.ts"
import { firstSections, generalSections, guides, titleOf, validationSections } from "./texts.ts"

type DocsPageProps = Readonly<{
  view: View
  title: string
  /** The path of its Markdown copy. */
  copyPath: string
  index: readonly IndexGroup[]
  children?: Child
}>

/** A page of the documentation: the bar, the index and the column. */
export const DocsLayout = ({ view, title, copyPath, index, children }: DocsPageProps) => {
  const copy = `${copyPath}?lang=${view.locale}`
  const head = (
    <>
      <link rel="alternate" type="text/markdown" href={copy} />
      <script type="module" src={assetPaths.docsScript} />
    </>
  )
  return (
    <Document view={view} title={title} head={head}>
      <DocsBar view={view} />
      <div class="docs">
        <DocsIndex view={view} index={index} />
        <main id="main" tabindex={-1}>
          {children}
          <p class="hint">
            <a href={copy}>{view.words.docs.asMarkdown}</a>
            {" · "}
            <a href="/openapi.json">{view.words.docs.openapi}</a>
            {" · "}
            <a href="/llms.txt">{view.words.docs.forModels}</a>
          </p>
        </main>
      </div>
    </Document>
  )
}

/** The language of an author is set in the workspace. */
const DocsBar = ({ view }: { view: View }) => (
  <header class="public-bar docs-bar">
    <Brand view={view} href={view.author === null ? "/" : "/workspace"} />
    <BarLinks view={view} />
    {view.author === null && <Languages view={view} />}
  </header>
)

/** The script closes it on a phone and shows the search. */
const DocsIndex = ({ view, index }: Readonly<{ view: View; index: readonly IndexGroup[] }>) => (
  <details class="docs-index" open>
    <summary>{view.words.docs.contents}</summary>
    <nav aria-label={view.words.docs.contents}>
      <label class="search" hidden>
        <span class="visually-hidden">{view.words.docs.search}</span>
        <input type="search" placeholder={view.words.docs.search} autocomplete="off" />
      </label>
      {index.map(({ title, links }) => (
        <div class="index-group">
          <p class="index-title">{title}</p>
          <ul class="plain-list">
            {links.map(({ href, text }) => (
              <li>
                <a href={href} aria-current={href === view.path ? "page" : undefined}>
                  {text}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <p class="hint" data-no-match hidden>
        {view.words.docs.noMatch}
      </p>
    </nav>
  </details>
)

type IndexGroup = Readonly<{
  title: string
  links: readonly Readonly<{ href: string; text: string }>[]
}>

/** `page` is where the reference stands: empty on its own page. */
export function createIndex(
  { operations }: Pick<Reference, "operations">,
  { docs }: Words,
  locale: Locale,
  page: "" | "/docs",
): readonly IndexGroup[] {
  const here = (id: string, text: string) => ({ href: `${page}#${id}`, text })
  const sections = [...firstSections, ...validationSections, ...generalSections]
  return [
    { title: docs.operations, links: operations.map(({ id, title }) => here(id, title)) },
    {
      title: docs.explanations,
      links: [
        ...sections.map((section) => here(section.id, titleOf(section, locale))),
        here("reasons", docs.reasons),
        here("objects", docs.objects),
      ],
    },
    {
      title: docs.guides,
      links: guides.map((guide) => ({ href: `/docs/${guide.id}`, text: titleOf(guide, locale) })),
    },
  ]
}
