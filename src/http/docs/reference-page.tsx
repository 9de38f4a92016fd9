import { raw } from "hono/html"
import { envatoSaleRoute } from "../api/envato/envato-sale-endpoint.ts"
import { readItemEndpoint } from "../api/read-item-endpoint.ts"
import { validatePurchaseEndpoint } from "../api/validate-purchase-endpoint.ts"
import { Pill } from "../pages/components/formatted-values.tsx"
import { highlight } from "../pages/samples/highlight.ts"
import {
  findSampleRequest,
  headerValueOf,
  type SampleRequest,
  type SampleSettings,
} from "../pages/samples/sample-request.ts"
import { createSamples } from "../pages/samples/samples.ts"
import { SamplesBlock } from "../pages/samples/samples-block.tsx"
import type { PageTexts } from "../pages/translations/en.ts"
import { DocsBody, type DocsView, groups, LinkedHeading } from "./docs-layout.tsx"
import { renderInline, renderMarkdown } from "./markdown.ts"
import { type OperationPage, pathOf, type TextPage } from "./pages.ts"
import type { Answer, Parameter, ReferenceOperation } from "./reference.ts"

type StartProps = Readonly<{
  view: DocsView
  settings: SampleSettings
  /** Whether the key in the samples is the reader's own. */
  isOwnKey: boolean
}>

/** The first request, and a link to every page. */
export const StartBody = ({ view, settings, isOwnKey }: StartProps) => {
  const { texts, pages } = view
  const { docs } = texts
  const [first] = pages.filter((page) => page.group === "operations")
  return (
    <DocsBody view={view}>
      <h1>{docs.heading}</h1>
      <p class="lead">{isOwnKey ? docs.introOwnKey : docs.intro}</p>
      <p>
        {docs.baseUrl}: <code>{settings.baseUrl}</code>
      </p>
      {first !== undefined && (
        <section id={first.id} class="operation">
          <div>
            <h2>
              <a href={pathOf(first)}>{first.title}</a>
            </h2>
            <OperationHead operation={first.operation} />
          </div>
          <TryBlock words={texts} operation={first.operation} settings={settings} />
        </section>
      )}
      {groups.map((group) => (
        <section>
          <LinkedHeading id={group} text={docs[group]} />
          <ul class="plain-list entries">
            {pages
              .filter((page) => page.group === group)
              .map((page) => (
                <li>
                  <a href={pathOf(page)}>{page.title}</a>
                  {page.summary !== "" && (
                    <span class="hint">{raw(renderInline(page.summary))}</span>
                  )}
                </li>
              ))}
          </ul>
        </section>
      ))}
    </DocsBody>
  )
}

export const TextBody = ({ view, page }: Readonly<{ view: DocsView; page: TextPage }>) => (
  <DocsBody view={view}>
    <article>{raw(renderMarkdown(page.markdown, page.headings))}</article>
  </DocsBody>
)

type OperationProps = Readonly<{ view: DocsView; page: OperationPage; settings: SampleSettings }>

export const OperationBody = ({ view, page, settings }: OperationProps) => {
  const { texts } = view
  const { docs } = texts
  const { id, title, operation } = page
  const { parameters, answers } = operation
  const success = findSuccess(operation, settings)
  const own = answers.filter((each) => each !== success && !isCommon(each))
  const common = answers.filter(isCommon).map(({ status }) => status)
  return (
    <DocsBody view={view}>
      <section id={id} class="operation">
        <div>
          <h1>{title}</h1>
          <OperationHead operation={operation} />
        </div>
        <TryBlock words={texts} operation={operation} settings={settings} />
        <div>
          {parameters.length > 0 && <ParameterList words={texts} parameters={parameters} />}
          <LinkedHeading id="responses" text={docs.answers} />
          {own.map((answer) => (
            <AnswerDetails answer={answer} />
          ))}
          <p class="hint">
            <a href="/docs/reasons">{docs.commonAnswers(common)}</a>
          </p>
        </div>
      </section>
    </DocsBody>
  )
}

const OperationHead = ({ operation }: { operation: ReferenceOperation }) => (
  <>
    <p>
      <Pill tone="plain">{operation.method}</Pill> <code>{operation.path}</code>
    </p>
    {raw(renderMarkdown(operation.text))}
  </>
)

type TryProps = Readonly<{
  words: PageTexts
  operation: ReferenceOperation
  settings: SampleSettings
}>

