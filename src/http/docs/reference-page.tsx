import { raw } from "hono/html"
import { saleRoute } from "../api/envato/answer-sale.ts"
import { readItemEndpoint } from "../api/read-item.ts"
import { validatePurchaseEndpoint } from "../api/validate-purchase.ts"
import { Table } from "../pages/parts/blocks.tsx"
import { Pill } from "../pages/parts/values.tsx"
import {
  findSampleRequest,
  headerValueOf,
  type SampleRequest,
  type SampleSettings,
} from "../pages/samples/sample-request.ts"
import { createSamples } from "../pages/samples/samples.ts"
import { SamplesBlock } from "../pages/samples/samples-block.tsx"
import type { View } from "../pages/view.ts"
import { createIndex, DocsLayout } from "./docs-layout.tsx"
import { fillIn, renderInline, renderMarkdown } from "./markdown.ts"
import {
  type Answer,
  listReasons,
  type Noun,
  type Parameter,
  type ReasonFacts,
  type Reference,
  type ReferenceOperation,
} from "./reference.ts"
import {
  firstSections,
  generalSections,
  guides,
  type Section,
  summaryOf,
  titleOf,
  validationSections,
} from "./texts.ts"

type ReferenceProps = Readonly<{
  view: View
  reference: Reference
  settings: SampleSettings
  /** Whether the key in the samples is the reader's own. */
  isOwnKey: boolean
}>

export const ReferencePage = ({ view, reference, settings, isOwnKey }: ReferenceProps) => {
  const { words, locale } = view
  const { docs } = words
  const [first, ...others] = reference.operations.map((operation) => (
    <OperationSection view={view} operation={operation} settings={settings} />
  ))
  const sectionsOf = (sections: readonly Section[]) =>
    sections.map(({ id, markdown }) => (
      <section id={id}>{raw(renderMarkdown(fillIn(markdown[locale], settings)))}</section>
    ))
  return (
    <DocsLayout
      view={view}
      title={docs.title}
      copyPath="/docs.md"
      index={createIndex(reference, words, locale, "")}
    >
      <h1>{docs.heading}</h1>
      <p class="lead">{isOwnKey ? docs.introOwnKey : docs.intro}</p>
      <p>
        {docs.baseUrl}: <code>{settings.baseUrl}</code>
      </p>
      {sectionsOf(firstSections)}
      {first}
      {sectionsOf(validationSections)}
      {others}
      {sectionsOf(generalSections)}
      <section id="reasons">
        <h2>{docs.reasons}</h2>
        <p>{raw(renderInline(docs.reasonsIntro))}</p>
        <ReasonTable view={view} reasons={listReasons(reference, words, locale)} />
      </section>
      <section id="objects">
        <h2>{docs.objects}</h2>
        <p>{raw(renderInline(docs.objectsIntro))}</p>
        {reference.nouns.map((noun) => (
          <NounDetails view={view} noun={noun} />
        ))}
      </section>
      <section id="guides">
        <h2>{docs.guides}</h2>
        <dl class="members">
          {guides.map((guide) => (
            <>
              <dt>
                <a href={`/docs/${guide.id}`}>{titleOf(guide, locale)}</a>
              </dt>
              <dd>{summaryOf(guide, locale)}</dd>
            </>
          ))}
        </dl>
      </section>
    </DocsLayout>
  )
}

const NounDetails = ({ view, noun }: Readonly<{ view: View; noun: Noun }>) => (
  <details class="answer">
    <summary>{noun.name}</summary>
    <ul class="plain-list">
      {noun.members.map(({ name, type, isRequired }) => (
        <li>
          <code>{name}</code> <span class="hint">{type}</span>
          {!isRequired && (
            <>
              {" "}
              <Pill tone="plain">{view.words.docs.sometimes}</Pill>
            </>
          )}
        </li>
      ))}
    </ul>
  </details>
)

type ReasonTableProps = Readonly<{ view: View; reasons: readonly ReasonFacts[] }>

