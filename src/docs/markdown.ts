/** Markdown texts of the documentation: placeholders, headings, HTML. */
import { publicTestSecret } from "../contract/operation.ts"
import type { SampleSettings } from "../keys/samples.tsx"
import { highlight } from "../platform/pages/highlight.ts"

/** The base URL in the Markdown files: the server of `npm start`. */
const sourceBaseUrl = "http://127.0.0.1:8080"

export const fillIn = (
  text: string,
  { baseUrl, secret }: Pick<SampleSettings, "baseUrl" | "secret">,
) => text.replaceAll(sourceBaseUrl, baseUrl).replaceAll(publicTestSecret, secret)

/** A heading below the title, and its anchor. */
export type Heading = Readonly<{ id: string; text: string }>

/** Anchors are made from the `english` text, so they are the same in every language. */
export function listHeadings(markdown: string, english: string): readonly Heading[] {
  const headings = (text: string) =>
    [...text.matchAll(/^##+ (.*)$/gm)].map(([, heading = ""]) => heading.replaceAll("`", ""))
  const ids = headings(english).map((text) =>
    text
      .toLowerCase()
      .replaceAll("'", "")
      .replace(/[^a-z0-9_]+/g, "-"),
  )
  return headings(markdown).map((text, at) => ({ id: ids[at] ?? "", text }))
}

/** Makes a page a part of a longer text. Blocks of code stay unchanged. */
export const lowerHeadings = (markdown: string) =>
  markdown.replace(/^```.*?^```$|^#+ /gms, (part) => (part.startsWith("#") ? `#${part}` : part))

const htmlEscapes: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', amp: "&" }

/** Decodes the characters that the parser escapes in code. */
const unescapeHtml = (html: string) =>
  html.replace(/&(lt|gt|quot|amp);/g, (_, name: string) => htmlEscapes[name] ?? "")

/** A block of code that can be scrolled by keyboard and copied. The script shows the button. */
export const renderCode = (language: string, code: string, copyLabel: string) =>
  `<div class="code"><pre tabindex="0"><code>${highlight(language, code)}</code></pre><button type="button" class="quiet" data-copy-before hidden>${copyLabel}</button></div>`

/** HTML in a text is shown as text. */
export function renderMarkdown(
  text: string,
  headings: readonly Heading[] = [],
  copyLabel = "",
): string {
  let at = 0
  return Bun.markdown
    .html(text, { noHtmlBlocks: true, noHtmlSpans: true })
    .replace(/<(h[23])>(.*?)<\/\1>/gs, (_, tag: string, html: string) => {
      const { id } = headings[at++] ?? { id: "" }
      return `<${tag} id="${id}"><a href="#${id}">${html}</a></${tag}>`
    })
    .replace(
      /<pre><code(?: class="language-(\w+)")?>(.*?)<\/code><\/pre>/gs,
      (_, language = "", code: string) => renderCode(language, unescapeHtml(code), copyLabel),
    )
    .replace(/<table>.*?<\/table>/gs, labelCells)
    .replaceAll("<th>", '<th scope="col">')
}

/** A phone shows a row as a block, with the name of its column before each cell. */
function labelCells(table: string): string {
  const heads = [...table.matchAll(/<th\b[^>]*>(.*?)<\/th>/gs)].map(([, html = ""]) =>
    html.replace(/<[^>]*>/g, "").replaceAll('"', "&quot;"),
  )
  return table.replace(/<tr>.*?<\/tr>/gs, (row) => {
    let column = 0
    return row.replaceAll("<td>", () => `<td data-label="${heads[column++] ?? ""}">`)
  })
}

export const renderInline = (text: string) =>
  renderMarkdown(text)
    .trim()
    .replace(/^<p>|<\/p>$/g, "")
