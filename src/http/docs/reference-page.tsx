import { raw } from "hono/html"
import { testCodes } from "../../domain/catalog/catalog.ts"
import { envatoSaleRoute } from "../api/envato/envato-endpoints.ts"
import { readItemEndpoint } from "../api/read-item-endpoint.ts"
import { validatePurchaseEndpoint } from "../api/validate-purchase-endpoint.ts"
import { Pill } from "../pages/components/elements.tsx"
import {
  findSampleRequest,
  headerValueOf,
  type SampleRequest,
  type SampleSettings,
} from "../pages/samples/sample-request.ts"
import { createQuickstartSamples, createSamples, type Sample } from "../pages/samples/samples.ts"
import { SamplesBlock } from "../pages/samples/samples-block.tsx"
import type { PageTexts } from "../pages/translations/texts.ts"
import { DocsBody, type DocsView, LinkedHeading } from "./docs-layout.tsx"
import { renderCode, renderInline, renderMarkdown } from "./markdown.ts"
import type { DocsPage } from "./pages.ts"
import {
  type Field,
  isTemporary,
  type OperationResponse,
  type ReferenceOperation,
} from "./reference.ts"

type TextProps = Readonly<{
  view: DocsView
  page: DocsPage
  /** Its samples replace `{samples}`. */
  validation: ReferenceOperation
  settings: SampleSettings
}>

export const TextBody = ({ view, page, validation, settings }: TextProps) => {
  const html = renderMarkdown(page.source, page.headings, view.texts.words.copy)
  const samples = createQuickstartSamples(settings)
  const tabs = () =>
    String(
      <TryBlock texts={view.texts} operation={validation} samples={samples} settings={settings} />,
    )
  return (
    <DocsBody view={view}>
      <article>{raw(html.replace("<p>{samples}</p>", tabs))}</article>
    </DocsBody>
  )
}

type OperationProps = Readonly<{
  view: DocsView
  operation: ReferenceOperation
  settings: SampleSettings
}>

export const OperationBody = ({ view, operation, settings }: OperationProps) => {
  const { texts } = view
  const { id, path, title, parameters, responses } = operation
  const samples = createSamples(path, settings)
  const success = findSuccess(operation, settings)
  const own = responses.filter((each) => each !== success && !isCommon(each))
  const common = responses.filter(isCommon).map(({ status }) => status)
  return (
    <DocsBody view={view}>
      <section id={id} class="operation">
        <div>
          <h1>{title}</h1>
          <p>
            <Pill tone="plain">{operation.method}</Pill> <code>{path}</code>
          </p>
          {raw(renderMarkdown(operation.text))}
        </div>
        <TryBlock texts={texts} operation={operation} samples={samples} settings={settings} />
        <div>
          {parameters.length > 0 && <ParameterList texts={texts} parameters={parameters} />}
          <LinkedHeading id="responses" text={texts.docs.responses} />
          {own.map((response) => (
            <ResponseDetails response={response} copyLabel={texts.words.copy} />
          ))}
          <p class="hint">
            <a href="/docs/errors">{texts.docs.commonResponses(common)}</a>
          </p>
        </div>
      </section>
    </DocsBody>
  )
}

type TryProps = Readonly<{
  texts: PageTexts
  operation: ReferenceOperation
  samples: readonly Sample[]
  settings: SampleSettings
}>

/** The request in several languages, and its response. Empty for an operation without samples. */
const TryBlock = ({ texts, operation, samples, settings }: TryProps) => {
  const { id, path, title } = operation
  const request = findSampleRequest(path, settings)
  if (request === null) return null
  const success = findSuccess(operation, settings)
  return (
    <div class="try">
      <SamplesBlock texts={texts} id={id} title={title} samples={samples} />
      {success !== undefined && (
        <RunBlock
          texts={texts}
          operation={operation}
          request={request}
          response={success}
          site={settings.site}
        />
      )}
    </div>
  )
}

/** The response shown beside the samples. */
const findSuccess = ({ path, responses }: ReferenceOperation, settings: SampleSettings) =>
  findSampleRequest(path, settings) === null
    ? undefined
    : responses.find(({ status }) => status === "200")

type ParameterListProps = Readonly<{ texts: PageTexts; parameters: readonly Field[] }>

const ParameterList = ({ texts, parameters }: ParameterListProps) => (
  <>
    <LinkedHeading id="parameters" text={texts.docs.parameters} />
    <dl class="fields">
      {parameters.map(({ name, type, isRequired, text }) => (
        <>
          <dt>
            <code>{name}</code> <span class="hint">{type}</span>{" "}
            <Pill tone={isRequired ? "warning" : "plain"}>
              {isRequired ? texts.docs.required : texts.docs.optional}
            </Pill>
          </dt>
          <dd>{raw(renderInline(text))}</dd>
        </>
      ))}
    </dl>
  </>
)

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
  Record<string, Readonly<{ name: keyof PageTexts["docs"]["runWith"]; values: readonly string[] }>>
> = {
  [validatePurchaseEndpoint.path]: { name: "purchase_code", values: testCodes },
  [readItemEndpoint.path]: { name: "item_id", values: ["1", "2", "3", "4"] },
  [envatoSaleRoute.path]: { name: "code", values: testCodes },
}

type RunProps = Readonly<{
  texts: PageTexts
  operation: ReferenceOperation
  request: SampleRequest
  response: OperationResponse
  site: string | undefined
}>

/** A sample response. The script shows a button that sends the request with the test key and shows its response. */
const RunBlock = ({ texts, operation, request, response, site }: RunProps) => {
  const { docs } = texts
  const { method, path, title } = operation
  const field = fields[path]
  return (
    <div
      class="run"
      data-run={path}
      data-method={method}
      data-header={request.header}
      data-value={headerValueOf(request, request.secret)}
      data-title={docs.response}
      data-failed={docs.runFailed}
    >
      <p class="actions" hidden>
        {field !== undefined && (
          <select name={field.name} aria-label={docs.runWith[field.name]}>
            {field.values.map((text) => (
              <option>{text}</option>
            ))}
          </select>
        )}
        {field?.values === testCodes && <input type="hidden" name="site" value={site} />}
        <button type="button" aria-label={`${docs.run}: ${title}`}>
          {docs.run}
        </button>
      </p>
      <p role="status">
        <span>{docs.sampleResponse}</span>{" "}
        <Pill tone={toneOf(response.status)}>{response.status}</Pill> <code>ok</code>
      </p>
      {raw(renderCode("json", response.example ?? "", texts.words.copy))}
    </div>
  )
}
