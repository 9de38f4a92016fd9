/** The documentation: the reference, the guides, and the same as Markdown. */
import { raw } from "hono/html"
import { publicTestSecret } from "../../domain/keys/api-key.ts"
import { findTestKey } from "../../operations/keys/find-key.ts"
import { createLocaleCache } from "../api/answer/locale.ts"
import { type Locale, locales } from "../api/answer/messages.ts"

import { createDocument } from "../openapi/document.ts"
import { type AuthorApp, type AuthorContext, viewOf } from "../pages/author-context.ts"
import type { PageServices } from "../pages/page-services.ts"
import type { SampleSettings } from "../pages/samples/sample-request.ts"
import { catalogues, type Site, type View } from "../pages/view.ts"
import { createIndex, DocsLayout } from "./docs-layout.tsx"
import { fillIn, renderMarkdown } from "./markdown.ts"
import { createReference, type OpenApi, type Reference } from "./reference.ts"
import { renderReferenceMarkdown } from "./reference-markdown.ts"
import { ReferencePage } from "./reference-page.tsx"
import { type Guide, guides, summaryOf, titleOf } from "./texts.ts"

export function addDocsRoutes(app: AuthorApp, services: PageServices): void {
  const { keys, vault, now, publicUrl: baseUrl } = services
  const referenceOf = createLocaleCache((locale) => readReference(baseUrl, locale))

  async function findOwnSecret(c: AuthorContext): Promise<string | null> {
    const visitor = c.get("visitor")
    return visitor && findTestKey({ keys, vault, now }, visitor.account.id)
  }
  const settingsOf = (locale: Locale, secret: string | null) => ({
    baseUrl,
    secret: secret ?? publicTestSecret,
    locale,
  })

  async function renderPage(view: View, secret: string | null): Promise<string> {
    const reference = await referenceOf(view.locale)
    const settings = settingsOf(view.locale, secret)
    const props = { view, reference, settings, isOwnKey: secret !== null }
    return String(<ReferencePage {...props} />)
  }
  // Rendering takes 6 ms, and all visitors who are not signed in get the same page.
  const publicPageOf = createLocaleCache((locale) =>
    renderPage(publicViewOf(services.site, locale), null),
  )

  app.get("/docs", async (c) => {
    const view = viewOf(c)
    const isPublic = view.author === null
    const page = isPublic ? publicPageOf(view.locale) : renderPage(view, await findOwnSecret(c))
    return c.html(page)
  })
  app.get("/docs.md", async (c) => {
    const locale = c.get("locale")
    const reference = await referenceOf(locale)
    const words = catalogues[locale]
    return markdown(c, renderReferenceMarkdown(reference, words, locale, settingsOf(locale, null)))
  })
  for (const guide of guides) {
    app.get(`/docs/${guide.id}`, async (c) => {
      const view = viewOf(c)
      const [reference, secret] = [await referenceOf(view.locale), await findOwnSecret(c)]
      const settings = settingsOf(view.locale, secret)
      return c.html(
        <GuidePage view={view} guide={guide} reference={reference} settings={settings} />,
      )
    })
    app.get(`/docs/${guide.id}.md`, (c) =>
      markdown(c, fillIn(guide.markdown[c.get("locale")], settingsOf(c.get("locale"), null))),
    )
  }
  const llmsText = renderLlmsText(services.site.name, baseUrl)
  app.get("/llms.txt", (c) =>
    c.body(llmsText, 200, { "Content-Type": "text/plain; charset=utf-8" }),
  )
}

/** Holds nothing of a single visitor. */
const publicViewOf = (site: Site, locale: Locale): View => ({
  site,
  locale,
  words: catalogues[locale],
  path: "/docs",
  author: null,
  formToken: "",
  notice: null,
})

const markdown = (c: AuthorContext, text: string) =>
  c.body(text, 200, { "Content-Type": "text/markdown; charset=utf-8" })

async function readReference(baseUrl: string, locale: Locale): Promise<Reference> {
  const document = await createDocument({ version: "", baseUrl, locale })
  // Our own document: the tests hold its answers and examples against it.
  return createReference(document as OpenApi, locale)
}

/** Where a language model finds the documentation as text; see llmstxt.org. `name` is that of the marketplace. */
function renderLlmsText(name: string, baseUrl: string): string {
  return `# ${name}

> The author API of a marketplace: read the account and its items, and validate purchase codes. The base URL is ${baseUrl}.

Decide by the status: 200 is valid; 404 with the header Pazar-Reason \`unknown_code\`, \`revoked_code\` or \`site_limit\` is not valid; keep the last state on anything else.

${locales.map((locale) => renderLinks(baseUrl, locale)).join("\n")}
## Optional

- [OpenAPI document](${baseUrl}/openapi.json): every path, parameter, status and header
`
}

function renderLinks(baseUrl: string, locale: Locale): string {
  const { language, docs } = catalogues[locale]
  const link = (path: string, title: string, text: string) =>
    `- [${title}](${baseUrl}${path}?lang=${locale}): ${text}\n`
  return `## ${language}

${link("/docs.md", docs.title, docs.heading)}${guides
  .map((guide) => link(`/docs/${guide.id}.md`, titleOf(guide, locale), summaryOf(guide, locale)))
  .join("")}`
}

type GuideProps = Readonly<{
  view: View
  guide: Guide
  reference: Reference
  settings: SampleSettings
}>

const GuidePage = ({ view, guide, reference, settings }: GuideProps) => (
  <DocsLayout
    view={view}
    title={titleOf(guide, view.locale)}
    copyPath={`/docs/${guide.id}.md`}
    index={createIndex(reference, view.words, view.locale, "/docs")}
  >
    <article>{raw(renderMarkdown(fillIn(guide.markdown[view.locale], settings)))}</article>
  </DocsLayout>
)