/** The request in several languages and its answer. Nothing for an operation without samples. */
const TryBlock = ({ words, operation, settings }: TryProps) => {
  const { id, path, title } = operation
  const request = findSampleRequest(path, settings)
  if (request === null) return null
  const success = findSuccess(operation, settings)
  return (
    <div class="try">
      <SamplesBlock words={words} id={id} title={title} samples={createSamples(path, settings)} />
      {success !== undefined && (
        <RunBlock words={words} operation={operation} request={request} answer={success} />
      )}
    </div>
  )
}

/** The answer that stands beside the samples. */
const findSuccess = ({ path, answers }: ReferenceOperation, settings: SampleSettings) =>
  findSampleRequest(path, settings) === null
    ? undefined
    : answers.find(({ status }) => status === "200")

type ParameterListProps = Readonly<{ words: PageTexts; parameters: readonly Parameter[] }>

const ParameterList = ({ words, parameters }: ParameterListProps) => (
  <>
    <LinkedHeading id="parameters" text={words.docs.parameters} />
    <dl class="members">
      {parameters.map(({ name, type, isRequired, text }) => (
        <>
          <dt>
            <code>{name}</code> <span class="hint">{type}</span>{" "}
            <Pill tone={isRequired ? "warning" : "plain"}>
              {isRequired ? words.docs.required : words.docs.optional}
            </Pill>
          </dt>
          <dd>{raw(renderInline(text))}</dd>
        </>
      ))}
    </dl>
  </>
)

/** Every operation gives these answers, and the reasons below explain them. */
const isCommon = ({ status }: Answer) =>
  status === "405" || status === "413" || status === "429" || status >= "500"

/** Green for success, red for a refusal, yellow for "try again". */
const toneOf = (status: string) =>
  status < "400" ? "good" : status === "429" || status >= "500" ? "warning" : "danger"

const AnswerDetails = ({ answer }: { answer: Answer }) => {
  const { status, text, reasons, example } = answer
  return (
    <details class="answer">
      <summary>
        <Pill tone={toneOf(status)}>{status}</Pill> {raw(renderInline(text))}
      </summary>
      {reasons.length > 0 && (
        <p>
          <code>Pazar-Reason</code>:{" "}
          {reasons.map((reason, at) => (
            <>
              {at > 0 && ", "}
              <a href="/docs/reasons">
                <code>{reason}</code>
              </a>
            </>
          ))}
        </p>
      )}
      {example !== null && (
        <pre tabindex={0}>
          <code>{raw(highlight("json", example))}</code>
        </pre>
      )}
    </details>
  )
}

const testCodes = [
  ...["test-regular", "test-extended", "test-support-expired", "test-revoked"],
  ...["test-unknown", "test-site-limit", "test-rate-limited", "test-unavailable"],
]

type RunField = Readonly<{
  name: "purchase_code" | "item_id" | "code"
  values: readonly string[]
}>

/** The value that the reader may choose before running a request; null if there is none. */
function findField(path: string): RunField | null {
  switch (path) {
    case validatePurchaseEndpoint.path:
      return { name: "purchase_code", values: testCodes }
    case readItemEndpoint.path:
      return { name: "item_id", values: ["1", "2", "3", "4"] }
    case envatoSaleRoute.path:
      return { name: "code", values: testCodes }
    default:
      return null
  }
}

type RunProps = Readonly<{
  words: PageTexts
  operation: ReferenceOperation
  request: SampleRequest
  answer: Answer
}>

/**
 * A sample answer. The script shows a button that sends the request from the page, with the test key, and puts
 * its answer in place of the sample.
 */
const RunBlock = ({ words: { docs }, operation, request, answer }: RunProps) => {
  const { method, path, title } = operation
  const field = findField(path)
  return (
    <div
      class="run"
      data-run={path}
      data-method={method}
      data-header={request.header}
      data-value={headerValueOf(request, request.secret)}
      data-title={docs.success}
      data-failed={docs.runFailed}
    >
      <p class="actions" hidden>
        {field !== null && (
          <select name={field.name} aria-label={docs.runWith[field.name]}>
            {field.values.map((text) => (
              <option>{text}</option>
            ))}
          </select>
        )}
        <button type="button" aria-label={`${docs.run}: ${title}`}>
          {docs.run}
        </button>
      </p>
      <p role="status">
        <span>{docs.sampleAnswer}</span> <Pill tone={toneOf(answer.status)}>{answer.status}</Pill>{" "}
        <code>ok</code>
      </p>
      <pre tabindex={0}>
        <code>{raw(highlight("json", answer.example ?? ""))}</code>
      </pre>
    </div>
  )
}