const ReasonTable = ({ view, reasons }: ReasonTableProps) => {
  const { docs } = view.words
  return (
    <Table
      rows={reasons}
      columns={[
        { head: docs.reason, class: "mono", cell: ({ reason }) => reason },
        { head: docs.status, cell: ({ statuses }) => statuses },
        { head: docs.meaning, cell: ({ meaning }) => raw(renderInline(meaning)) },
        { head: docs.action, cell: ({ action }) => raw(renderInline(action)) },
      ]}
    />
  )
}

type OperationProps = Readonly<{
  view: View
  operation: ReferenceOperation
  settings: SampleSettings
}>

const OperationSection = ({ view, operation, settings }: OperationProps) => {
  const { id, method, path, title, text, parameters, answers } = operation
  const { docs } = view.words
  const request = findSampleRequest(path, settings)
  const success = request === null ? undefined : answers.find(({ status }) => status === "200")
  const own = answers.filter((each) => each !== success && !isCommon(each))
  return (
    <section id={id} class="operation">
      <div>
        <h2>{title}</h2>
        <p>
          <Pill tone="plain">{method}</Pill> <code>{path}</code>
        </p>
        {raw(renderMarkdown(text))}
      </div>
      {request !== null && (
        <div class="try">
          <SamplesBlock view={view} id={id} title={title} samples={createSamples(path, settings)} />
          <RunBlock view={view} operation={operation} request={request} />
          {success !== undefined && <SuccessBlock title={docs.success} answer={success} />}
        </div>
      )}
      <div>
        {parameters.length > 0 && <ParameterList view={view} parameters={parameters} />}
        <h3>{docs.answers}</h3>
        {own.map((answer) => (
          <AnswerDetails answer={answer} />
        ))}
        <p class="hint">
          <a href="#reasons">
            {docs.commonAnswers(answers.filter(isCommon).map(({ status }) => status))}
          </a>
        </p>
      </div>
    </section>
  )
}

type ParameterListProps = Readonly<{ view: View; parameters: readonly Parameter[] }>

const ParameterList = ({ view, parameters }: ParameterListProps) => (
  <>
    <h3>{view.words.docs.parameters}</h3>
    <dl class="members">
      {parameters.map(({ name, type, isRequired, text }) => (
        <>
          <dt>
            <code>{name}</code> <span class="hint">{type}</span>{" "}
            <Pill tone={isRequired ? "warning" : "plain"}>
              {isRequired ? view.words.docs.required : view.words.docs.optional}
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

/** The shape of the answer, beside the request. */
const SuccessBlock = ({ title, answer }: Readonly<{ title: string; answer: Answer }>) => (
  <>
    <p>
      {title} <Pill tone="good">{answer.status}</Pill> <code>Pazar-Reason: ok</code>
    </p>
    <pre tabindex={0}>
      <code>{answer.example}</code>
    </pre>
  </>
)

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
              <a href="#reasons">
                <code>{reason}</code>
              </a>
            </>
          ))}
        </p>
      )}
      {example !== null && (
        <pre tabindex={0}>
          <code>{example}</code>
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
    case saleRoute.path:
      return { name: "code", values: testCodes }
    default:
      return null
  }
}

type RunProps = Readonly<{
  view: View
  operation: ReferenceOperation
  request: SampleRequest
}>

/** Sends the request from the page, with the test key. Hidden until the script has made it work. */
const RunBlock = ({ view, operation, request }: RunProps) => {
  const { method, path, title } = operation
  const field = findField(path)
  const { docs } = view.words
  return (
    <div
      class="run"
      data-run={path}
      data-method={method}
      data-header={request.header}
      data-value={headerValueOf(request, request.secret)}
      data-failed={docs.runFailed}
      hidden
    >
      <p class="actions">
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
        <span class="mono" role="status" />
      </p>
      <pre tabindex={0} hidden>
        <code />
      </pre>
    </div>
  )
}
