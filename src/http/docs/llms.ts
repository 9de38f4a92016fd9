/** `/llms.txt`: where a language model finds the documentation as text. See llmstxt.org. */
import { type Locale, locales } from "../api/answer/messages.ts"
import { catalogues } from "../pages/view.ts"
import { guides, summaryOf, titleOf } from "./texts.ts"

/** `name` is the name of the marketplace. */
export function renderLlmsText(name: string, baseUrl: string): string {
  return `# ${name}

> The author API of a marketplace: read the account and its items, and validate purchase codes. The base URL is ${baseUrl}.

Decide by the status: 200 is valid; 404 with the header Pazar-Reason \`unknown_code\` or \`revoked_code\` is not valid; keep the last state on anything else.

${locales.map((locale) => renderLinks(baseUrl, locale)).join("\n")}
## Optional

- [OpenAPI document](${baseUrl}/openapi.json): every path, parameter, status and header
`
}

function renderLinks(baseUrl: string, locale: Locale): string {
  const { language, docs } = catalogues[locale]
  const link = (path: string, title: string, text: string) =>
    `- [${title}](${baseUrl}${path}?lang=${locale}): ${text}\n`
  return `## ${language}

${link("/docs.md", docs.title, docs.heading)}${guides
  .map((guide) => link(`/docs/${guide.id}.md`, titleOf(guide, locale), summaryOf(guide, locale)))
  .join("")}`
}
