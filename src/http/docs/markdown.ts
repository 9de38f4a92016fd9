/** The texts of the documentation: Markdown as it is written, as it is served, and as HTML. */
import { publicTestSecret } from "../../domain/keys/api-key.ts"
import type { SampleSettings } from "../pages/samples/sample-request.ts"

/** The address in the sources of the texts, where a reader finds the server of `npm start`. */
const writtenBaseUrl = "http://127.0.0.1:8080"

/** Puts the site's address and the reader's test key into a text. */
export const fillIn = (
  text: string,
  { baseUrl, secret }: Pick<SampleSettings, "baseUrl" | "secret">,
) => text.replaceAll(writtenBaseUrl, baseUrl).replaceAll(publicTestSecret, secret)

/** HTML in a text is shown as text. A block of code can be scrolled by keyboard. */
export const renderMarkdown = (text: string) =>
  Bun.markdown
    .html(text, { noHtmlBlocks: true, noHtmlSpans: true })
    .replaceAll("<pre>", '<pre tabindex="0">')
    .replace(/<table>.*?<\/table>/gs, labelCells)
    .replaceAll("<th>", '<th scope="col">')

/** On a phone a row is a block, and each of its cells after the first says what column it is of. */
function labelCells(table: string): string {
  const heads = [...table.matchAll(/<th[^>]*>(.*?)<\/th>/gs)].map(([, html = ""]) =>
    html.replace(/<[^>]*>/g, "").replaceAll('"', "&quot;"),
  )
  return table.replace(/<tr>.*?<\/tr>/gs, (row) => {
    let column = 0
    return row.replaceAll("<td>", (cell) => {
      const head = heads[column]
      return column++ === 0 || !head ? cell : `<td data-label="${head}">`
    })
  })
}

/** A text of one paragraph, without the paragraph around it. */
export const renderInline = (text: string) =>
  renderMarkdown(text)
    .trim()
    .replace(/^<p>|<\/p>$/g, "")
