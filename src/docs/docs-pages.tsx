/** The documentation as HTML pages and as Markdown. */

import { raw } from "hono/html"
import type { Child } from "hono/jsx"
import { authorDocuments } from "../contract/openapi.ts"
import { publicTestSecret } from "../contract/operation.ts"
import { readItemEndpoint } from "../items/item-endpoints.ts"
import type { ApiKeyStore, KeyCipher } from "../keys/key.ts"
import { findTestKey } from "../keys/key-operations.ts"
import {
  createQuickstartSamples,
  createSamples,
  findSampleRequest,
  headerValueOf,
  type Sample,
  type SampleSettings,
  SamplesBlock,
} from "../keys/samples.tsx"
import { createLocaleCache } from "../platform/http/locale.ts"
import { type Locale, locales } from "../platform/locale.ts"
import { asset } from "../platform/pages/assets.ts"
import {
  currentView,
  type PageApp,
  type PageContext,
  type Site,
} from "../platform/pages/context.ts"
import { Pill } from "../platform/pages/elements.tsx"
import { Document, PublicBar } from "../platform/pages/layout.tsx"
import { currentLocale, inLocale, type PlainKey, t } from "../platform/t.ts"
import { envatoSaleRoute } from "../purchases/envato-endpoints.ts"
import { validatePurchaseEndpoint } from "../purchases/purchase-endpoints.ts"
import { testCodes } from "../purchases/test-catalog.ts"
import { readClientFiles } from "./clients/clients.ts"
import {
  type Heading,
  lowerHeadings,
  renderCode,
  renderInline,
  renderMarkdown,
} from "./markdown.ts"
import { type DocsPage, groups, listPages, pathOf } from "./pages.ts"
import {
  createReference,
  isTemporary,
  type OperationResponse,
  type ReferenceOperation,
} from "./reference.ts"
import { createSearch, queryLengthMax, type SearchResults } from "./search.ts"

type DocsServices = Readonly<{
  keys: ApiKeyStore
  keyCipher: KeyCipher
  site: Site
  publicUrl: string
  now: () => Date
}>

const searchPath = "/docs/search"

export function addDocsPages(app: PageApp, services: DocsServices): void {
  const { keys, keyCipher, now, publicUrl: baseUrl, site } = services
  const docsIn = createLocaleCache((locale) => inLocale(locale, () => createDocs(baseUrl, locale)))
  const currentDocs = () => docsIn(currentLocale())

  async function servePage(c: PageContext, id: string) {
    // A person without a team has no account.
    const account = currentView().author === null ? null : c.var.account
    const docs = await currentDocs()
    const page = docs.findPage(id)
    if (page === undefined) return c.notFound()
    const ownSecret = account && (await findTestKey({ keys, keyCipher, now }, account.id))
    return c.html(docs.render(page, ownSecret))
  }

  app.get("/docs", (c) => servePage(c, "quickstart"))
  app.get("/docs.md", async (c) => sendMarkdown(c, (await currentDocs()).allMarkdown))
  app.get(searchPath, async (c) => {
    const query = c.req.query("q")?.slice(0, queryLengthMax) ?? ""
    return c.html(await (await currentDocs()).renderResults(query))
  })
  app.get("/docs/:id{[a-z_-]+}", (c) => servePage(c, c.req.param("id")))
  app.get("/docs/:copy{[a-z_-]+\\.md}", async (c) => {
    const page = (await currentDocs()).findPage(c.req.param("copy").slice(0, -".md".length))
    return page ? sendMarkdown(c, page.markdown) : c.notFound()
  })
  app.get("/docs/clients/:file", async (c) => {
    const file = (await currentDocs()).findClient(c.req.param("file"))
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
      renderLinks(baseUrl, locale, (await docsIn(locale)).productPages),
    )
    const text = renderLlmsText(site.name, baseUrl, await Promise.all(links))
    return c.body(text, 200, { "Content-Type": "text/plain; charset=utf-8" })
  })
}

