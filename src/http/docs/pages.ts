/** The pages of the documentation: one an operation, one an explanation and one a guide. */
import type { Locale } from "../api/response/messages.ts"
import type { SampleSettings } from "../pages/samples/sample-request.ts"
import type { PageTexts } from "../pages/translations/en.ts"
import { type ClientFile, describeClients } from "./clients/clients.ts"
import { fillIn, type Heading, listHeadings } from "./markdown.ts"
import type { Reference, ReferenceOperation } from "./reference.ts"
import { renderObjects, renderOperation, renderReasons } from "./reference-markdown.ts"
import { guides, sections, summaryOf, type Text, titleOf } from "./texts.ts"

type Common = Readonly<{
  /** The path is `/docs/ID`. */
  id: string
  title: string
  /** Shown beside its title in a list; Markdown. */
  summary: string
  /** The whole page, for those who want it as text. */
  markdown: string
  headings: readonly Heading[]
}>

export type OperationPage = Common &
  Readonly<{ group: "operations"; operation: ReferenceOperation }>
export type TextPage = Common & Readonly<{ group: "explanations" | "guides" }>
export type DocsPage = OperationPage | TextPage

export const pathOf = ({ id }: Pick<DocsPage, "id">) => `/docs/${id}`

/** In the order of the index. The settings hold the public test key. */
export function listPages(
  reference: Reference,
  words: PageTexts,
  locale: Locale,
  settings: SampleSettings,
  clients: readonly ClientFile[],
): readonly DocsPage[] {
  const { docs } = words
  const operationPage = (operation: ReferenceOperation): OperationPage => ({
    id: operation.id,
    group: "operations",
    title: operation.title,
    summary: `\`${operation.method} ${operation.path}\``,
    markdown: raiseHeadings(renderOperation(operation, docs, settings)),
    headings: [
      ...(operation.parameters.length > 0 ? [{ id: "parameters", text: docs.parameters }] : []),
      { id: "responses", text: docs.answers },
    ],
    operation,
  })
  const textPage = (
    group: TextPage["group"],
    text: Text,
    change: (markdown: string) => string,
  ): TextPage => {
    const markdown = change(text.markdown[locale])
    return {
      id: text.id,
      group,
      title: titleOf(text, locale),
      summary: group === "guides" ? summaryOf(text, locale) : "",
      markdown: fillIn(markdown, settings),
      headings: listHeadings(markdown, change(text.markdown.en)),
    }
  }
  /** Its headings are names, the same in every language. */
  const tablePage = (id: string, markdown: string) =>
    textPage("explanations", { id, markdown: { en: markdown, tr: markdown } }, raiseHeadings)
  return [
    ...reference.operations.map(operationPage),
    ...guides.map((guide) => textPage("guides", guide, (text) => describeClients(text, clients))),
    ...sections.map((section) => textPage("explanations", section, raiseHeadings)),
    tablePage("reasons", renderReasons(reference, words)),
    tablePage("objects", renderObjects(reference, words)),
  ]
}

/** A part of the reference as a page of its own. */
const raiseHeadings = (markdown: string) => markdown.replace(/^#(#+ )/gm, "$1")
