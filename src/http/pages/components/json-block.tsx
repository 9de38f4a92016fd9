import type { Locale } from "../../../domain/values/locale.ts"
import type { Endpoint } from "../../api/response/endpoint.ts"
import { successBodyPrefixes } from "../../api/response/messages.ts"
import type { View } from "../view.ts"

/** The body that the API returns, from its own renderer. */
export async function renderApiResponse<Result>(
  endpoint: Pick<Endpoint<never, never, Result>, "render">,
  result: Result,
  locale: Locale,
): Promise<string> {
  const body = await endpoint.render(result, successBodyPrefixes[locale])
  if (typeof body !== "string")
    throw new Error("only bodies without a stream can be shown on a page")
  return body
}

/** The JSON is indented; the script copies it without whitespace, as the API sends it. */
export const JsonBlock = ({ view, title, json }: { view: View; title: string; json: string }) => (
  <details class="json">
    <summary>{title}</summary>
    <button type="button" class="quiet" data-copy-json hidden>
      {view.texts.words.copy}
    </button>
    <pre tabindex={0}>
      <code>{JSON.stringify(JSON.parse(json), null, 2)}</code>
    </pre>
  </details>
)
