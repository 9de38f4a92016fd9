/** The pages of the documentation: one per operation and one per Markdown text. */

import authors from "../../docs/authors.md" with { type: "text" }
import backup from "../../docs/backup.md" with { type: "text" }
import commands from "../../docs/commands.md" with { type: "text" }
import compatibility from "../../docs/compatibility.md" with { type: "text" }
import glossary from "../../docs/glossary.md" with { type: "text" }
import incidents from "../../docs/incidents.md" with { type: "text" }
import install from "../../docs/install.md" with { type: "text" }
import monitoring from "../../docs/monitoring.md" with { type: "text" }
import privacy from "../../docs/privacy.md" with { type: "text" }
import scaling from "../../docs/scaling.md" with { type: "text" }
import settings from "../../docs/settings.md" with { type: "text" }
import shopData from "../../docs/shop-data.md" with { type: "text" }
import upgrading from "../../docs/upgrading.md" with { type: "text" }
import { webhooksOf } from "../contract/openapi.ts"
import {
  createQuickstartSamples,
  createSamples,
  type Sample,
  type SampleSettings,
} from "../keys/samples.tsx"
import type { Locale } from "../platform/locale.ts"
import type { PageTexts } from "../platform/pages/translations/texts.ts"
import { type ClientFile, describeClients } from "./clients/clients.ts"
import { fillIn, type Heading, listHeadings } from "./markdown.ts"
import type { Field, Reference, ReferenceOperation } from "./reference.ts"
import enAuthentication from "./text/en/authentication.md" with { type: "text" }
import enClients from "./text/en/clients.md" with { type: "text" }
import enDownloads from "./text/en/downloads.md" with { type: "text" }
import enErrors from "./text/en/errors.md" with { type: "text" }
import enMoveFromEnvato from "./text/en/move-from-envato.md" with { type: "text" }
import enObjects from "./text/en/objects.md" with { type: "text" }
import enOffline from "./text/en/offline.md" with { type: "text" }
import enQuickstart from "./text/en/quickstart.md" with { type: "text" }
import enRateLimits from "./text/en/rate-limits.md" with { type: "text" }
import enRotateAKey from "./text/en/rotate-a-key.md" with { type: "text" }
import enShipAKey from "./text/en/ship-a-key.md" with { type: "text" }
import enSiteLimits from "./text/en/site-limits.md" with { type: "text" }
import enTestData from "./text/en/test-data.md" with { type: "text" }
import enVerifySignatures from "./text/en/verify-signatures.md" with { type: "text" }
import enVersioning from "./text/en/versioning.md" with { type: "text" }
import enWebhooks from "./text/en/webhooks.md" with { type: "text" }
import trAuthentication from "./text/tr/authentication.md" with { type: "text" }
import trClients from "./text/tr/clients.md" with { type: "text" }
import trDownloads from "./text/tr/downloads.md" with { type: "text" }
import trErrors from "./text/tr/errors.md" with { type: "text" }
import trMoveFromEnvato from "./text/tr/move-from-envato.md" with { type: "text" }
import trObjects from "./text/tr/objects.md" with { type: "text" }
import trOffline from "./text/tr/offline.md" with { type: "text" }
import trQuickstart from "./text/tr/quickstart.md" with { type: "text" }
import trRateLimits from "./text/tr/rate-limits.md" with { type: "text" }
import trRotateAKey from "./text/tr/rotate-a-key.md" with { type: "text" }
import trShipAKey from "./text/tr/ship-a-key.md" with { type: "text" }
import trSiteLimits from "./text/tr/site-limits.md" with { type: "text" }
import trTestData from "./text/tr/test-data.md" with { type: "text" }
import trVerifySignatures from "./text/tr/verify-signatures.md" with { type: "text" }
import trVersioning from "./text/tr/versioning.md" with { type: "text" }
import trWebhooks from "./text/tr/webhooks.md" with { type: "text" }

export const groups = ["start", "guides", "reference", "operators"] as const
type Group = (typeof groups)[number]

export type DocsPage = Readonly<{
  /** The path is `/docs/ID`. */
  id: string
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
  const textPage = (group: Group, { id, markdown }: Text) => {
    const source = fillIn(fill(markdown[locale]), settings)
    return {
      ...createTextPage(id, group, source, fill(markdown.en)),
      markdown: source.replace("{samples}", () => renderSamples(createQuickstartSamples(settings))),
    }
  }
  return [
    ...markdownPages.start.map((text) => textPage("start", text)),
    ...markdownPages.guides.map((text) => textPage("guides", text)),
    ...reference.operations.map(operationPage),
    ...markdownPages.reference.map((text) => textPage("reference", text)),
    ...operatorPages.map(([id, text]) => createTextPage(id, "operators", linkPages(text))),
  ]
}

function createTextPage(id: string, group: Group, source: string, english = source): DocsPage {
  const [title = "", summary = ""] = source.split("\n\n")
  return {
    id,
    group,
    title: title.slice("# ".length),
    summary: summary.replaceAll("\n", " ").replace(/\[(.*?)\]\(.*?\)/g, "$1"),
    markdown: source,
    source,
    headings: listHeadings(source, english),
    operation: null,
  }
}

