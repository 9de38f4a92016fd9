import { raw } from "hono/html"
import type { View } from "../pages/view.ts"
import { renderInline } from "./markdown.ts"
import type { ReasonFacts } from "./reasons.ts"

export const ReasonTable = ({
  view,
  reasons,
}: Readonly<{ view: View; reasons: readonly ReasonFacts[] }>) => {
  const { docs } = view.words
  return (
    <table class="stack">
      <thead>
        <tr>
          <th scope="col">{docs.reason}</th>
          <th scope="col">{docs.status}</th>
          <th scope="col">{docs.meaning}</th>
          <th scope="col">{docs.action}</th>
        </tr>
      </thead>
      <tbody>
        {reasons.map(({ reason, statuses, meaning, action }) => (
          <tr>
            <td class="mono">{reason}</td>
            <td data-label={docs.status}>{statuses}</td>
            <td data-label={docs.meaning}>{raw(renderInline(meaning))}</td>
            <td data-label={docs.action}>{raw(renderInline(action))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
