/** The pages of the documentation: one per operation and one per Markdown text. */
import type { Locale } from "../../domain/values/locale.ts"
import { webhooksOf } from "../openapi/openapi-document.ts"
import type { SampleSettings } from "../pages/samples/sample-request.ts"
import { createQuickstartSamples } from "../pages/samples/samples.ts"
import type { PageTexts } from "../pages/translations/texts.ts"
import { type ClientFile, describeClients } from "./clients/clients.ts"
import { fillIn, type Heading, listHeadings } from "./markdown.ts"
import type { Reference, ReferenceOperation } from "./reference.ts"
import {
  renderErrorCodes,
  renderObjects,
  renderOperation,
  renderSamples,
} from "./reference-markdown.ts"
import { markdownPages, type Text } from "./texts.ts"

export const groups = ["start", "guides", "reference"] as const
type Group = (typeof groups)[number]

export type DocsPage = Readonly<{
  /** The path is `/docs/ID`. */ id: string
  group: Group
  title: string
  /** The first paragraph, as Markdown without links. */
  summary: string
  /** The page with samples in place of `{samples}`. */
  markdown: string
  /** The page with the placeholder `{samples}`, which becomes tabs in HTML. */
  source: string
  headings: readonly Heading[]
  operation: ReferenceOperation | null
}>

export const pathOf = ({ id }: Pick<DocsPage, "id">) => `/docs/${id}`

/** In the order of the index. `settings` contain the public test key. */
export function listPages(
  reference: Reference,
  texts: PageTexts,
  locale: Locale,
  settings: SampleSettings,
  clients: readonly ClientFile[],
): readonly DocsPage[] {
  const { docs } = texts
  const generated: Readonly<Record<string, () => string>> = {
    errors: () => renderErrorCodes(reference, docs),
    objects: () => renderObjects(reference, docs),
    events: () => renderEvents(locale),
  }
  const fill = (markdown: string) =>
    describeClients(markdown, clients).replace(
      /^\{(\w+)\}$/m,
      (placeholder, name: string) => generated[name]?.() ?? placeholder,
    )
  const operationPage = (operation: ReferenceOperation): DocsPage => ({
    id: operation.id,
    group: "reference",
    title: operation.title,
    summary: `${operation.text.split(". ")[0]?.replace(/\.$/, "")}.`,
    markdown: renderOperation(operation, docs, settings),
    source: operation.text,
    headings: [
      ...(operation.parameters.length > 0 ? [{ id: "parameters", text: docs.parameters }] : []),
      { id: "responses", text: docs.responses },
    ],
    operation,
  })
  const textPage = (group: Group, { id, markdown }: Text): DocsPage => {
    const source = fillIn(fill(markdown[locale]), settings)
    const [title = "", summary = ""] = source.split("\n\n")
    return {
      id,
      group,
      title: title.slice("# ".length),
      summary: summary.replaceAll("\n", " ").replace(/\[(.*?)\]\(.*?\)/g, "$1"),
      markdown: source.replace("{samples}", () => renderSamples(createQuickstartSamples(settings))),
      source,
      headings: listHeadings(source, fill(markdown.en)),
      operation: null,
    }
  }
  return [
    ...markdownPages.start.map((text) => textPage("start", text)),
    ...markdownPages.guides.map((text) => textPage("guides", text)),
    ...reference.operations.map(operationPage),
    ...markdownPages.reference.map((text) => textPage("reference", text)),
  ]
}

/** Each event under its name, with its meaning and the body that is sent. */
function renderEvents(locale: Locale): string {
  const webhooks = webhooksOf(locale)
  const { example } = webhooks["purchase.created"].post.requestBody.content["application/json"]
  const events = Object.entries(webhooks).map(([type, { post }]) => {
    const content = post.requestBody.content["application/json"]
    const body = "example" in content ? content.example : { ...example, type }
    return `### \`${type}\`\n\n${post.description}\n\n\`\`\`json\n${JSON.stringify(body, null, 2)}\n\`\`\``
  })
  return events.join("\n\n")
}