/** Links between files become links between pages. The text of a link to any other file stays. */
function linkPages(markdown: string): string {
  const texts = Object.values(markdownPages).flat()
  const ids = [...texts, ...operatorPages.map(([id]) => ({ id }))].map(({ id }) => id)
  return markdown
    .replace(/<!--.*?-->\n*/g, "")
    .replace(/\[([^\]]*)\]\((?!https:|#)([^)]*)\)/g, (_, text: string, target: string) => {
      const [, id = "", anchor = ""] = /([a-z-]+)\.md(#.*)?$/.exec(target) ?? []
      return ids.includes(id) ? `[${text}](/docs/${id}${anchor})` : text
    })
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

/**
 * A page at `/docs/ID`. The first line is its title, the first paragraph its summary. Both languages have the same
 * headings: anchors are made from the English ones.
 */
export type Text = Readonly<{ id: string; markdown: Readonly<Record<Locale, string>> }>

/** In the order of the index. A new page is an entry here. The pages of the operations precede the other pages of the reference. */
export const markdownPages = {
  start: [
    { id: "quickstart", markdown: { en: enQuickstart, tr: trQuickstart } },
    { id: "clients", markdown: { en: enClients, tr: trClients } },
  ],
  guides: [
    { id: "ship-a-key", markdown: { en: enShipAKey, tr: trShipAKey } },
    { id: "site-limits", markdown: { en: enSiteLimits, tr: trSiteLimits } },
    { id: "offline", markdown: { en: enOffline, tr: trOffline } },
    { id: "verify-signatures", markdown: { en: enVerifySignatures, tr: trVerifySignatures } },
    { id: "downloads", markdown: { en: enDownloads, tr: trDownloads } },
    { id: "webhooks", markdown: { en: enWebhooks, tr: trWebhooks } },
    { id: "rotate-a-key", markdown: { en: enRotateAKey, tr: trRotateAKey } },
    { id: "move-from-envato", markdown: { en: enMoveFromEnvato, tr: trMoveFromEnvato } },
  ],
  reference: [
    { id: "errors", markdown: { en: enErrors, tr: trErrors } },
    { id: "authentication", markdown: { en: enAuthentication, tr: trAuthentication } },
    { id: "rate-limits", markdown: { en: enRateLimits, tr: trRateLimits } },
    { id: "test-data", markdown: { en: enTestData, tr: trTestData } },
    { id: "objects", markdown: { en: enObjects, tr: trObjects } },
    { id: "versioning", markdown: { en: enVersioning, tr: trVersioning } },
  ],
} as const satisfies Readonly<Record<string, readonly Text[]>>

/** English only. In the order of the index. */
const operatorPages: readonly (readonly [id: string, markdown: string])[] = [
  ["install", install],
  ["shop-data", shopData],
  ["authors", authors],
  ["settings", settings],
  ["commands", commands],
  ["backup", backup],
  ["upgrading", upgrading],
  ["monitoring", monitoring],
  ["incidents", incidents],
  ["scaling", scaling],
  ["privacy", privacy],
  ["compatibility", compatibility],
  ["glossary", glossary],
]

type Texts = PageTexts["docs"]

/** One section per error code. */
function renderErrorCodes({ errorCodes }: Reference, texts: Texts): string {
  const actions: Readonly<Record<string, string>> = texts.actions
  const sections = errorCodes.map(({ code, statuses, meaning, isTemporary }) => [
    `## \`${code}\``,
    `${texts.status}: **${statuses}** · ${texts.retry}: ${isTemporary ? texts.retryLater : texts.retryNever}`,
    meaning,
    `**${texts.action}:** ${actions[code] ?? ""}`,
  ])
  return sections.flat().join("\n\n")
}

const renderObjects = ({ objects }: Reference, texts: Texts) =>
  objects
    .map(({ name, fields }) => `## ${name}\n\n${renderFields(fields, texts, texts.always)}`)
    .join("\n\n")

function renderOperation(
  { method, path, title, text, parameters, responses }: ReferenceOperation,
  texts: Texts,
  settings: SampleSettings,
): string {
  return [
    `# ${title}`,
    `\`${method} ${path}\``,
    text,
    ...(parameters.length === 0
      ? []
      : [`## ${texts.parameters}`, renderFields(parameters, texts, texts.required)]),
    renderSamples(createSamples(path, settings)),
    `## ${texts.responses}`,
    ...responses.flatMap(({ status, text: meaning, errorCodes, example }) => [
      `**${status}** ${meaning} ${errorCodes.map((code) => `\`${code}\``).join(", ")}`.trim(),
      ...(example === null ? [] : [`\`\`\`json\n${example}\n\`\`\``]),
    ]),
  ]
    .filter((part) => part !== "")
    .join("\n\n")
}

export const renderSamples = (samples: readonly Sample[]) =>
  samples
    .map(({ name, language, text }) => `${name}:\n\n\`\`\`${language}\n${text}\`\`\``)
    .join("\n\n")

function renderFields(fields: readonly Field[], texts: Texts, ifRequired: string): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`
  const head = [texts.name, texts.type, texts.presence, texts.meaning]
  const rows = fields.map(({ name, type, isRequired, text }) =>
    line([`\`${name}\``, type, isRequired ? ifRequired : texts.optional, text]),
  )
  return [line(head), line(head.map(() => "---")), ...rows].join("\n")
}
