/** The documentation as HTML pages and as Markdown. */

import { authorDocuments } from "../contract/openapi.ts"
import { publicTestSecret } from "../contract/operation.ts"
import type { ApiKeyStore, KeyCipher } from "../keys/key.ts"
import { findTestKey } from "../keys/key-operations.ts"
import { createLocaleCache } from "../platform/http/locale.ts"
import { type Locale, locales } from "../platform/locale.ts"
import type { PageApp, PageContext, Site } from "../platform/pages/context.ts"
import { currentLocale, inLocale, t } from "../platform/t.ts"
import { readClientFiles } from "./clients/clients.ts"
import { DocsDocument, OperationBody, SearchBody, searchPath, TextBody } from "./docs-pages.tsx"
import { lowerHeadings } from "./markdown.ts"
import { type DocsPage, listPages, pathOf } from "./pages.ts"
import { createReference } from "./reference.ts"
import { createSearch, queryLengthMax } from "./search.ts"

type DocsServices = Readonly<{
  keys: ApiKeyStore
  keyCipher: KeyCipher
  site: Site
  publicUrl: string
  now: () => Date
}>

export function addDocsRoutes(app: PageApp, services: DocsServices): void {
  const { keys, keyCipher, now, publicUrl: baseUrl, site } = services
  const docsOf = createLocaleCache((locale) => inLocale(locale, () => createDocs(baseUrl, locale)))

  async function servePage(c: PageContext, id: string) {
    const { isSignedIn, account } = c.var
    const docs = await docsOf(currentLocale())
    const page = docs.findPage(id)
    if (page === undefined) return c.notFound()
    const ownSecret = isSignedIn ? await findTestKey({ keys, keyCipher, now }, account.id) : null
    return c.html(docs.render(page, ownSecret))
  }

  app.get("/docs", (c) => servePage(c, "quickstart"))
  app.get("/docs.md", async (c) => markdown(c, (await docsOf(currentLocale())).allMarkdown))
  app.get(searchPath, async (c) => {
    const query = c.req.query("q")?.slice(0, queryLengthMax) ?? ""
    return c.html(await (await docsOf(currentLocale())).renderResults(query))
  })
  app.get("/docs/:id{[a-z_-]+}", (c) => servePage(c, c.req.param("id")))
  app.get("/docs/:copy{[a-z_-]+\\.md}", async (c) => {
    const docs = await docsOf(currentLocale())
    const page = docs.findPage(c.req.param("copy").slice(0, -".md".length))
    return page ? markdown(c, page.markdown) : c.notFound()
  })
  app.get("/docs/clients/:file", async (c) => {
    const file = (await docsOf(currentLocale())).findClient(c.req.param("file"))
    if (file === undefined) return c.notFound()
    return c.body(file.bytes, 200, {
      "Content-Type": file.contentType,
      "Content-Disposition": `attachment; filename="${file.name}"`,
      // A response to HEAD has no body to measure.
      "Content-Length": String(file.bytes.byteLength),
    })
  })
  app.get("/llms.txt", async (c) => {
    const links = locales.map(async (locale) =>
      renderLinks(baseUrl, locale, (await docsOf(locale)).productPages),
    )
    const text = renderLlmsText(site.name, baseUrl, await Promise.all(links))
    return c.body(text, 200, { "Content-Type": "text/plain; charset=utf-8" })
  })
}

const markdown = (c: PageContext, text: string) =>
  c.body(text, 200, { "Content-Type": "text/markdown; charset=utf-8" })

/** All pages in one language. Their bodies are rendered once. */
async function createDocs(baseUrl: string, locale: Locale) {
  const settings = { baseUrl, secret: publicTestSecret, locale, site: "shop.example.com" }
  const reference = createReference(authorDocuments[locale])
  const [validation] = reference.operations
  const clients = await readClientFiles()
  const pages = listPages(reference, locale, settings, clients)
  let search: ReturnType<typeof createSearch> | undefined
  const bodies = new Map<DocsPage, string>()

  function renderBody(page: DocsPage): string {
    const shown = { pages, page, settings }
    const { operation } = page
    if (operation !== null) return String(<OperationBody {...shown} operation={operation} />)
    return String(<TextBody {...shown} validation={validation} />)
  }

  function render(page: DocsPage, ownSecret: string | null): string {
    const body = bodies.get(page) ?? renderBody(page)
    bodies.set(page, body)
    const ownBody = body.replaceAll(publicTestSecret, ownSecret ?? publicTestSecret)
    return String(<DocsDocument title={page.title} page={page} body={ownBody} />)
  }

  const productPages = pages.filter(({ group }) => group !== "operators")
  return {
    productPages,
    findPage: (id: string) => pages.find((page) => page.id === id),
    findClient: (name: string) => clients.find((file) => file.name === name),
    render,
    allMarkdown: `${productPages.map(({ markdown }) => lowerHeadings(markdown).trim()).join("\n\n")}\n`,
    async renderResults(query: string) {
      search ??= createSearch(pages)
      const results = (await search)(query)
      const body = String(<SearchBody pages={pages} query={query} results={results} />)
      const title = t("Search the documentation")
      return String(<DocsDocument title={title} page={null} body={body} />)
    },
  }
}

/** The documentation for language models; see llmstxt.org. `name` is the marketplace's. */
const renderLlmsText = (name: string, baseUrl: string, links: readonly string[]) => `# ${name}

> The author API of a marketplace: read the account and its items, and validate purchase codes. The base URL is ${baseUrl}.

Decide by the HTTP status: 200 is valid; 404 with the header Pazar-Reason \`unknown_code\`, \`revoked_code\`, \`expired_code\` or \`site_limit\` is invalid; anything else is unknown: keep the last state.

${links.join("\n")}
## Optional

- [OpenAPI document](${baseUrl}/openapi.json): every path, parameter, status and header
`

function renderLinks(baseUrl: string, locale: Locale, pages: readonly DocsPage[]): string {
  const link = (path: string, title: string, text: string) =>
    `- [${title}](${baseUrl}${path}.md?lang=${locale}): ${text}\n`
  const links = pages.map((page) => link(pathOf(page), page.title, page.summary))
  return inLocale(
    locale,
    () =>
      `## ${t("English")}\n\n${link("/docs", t("Docs"), t("all pages as one text"))}${links.join("")}`,
  )
}
