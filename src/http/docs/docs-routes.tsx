/** The documentation: a first page, a page each for the rest, and the same as Markdown. */
import { publicTestSecret } from "../../domain/keys/api-key.ts"
import { findTestKey } from "../../operations/keys/find-key.ts"
import { createLocaleCache } from "../api/response/locale.ts"
import { type Locale, locales } from "../api/response/messages.ts"
import { authorDocuments } from "../openapi/openapi-document.ts"
import { type AuthorApp, type AuthorContext, viewOf } from "../pages/author-context.ts"
import type { PageServices } from "../pages/page-services.ts"
import type { SampleSettings } from "../pages/samples/sample-request.ts"
import { dictionaries, type Site, type View } from "../pages/view.ts"
import { readClientFiles } from "./clients/clients.ts"
import { DocsDocument, type DocsView } from "./docs-layout.tsx"
import { type DocsPage, listPages, pathOf } from "./pages.ts"
import { createReference } from "./reference.ts"
import { renderReferenceMarkdown } from "./reference-markdown.ts"
import { OperationBody, StartBody, TextBody } from "./reference-page.tsx"
import { guides, summaryOf, titleOf } from "./texts.ts"

export function addDocsRoutes(app: AuthorApp, services: PageServices): void {
  const { keys, keyCipher, now, publicUrl: baseUrl, site } = services
  const docsOf = createLocaleCache((locale) => createDocs(baseUrl, site, locale))

  async function findOwnSecret(c: AuthorContext): Promise<string | null> {
    const visitor = c.get("visitor")
    return visitor && findTestKey({ keys, keyCipher, now }, visitor.account.id)
  }
  async function answerPage(c: AuthorContext, id: string | null) {
    const view = viewOf(c)
    const docs = await docsOf(view.locale)
    const page = docs.findPage(id)
    if (page === undefined) return c.notFound()
    return c.html(
      view.author === null
        ? docs.renderPublic(page)
        : docs.render(page, view, await findOwnSecret(c)),
    )
  }

  app.get("/docs", (c) => answerPage(c, null))
  app.get("/docs.md", async (c) => markdown(c, (await docsOf(c.get("locale"))).copy))
  app.get("/docs/search.json", async (c) => c.json((await docsOf(c.get("locale"))).texts))
  app.get("/docs/:id{[a-z_-]+}", (c) => answerPage(c, c.req.param("id")))
  app.get("/docs/:copy{[a-z_-]+\\.md}", async (c) => {
    const docs = await docsOf(c.get("locale"))
    const page = docs.findPage(c.req.param("copy").slice(0, -".md".length))
    return page ? markdown(c, page.markdown) : c.notFound()
  })
  app.get("/docs/clients/:file", async (c) => {
    const file = (await docsOf(c.get("locale"))).findClient(c.req.param("file"))
    if (file === undefined) return c.notFound()
    return c.body(file.bytes, 200, {
      "Content-Type": file.contentType,
      "Content-Disposition": `attachment; filename="${file.name}"`,
      // A response to HEAD has no body to measure.
      "Content-Length": String(file.bytes.byteLength),
    })
  })
  const llmsText = renderLlmsText(site.name, baseUrl)
  app.get("/llms.txt", (c) =>
    c.body(llmsText, 200, { "Content-Type": "text/plain; charset=utf-8" }),
  )
}

const markdown = (c: AuthorContext, text: string) =>
  c.body(text, 200, { "Content-Type": "text/markdown; charset=utf-8" })

/** All pages in one language. What does not depend on the visitor is rendered once. */
async function createDocs(baseUrl: string, site: Site, locale: Locale) {
  const texts = dictionaries[locale]
  const settings: SampleSettings = { baseUrl, secret: publicTestSecret, locale }
  const reference = createReference(authorDocuments[locale])
  const clients = await readClientFiles()
  const pages = listPages(reference, texts, locale, settings, clients)
  const kept = new Map<string, string>()

  function keep(name: string, make: () => string): string {
    const made = kept.get(name) ?? make()
    kept.set(name, made)
    return made
  }

  /** With the public key, also where the text is for the reader's own. */
  function renderBody(page: DocsPage | null, isOwnKey: boolean): string {
    const view: DocsView = { locale, texts, pages, current: page }
    if (page === null)
      return String(<StartBody view={view} settings={settings} isOwnKey={isOwnKey} />)
    if (page.group === "operations")
      return String(<OperationBody view={view} page={page} settings={settings} />)
    return String(<TextBody view={view} page={page} />)
  }

  function render(page: DocsPage | null, view: View, ownSecret: string | null): string {
    const isOwnKey = ownSecret !== null
    const body = keep(`body ${page?.id ?? ""} ${isOwnKey}`, () => renderBody(page, isOwnKey))
    const title = page?.title ?? texts.navigation.docs
    const ownBody = body.replaceAll(publicTestSecret, ownSecret ?? publicTestSecret)
    return String(<DocsDocument view={view} title={title} body={ownBody} />)
  }

  return {
    /** Null is the first page. */
    findPage: (id: string | null) => (id === null ? null : pages.find((page) => page.id === id)),
    findClient: (name: string) => clients.find((file) => file.name === name),
    render,
    /** All visitors who are not signed in get the same page. */
    renderPublic: (page: DocsPage | null) =>
      keep(`page ${page?.id ?? ""}`, () => render(page, publicViewOf(site, locale, page), null)),
    copy: renderReferenceMarkdown(reference, texts, locale, settings),
    /** What the search looks through: the text of each page, by its path, without code. */
    texts: Object.fromEntries(
      pages.map((page) => [pathOf(page), page.markdown.replace(/^```.*?^```$/gms, "")]),
    ),
  }
}

/** Holds nothing of a single visitor. */
const publicViewOf = (site: Site, locale: Locale, page: DocsPage | null): View => ({
  site,
  locale,
  texts: dictionaries[locale],
  path: page === null ? "/docs" : pathOf(page),
  author: null,
  formToken: "",
  notice: null,
})

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
  const { language, navigation, docs } = dictionaries[locale]
  const link = (path: string, title: string, text: string) =>
    `- [${title}](${baseUrl}${path}?lang=${locale}): ${text}\n`
  return `## ${language}

${link("/docs.md", navigation.docs, docs.heading)}${guides
  .map((guide) => link(`/docs/${guide.id}.md`, titleOf(guide, locale), summaryOf(guide, locale)))
  .join("")}`
}
