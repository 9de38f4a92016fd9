import { raw } from "hono/html"
import type { Child } from "hono/jsx"
import { readItemEndpoint } from "../items/item-endpoints.ts"
import {
  createQuickstartSamples,
  createSamples,
  findSampleRequest,
  headerValueOf,
  type Sample,
  type SampleSettings,
  SamplesBlock,
} from "../keys/samples.tsx"
import { asset } from "../platform/pages/assets.ts"
import { currentView } from "../platform/pages/context.ts"
import { Pill } from "../platform/pages/elements.tsx"
import { Document, PublicBar } from "../platform/pages/layout.tsx"
import { currentLocale, t } from "../platform/t.ts"
import { envatoSaleRoute } from "../purchases/envato-endpoints.ts"
import { validatePurchaseEndpoint } from "../purchases/purchase-endpoints.ts"
import { testCodes } from "../purchases/test-catalog.ts"
import { type Heading, renderCode, renderInline, renderMarkdown } from "./markdown.ts"
import { type DocsPage, groups, pathOf } from "./pages.ts"
import { isTemporary, type OperationResponse, type ReferenceOperation } from "./reference.ts"
import { queryLengthMax, type SearchResults } from "./search.ts"

export const searchPath = "/docs/search"

type DocsDocumentProps = Readonly<{
  title: string
  /** Null for the results of a search. */
  page: DocsPage | null
  /** The index and the column, as HTML. */
  body: string
}>

/** The parts of a page that depend on the visitor: head and bar. */
export const DocsDocument = ({ title, page, body }: DocsDocumentProps) => {
  const home = currentView().author === null ? "/" : "/workspace"
  const head = (
    <>
      {page !== null && <link rel="alternate" type="text/markdown" href={markdownPathOf(page)} />}
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

const markdownPathOf = (page: DocsPage) => `${pathOf(page)}.md?lang=${currentLocale()}`

type IndexProps = Readonly<{
  pages: readonly DocsPage[]
  /** Null for the results of a search. */
  current: DocsPage | null
}>

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
            <a href={markdownPathOf(current)}>{t("This page as Markdown")}</a>
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
                <li lang={languageOf(page)}>
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
const SearchForm = ({ query }: Readonly<{ query?: string }>) => (
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

type SearchProps = Readonly<{
  pages: readonly DocsPage[]
  query: string
  results: SearchResults
}>

export const SearchBody = ({ pages, query, results: { found, suggestion } }: SearchProps) => (
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
            <li lang={languageOf(page)}>
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
const languageOf = ({ group }: DocsPage) => (group === "operators" ? "en" : undefined)

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

export const TextBody = ({ pages, page, validation, settings }: TextProps) => {
  const html = renderMarkdown(page.source, page.headings, t("Copy"))
  const shown = { operation: validation, settings }
  const tabs = () => String(<TryBlock {...shown} samples={createQuickstartSamples(settings)} />)
  return (
    <DocsBody pages={pages} current={page}>
      <article lang={languageOf(page)}>{raw(html.replace("<p>{samples}</p>", tabs))}</article>
    </DocsBody>
  )
}

type OperationProps = Readonly<{
  pages: readonly DocsPage[]
  page: DocsPage
  operation: ReferenceOperation
  settings: SampleSettings
}>

export const OperationBody = ({ pages, page, operation, settings }: OperationProps) => {
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
            <ResponseDetails response={response} copyLabel={t("Copy")} />
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
              <select name={field.name} aria-label={t(runWithTexts[field.name])}>
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
            <Pill tone={toneOf(response.status)}>{response.status}</Pill> <code>ok</code>
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

const toneOf = (status: string) =>
  status < "400" ? "good" : isTemporary(status) ? "warning" : "danger"

type ResponseProps = Readonly<{ response: OperationResponse; copyLabel: string }>

const ResponseDetails = ({ response, copyLabel }: ResponseProps) => {
  const { status, text, errorCodes, example } = response
  return (
    <details class="response">
      <summary>
        <Pill tone={toneOf(status)}>{status}</Pill> {raw(renderInline(text))}
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
      {example !== null && raw(renderCode("json", example, copyLabel))}
    </details>
  )
}

/** The parameter that the reader can choose before running a request. */
const fields: Readonly<
  Record<string, Readonly<{ name: keyof typeof runWithTexts; values: readonly string[] }>>
> = {
  [validatePurchaseEndpoint.path]: { name: "purchase_code", values: testCodes },
  [readItemEndpoint.path]: { name: "item_id", values: ["1", "2", "3", "4"] },
  [envatoSaleRoute.path]: { name: "code", values: testCodes },
}

const groupTexts = {
  start: "Get started # docs",
  guides: "Guides",
  reference: "API reference",
  operators: "Operators # docs",
} as const

const runWithTexts = {
  purchase_code: "Test code",
  item_id: "Item",
  code: "Test code",
} as const
