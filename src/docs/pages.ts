import type { Failure } from "../platform/error.ts"
import { type PlainKey, type TextKey, t } from "../platform/t.ts"
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
  locale: Locale,
  settings: SampleSettings,
  clients: readonly ClientFile[],
): readonly DocsPage[] {
  const generated: Readonly<Record<string, () => string>> = {
    errors: () => renderErrorCodes(reference),
    objects: () => renderObjects(reference),
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
    markdown: renderOperation(operation, settings),
    source: operation.text,
    headings: [
      ...(operation.parameters.length > 0 ? [{ id: "parameters", text: t("Parameters") }] : []),
      { id: "responses", text: t("Responses") },
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
type Text = Readonly<{ id: string; markdown: Readonly<Record<Locale, string>> }>

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

const errorActionTexts = {
  missing_key: "Send an API key in the header `X-Api-Key`.",
  unknown_key: "Check that the key was copied completely and belongs to this marketplace.",
  revoked_key: "Replace it with a valid key from the workspace. Products keep their last state.",
  expired_key:
    "Replace it with the rotated key or create a new one. Products keep their last state.",
  key_not_allowed:
    "Use a secret key, on your own server only, whose scope allows the operation. A validation key can only validate purchases, release sites and create download links. If the item has moved to another author, use a key of that author; products keep their last state.",
  account_suspended: "Contact the marketplace. Products keep their last state.",
  missing_parameter: "Add the required parameter. Empty values count as missing.",
  invalid_parameter:
    "Correct the value. A purchase code has at most 255 characters, an item ID is an integer, and a nonce has 16 to 128 letters, digits, `-` or `_`.",
  no_items: "Publish an item, or use the key of the account that owns the items.",
  unknown_item: "Check the item ID. Hidden items and items of other authors are not returned.",
  unknown_code:
    "Treat the code as invalid and ask the buyer to copy it again from the order e-mail. If a release request returned this error, the purchase can still be valid: keep the last state.",
  revoked_code: "Treat the code as invalid and disable the features that it unlocked.",
  expired_code: "Treat the code as invalid until the buyer renews the subscription.",
  no_download: "Ask the marketplace for the file: the item has no `download_url`.",
  site_limit:
    "Treat the code as invalid on this site. Let the buyer [release another site](/docs/site-limits).",
  method_not_allowed: "Use a method from the header `Allow`.",
  unknown_path: "Compare the path with the [operations](/docs/validate_purchase).",
  too_large: "Send a body of at most 64 KB.",
  rate_limited:
    "Keep the last state and wait. See [rate limits](/docs/rate-limits). After a release, only releases have to wait.",
  unavailable: "Keep the last state and retry. The error is not about the key or the code.",
} as const satisfies Readonly<Record<Failure, TextKey>>

function renderErrorCodes({ errorCodes }: Reference): string {
  const sections = errorCodes.map(({ code, statuses, meaning, isTemporary }) => {
    const action = new Map<string, PlainKey>(Object.entries(errorActionTexts)).get(code)
    return [
      `## \`${code}\``,
      `${t("HTTP status")}: **${statuses}** · ${t("Retry")}: ${isTemporary ? t("after `Retry-After` seconds") : t("no")}`,
      meaning,
      `**${t("What to do")}:** ${action === undefined ? "" : t(action)}`,
    ]
  })
  return sections.flat().join("\n\n")
}

const renderObjects = ({ objects }: Reference) =>
  objects
    .map(({ name, fields }) => `## ${name}\n\n${renderFields(fields, t("always"))}`)
    .join("\n\n")

function renderOperation(
  { method, path, title, text, parameters, responses }: ReferenceOperation,
  settings: SampleSettings,
): string {
  return [
    `# ${title}`,
    `\`${method} ${path}\``,
    text,
    ...(parameters.length === 0
      ? []
      : [`## ${t("Parameters")}`, renderFields(parameters, t("required"))]),
    renderSamples(createSamples(path, settings)),
    `## ${t("Responses")}`,
    ...responses.flatMap(({ status, text: meaning, errorCodes, example }) => [
      `**${status}** ${meaning} ${errorCodes.map((code) => `\`${code}\``).join(", ")}`.trim(),
      ...(example === null ? [] : [`\`\`\`json\n${example}\n\`\`\``]),
    ]),
  ]
    .filter((part) => part !== "")
    .join("\n\n")
}

const renderSamples = (samples: readonly Sample[]) =>
  samples
    .map(({ name, language, text }) => `${name}:\n\n\`\`\`${language}\n${text}\`\`\``)
    .join("\n\n")

function renderFields(fields: readonly Field[], ifRequired: string): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`
  const head = [t("Name"), t("Type"), t("Presence"), t("Meaning")]
  const rows = fields.map(({ name, type, isRequired, text }) =>
    line([`\`${name}\``, type, isRequired ? ifRequired : t("optional"), text]),
  )
  return [line(head), line(head.map(() => "---")), ...rows].join("\n")
}