const sendMarkdown = (c: PageContext, text: string) =>
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

  function render(page: DocsPage, ownSecret: string | null): string {
    const { operation } = page
    const shown = { pages, page, settings }
    const body =
      bodies.get(page) ??
      String(
        operation === null ? (
          <TextBody {...shown} validation={validation} />
        ) : (
          <OperationBody {...shown} operation={operation} />
        ),
      )
    bodies.set(page, body)
    const ownBody = body.replaceAll(publicTestSecret, ownSecret ?? publicTestSecret)
    return String(<DocsDocument title={page.title} page={page} body={ownBody} />)
  }

  async function renderResults(query: string): Promise<string> {
    search ??= createSearch(pages)
    const results = (await search)(query)
    const body = String(<SearchBody pages={pages} query={query} results={results} />)
    const title = t("Search the documentation")
    return String(<DocsDocument title={title} page={null} body={body} />)
  }

  const productPages = pages.filter(({ group }) => group !== "operators")
  return {
    productPages,
    findPage: (id: string) => pages.find((page) => page.id === id),
    findClient: (name: string) => clients.find((file) => file.name === name),
    render,
    renderResults,
    allMarkdown: `${productPages.map(({ markdown }) => lowerHeadings(markdown).trim()).join("\n\n")}\n`,
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

/** `page` is null for the results of a search; `body` is HTML. */
type DocumentProps = Readonly<{ title: string; page: DocsPage | null; body: string }>

/** The parts of a page that depend on the visitor: head and bar. */
const DocsDocument = ({ title, page, body }: DocumentProps) => {
  const home = currentView().author === null ? "/" : "/workspace"
  const head = (
    <>
      {page !== null && <link rel="alternate" type="text/markdown" href={markdownPath(page)} />}
      <script type="module" src={asset.docsScript.path} />
    </>
  )
  return (
    <Document title={title} head={head}>
      <PublicBar home={home} areLanguagesStored />
      {raw(body)}
    </Document>
  )
}

const markdownPath = (page: DocsPage) => `${pathOf(page)}.md?lang=${currentLocale()}`

/** `current` is null for the results of a search. */
type IndexProps = Readonly<{ pages: readonly DocsPage[]; current: DocsPage | null }>

/** The index and the column. */
const DocsBody = ({ pages, current, children }: IndexProps & Readonly<{ children?: Child }>) => (
  <div class="docs">
    <DocsIndex pages={pages} current={current} />
    <main id="main" tabindex={-1}>
      {children}
      {current !== null && <Pager pages={pages} current={current} />}
      <p class="hint">
        {current !== null && (
          <>
            <a href={markdownPath(current)}>{t("This page as Markdown")}</a>
            {" · "}
          </>
        )}
        <a href="/openapi.json">{t("OpenAPI document")}</a>
        {" · "}
        <a href="/llms.txt">{t("For language models: llms.txt")}</a>
      </p>
    </main>
  </div>
)

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
const DocsIndex = ({ pages, current }: IndexProps) => (
  <details class="docs-index" open={current !== null}>
    <summary>{t("Contents")}</summary>
    <nav aria-label={t("Contents")}>
      {current !== null && <SearchForm />}
      {groups.map((group) => (
        // The pages of operators are folded: most readers write products.
        <details class="index-group" open={group !== "operators" || current?.group === group}>
          <summary class="index-title">{t(groupTexts[group])}</summary>
          <ul class="plain-list">
            {pages
              .filter((page) => page.group === group)
              .map((page) => (
                <li lang={findLanguage(page)}>
                  <a href={pathOf(page)} aria-current={page === current ? "page" : undefined}>
                    {page.title.split(":")[0]}
                  </a>
                  {page === current && page.headings.length > 1 && (
                    <ul class="plain-list index-headings">
                      {page.headings.map(({ id, text }) => (
                        <li>
                          <a href={`#${id}`}>{text}</a>
                        </li>
                      ))}
                    </ul>
                  )}
                </li>
              ))}
          </ul>
        </details>
      ))}
    </nav>
  </details>
)

/** The script puts results into the last element. */
const SearchForm = ({ query }: { query?: string }) => (
  <form action={searchPath} role="search" class="search">
    <input
      type="search"
      name="q"
      value={query}
      placeholder={t("Search")}
      aria-label={t("Search the documentation")}
      maxlength={queryLengthMax}
      autocomplete="off"
    />
    <div />
  </form>
)

type SearchProps = Readonly<{ pages: readonly DocsPage[]; query: string; results: SearchResults }>

const SearchBody = ({ pages, query, results: { found, suggestion } }: SearchProps) => (
  <DocsBody pages={pages} current={null}>
    <h1>{t("Search the documentation")}</h1>
    <SearchForm query={query} />
    <div id="results">
      {found.length === 0 ? (
        <p>
          {t("No page matches.")}{" "}
          {suggestion !== null && (
            <>
              {t("Did you mean:")}{" "}
              <a href={`${searchPath}?${new URLSearchParams({ q: suggestion })}`}>{suggestion}</a>
            </>
          )}
        </p>
      ) : (
        <ul class="plain-list results">
          {found.map(({ page, headings }) => (
            <li lang={findLanguage(page)}>
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

/** The pages of operators are English in every language. */
const findLanguage = ({ group }: DocsPage) => (group === "operators" ? "en" : undefined)

/** Looks like a heading of a Markdown text. */
const LinkedHeading = ({ id, text }: Heading) => (
  <h2 id={id}>
    <a href={`#${id}`}>{text}</a>
  </h2>
)

type TextProps = Readonly<{
  pages: readonly DocsPage[]
  page: DocsPage
  /** Its samples replace `{samples}`. */
  validation: ReferenceOperation
  settings: SampleSettings
}>

const TextBody = ({ pages, page, validation, settings }: TextProps) => {
  const html = renderMarkdown(page.source, page.headings, t("Copy"))
  const shown = { operation: validation, settings }
  const tabs = () => String(<TryBlock {...shown} samples={createQuickstartSamples(settings)} />)
  return (
    <DocsBody pages={pages} current={page}>
      <article lang={findLanguage(page)}>{raw(html.replace("<p>{samples}</p>", tabs))}</article>
    </DocsBody>
  )
}

type OperationProps = Readonly<{
  pages: readonly DocsPage[]
  page: DocsPage
  operation: ReferenceOperation
  settings: SampleSettings
}>

const OperationBody = ({ pages, page, operation, settings }: OperationProps) => {
  const { id, path, title, parameters, responses } = operation
  const samples = createSamples(path, settings)
  const success = findSuccess(operation, settings)
  const own = responses.filter((each) => each !== success && !isCommon(each))
  const common = responses.filter(isCommon).map(({ status }) => status)
  return (
    <DocsBody pages={pages} current={page}>
      <section id={id} class="operation">
        <div>
          <h1>{title}</h1>
          <p>
            <Pill tone="plain">{operation.method}</Pill> <code>{path}</code>
          </p>
          {raw(renderMarkdown(operation.text))}
        </div>
        <TryBlock operation={operation} samples={samples} settings={settings} />
        <div>
          {parameters.length > 0 && (
            <>
              <LinkedHeading id="parameters" text={t("Parameters")} />
              <dl class="fields">
                {parameters.map(({ name, type, isRequired, text }) => (
                  <>
                    <dt>
                      <code>{name}</code> <span class="hint">{type}</span>{" "}
                      <Pill tone={isRequired ? "warning" : "plain"}>
                        {isRequired ? t("required") : t("optional")}
                      </Pill>
                    </dt>
                    <dd>{raw(renderInline(text))}</dd>
                  </>
                ))}
              </dl>
            </>
          )}
          <LinkedHeading id="responses" text={t("Responses")} />
          {own.map((response) => (
            <ResponseDetails response={response} />
          ))}
          <p class="hint">
            <a href="/docs/errors">{t("{statuses}: see Error codes", { statuses: common })}</a>
          </p>
        </div>
      </section>
    </DocsBody>
  )
}

type TryProps = Readonly<{
  operation: ReferenceOperation
  samples: readonly Sample[]
  settings: SampleSettings
}>

/**
 * The request in several languages, and its response. The script shows a button that sends the request with the test key
 * and shows its response. Empty for an operation without samples.
 */
const TryBlock = ({ operation, samples, settings }: TryProps) => {
  const { id, method, path, title } = operation
  const request = findSampleRequest(path, settings)
  if (request === null) return null
  const response = findSuccess(operation, settings)
  const field = fields[path]
  return (
    <div class="try">
      <SamplesBlock id={id} title={title} samples={samples} />
      {response !== undefined && (
        <div
          class="run"
          data-run={path}
          data-method={method}
          data-header={request.header}
          data-value={headerValueOf(request, request.secret)}
          data-title={t("Response")}
          data-failed={t("The request failed: no response.")}
        >
          <p class="actions" hidden>
            {field !== undefined && (
              <select name={field.name} aria-label={t(field.label)}>
                {field.values.map((text) => (
                  <option>{text}</option>
                ))}
              </select>
            )}
            {field?.values === testCodes && (
              <input type="hidden" name="site" value={settings.site} />
            )}
            <button type="button" aria-label={`${t("Run")}: ${title}`}>
              {t("Run")}
            </button>
          </p>
          <p role="status">
            <span>{t("Sample response")}</span>{" "}
            <Pill tone={chooseTone(response.status)}>{response.status}</Pill> <code>ok</code>
          </p>
          {raw(renderCode("json", response.example ?? "", t("Copy")))}
        </div>
      )}
    </div>
  )
}

/** The response shown beside the samples. */
const findSuccess = ({ path, responses }: ReferenceOperation, settings: SampleSettings) =>
  findSampleRequest(path, settings) === null
    ? undefined
    : responses.find(({ status }) => status === "200")

/** Every operation has these responses; the page of error codes explains them. */
const isCommon = ({ status }: OperationResponse) =>
  status === "405" || status === "413" || isTemporary(status)

const chooseTone = (status: string) =>
  status < "400" ? "good" : isTemporary(status) ? "warning" : "danger"

const ResponseDetails = ({ response }: { response: OperationResponse }) => {
  const { status, text, errorCodes, example } = response
  return (
    <details class="response">
      <summary>
        <Pill tone={chooseTone(status)}>{status}</Pill> {raw(renderInline(text))}
      </summary>
      {errorCodes.length > 0 && (
        <p>
          <code>Pazar-Reason</code>:{" "}
          {errorCodes.map((code, at) => (
            <>
              {at > 0 && ", "}
              <a href={`/docs/errors#${code}`}>
                <code>{code}</code>
              </a>
            </>
          ))}
        </p>
      )}
      {example !== null && raw(renderCode("json", example, t("Copy")))}
    </details>
  )
}

/** The parameter that the reader can choose before running a request. */
const fields: Readonly<
  Record<string, Readonly<{ name: string; label: PlainKey; values: readonly string[] }>>
> = {
  [validatePurchaseEndpoint.path]: {
    name: "purchase_code",
    label: "Test code",
    values: testCodes,
  },
  [readItemEndpoint.path]: { name: "item_id", label: "Item", values: ["1", "2", "3", "4"] },
  [envatoSaleRoute.path]: { name: "code", label: "Test code", values: testCodes },
}

const groupTexts = {
  start: "Get started # docs",
  guides: "Guides",
  reference: "API reference",
  operators: "Operators # docs",
} as const
