import type { View } from "../../pages/view.ts"

/** The JSON is indented for reading; the script copies it without the blanks, as the API sends it. */
export const JsonBlock = ({ view, title, json }: { view: View; title: string; json: string }) => (
  <details class="json">
    <summary>{title}</summary>
    <button type="button" class="quiet" data-copy-json hidden>
      {view.words.copy}
    </button>
    <pre tabindex={0}>
      <code>{JSON.stringify(JSON.parse(json), null, 2)}</code>
    </pre>
  </details>
)
