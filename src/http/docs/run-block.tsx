import { saleRoute } from "../api/envato/answer-sale.ts"
import { readItemEndpoint } from "../api/read-item.ts"
import { validatePurchaseEndpoint } from "../api/validate-purchase.ts"
import { headerValueOf, type SampleRequest } from "../pages/samples/sample-request.ts"
import type { View } from "../pages/view.ts"
import type { ReferenceOperation } from "./reference.ts"

const testCodes = [
  ...["test-regular", "test-extended", "test-support-expired", "test-revoked"],
  ...["test-unknown", "test-rate-limited", "test-unavailable"],
]

type RunField = Readonly<{
  name: "purchase_code" | "item_id" | "code"
  values: readonly string[]
}>

/** The value that the reader may choose before running a request; null if there is none. */
function findField(path: string): RunField | null {
  switch (path) {
    case validatePurchaseEndpoint.path:
      return { name: "purchase_code", values: testCodes }
    case readItemEndpoint.path:
      return { name: "item_id", values: ["1", "2", "3", "4"] }
    case saleRoute.path:
      return { name: "code", values: testCodes }
    default:
      return null
  }
}

type RunProps = Readonly<{
  view: View
  operation: ReferenceOperation
  request: SampleRequest
}>

/** Sends the request from the page, with the test key. Hidden until the script has made it work. */
export const RunBlock = ({ view, operation, request }: RunProps) => {
  const { method, path, title } = operation
  const field = findField(path)
  const { docs } = view.words
  return (
    <div
      class="run"
      data-run={path}
      data-method={method}
      data-header={request.header}
      data-value={headerValueOf(request, request.secret)}
      data-failed={docs.runFailed}
      hidden
    >
      <p class="actions">
        {field !== null && (
          <select name={field.name} aria-label={docs.runWith[field.name]}>
            {field.values.map((text) => (
              <option>{text}</option>
            ))}
          </select>
        )}
        <button type="button" aria-label={`${docs.run}: ${title}`}>
          {docs.run}
        </button>
        <span class="mono" role="status" />
      </p>
      <pre tabindex={0} hidden>
        <code />
      </pre>
    </div>
  )
}
