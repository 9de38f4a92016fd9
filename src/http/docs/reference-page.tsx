import { raw } from "hono/html"
import { Table } from "../pages/parts/blocks.tsx"
import { Pill } from "../pages/parts/values.tsx"
import type { SampleSettings } from "../pages/samples/sample-request.ts"
import type { View } from "../pages/view.ts"
import { createIndex, DocsLayout } from "./docs-layout.tsx"
import { fillIn, renderInline, renderMarkdown } from "./markdown.ts"
import { OperationSection } from "./operation-section.tsx"
import { listReasons, type Noun, type ReasonFacts, type Reference } from "./reference.ts"
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
