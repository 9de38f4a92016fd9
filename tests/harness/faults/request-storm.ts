/**
 * Sends many random requests and checks the responses: no 5xx, no hang, no second response, and a JSON object under
 * `/api`. The runtime itself rejects requests that it cannot parse, with an empty 400, 413, 431 or 505 and a closed
 * connection.
 */
import { authorDocuments, operatorDocuments } from "../../../src/contract/openapi.ts"
import { createRandom } from "../feed/random-feed.ts"
import { dereference } from "../http/openapi-fetch.ts"
import { createRequests, type RandomRequest } from "../http/random-requests.ts"
import { exchange, statusesOf } from "../http/raw-http.ts"
import { bobs, importedSecret, openMarketplace, revoked, sold } from "../marketplace.ts"

export type RequestStorm = Readonly<{
  /** The number of responses by status; 0 counts connections that ended without a response. */
  statuses: ReadonlyMap<number, number>
  findings: readonly Readonly<{ what: string; request: RandomRequest; responses: string }>[]
  logged: string
}>

type StormOptions = Readonly<{
  requests: number
  seed: number
  onRequests?: (count: number) => void
}>

const inFlight = 16
const operatorToken = "operator-token-of-this-test-1234"
const metricsToken = "metrics-token-of-this-test-12345"

export async function runRequestStorm({
  requests,
  seed,
  onRequests,
}: StormOptions): Promise<RequestStorm> {
  const market = await openMarketplace({
    LOG_LEVEL: "error",
    PAZAR_OPERATOR_TOKEN: operatorToken,
    PAZAR_METRICS_TOKEN: metricsToken,
  })
  const codes = [sold, revoked, bobs].map((line) => String(line.purchase_code))
  const documents = [authorDocuments.en, operatorDocuments.en].map(dereference)
  const values = [
    ...[
      ...Object.values(market.keys),
      ...Object.values(market.inactiveKeys),
      importedSecret,
      operatorToken,
    ],
    ...[...codes, ...codes.map((code) => code.toUpperCase()), "11", "12", "14", "21", "en", "tr"],
    ...["test-regular", "test-revoked", "0123456789abcdef", "ada"],
  ]
  const next = createRequests({ documents, values }, createRandom(seed))
  const statuses = new Map<number, number>()
  const findings: RequestStorm["findings"][number][] = []
  let sent = 0

  async function sendMany(): Promise<void> {
    while (sent < requests) {
      sent += 1
      onRequests?.(sent)
      const request = next()
      const waits = request.kind === "described" || request.kind === "soup"
      const responses = await exchange(market.url, [request.text], { waits }).catch(String)
      for (const status of statusesOf(responses))
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (responses === "") statuses.set(0, (statuses.get(0) ?? 0) + 1)
      for (const what of checkResponses(request, responses))
        findings.push({ what, request, responses })
    }
  }
  await Promise.all(Array.from({ length: inFlight }, sendMany))
  const logged = market.logged()
  await market.close()
  return { statuses, findings, logged }
}

type StormResponse = Readonly<{ status: number; headers: Headers; body: string }>

const rejectionStatuses = [400, 413, 431, 505]
const notImplemented = 501

export function checkResponses(
  { kind, text, statuses }: RandomRequest,
  received: string,
): readonly string[] {
  if (received !== "" && !received.startsWith("HTTP/1.1 ")) return ["no end came, or no HTTP"]
  const responses = parseResponses(received, text.startsWith("HEAD "))
  if (responses === null) return ["an answer that breaks off"]
  const found = responses.filter(({ status }) => status >= 200)
  const isRejection = ({ status, body }: StormResponse) =>
    body === "" && rejectionStatuses.includes(status)
  const own = found.filter((response) => !isRejection(response))
  const isWhole = kind === "described" || kind === "soup"
  const isProgram = /^[A-Z]+ \/+api[/? ]/.test(text)
  return [
    ...own
      .filter(({ status }) => status >= 500 && status !== notImplemented)
      .map(({ status }) => `status ${status}`),
    ...(own.length > 1 ? ["two answers"] : []),
    ...(isWhole && found.length !== 1 ? [`${found.length} answers to a proper request`] : []),
    ...(found.slice(0, -1).some(isRejection) ? ["an answer after a refusal"] : []),
    ...(isProgram && own.length > 0 && !isJsonObject(own[0]) ? ["no JSON object"] : []),
    ...(statuses !== null &&
    responses.length > 0 &&
    String(responses.map(({ status }) => status)) !== String(statuses)
      ? [`other statuses than ${statuses}`]
      : []),
  ]
}

function isJsonObject(response: StormResponse | undefined): boolean {
  if (response === undefined) return false
  const { status, headers, body } = response
  if (status === 204 || status === 304) return body === ""
  // A response to HEAD has no body; other tests check compressed bodies.
  if (!/^application\/json/.test(headers.get("content-type") ?? "")) return false
  if (body === "" || headers.get("content-encoding") === "gzip") return true
  try {
    const value = JSON.parse(Buffer.from(body, "latin1").toString("utf8"))
    return typeof value === "object" && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

/** All responses of a connection, or null if the last one is incomplete. */
function parseResponses(received: string, isHead: boolean): readonly StormResponse[] | null {
  const responses: StormResponse[] = []
  let rest = received
  while (rest !== "") {
    const end = rest.indexOf("\r\n\r\n")
    if (end === -1) return null
    const [line = "", ...lines] = rest.slice(0, end).split("\r\n")
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1])
    if (Number.isNaN(status)) return null
    const headers = new Headers(lines.map((each) => each.split(/: ?(.*)/s, 2) as [string, string]))
    const afterHead = rest.slice(end + 4)
    const hasBody = status >= 200 && status !== 204 && status !== 304 && !isHead
    const body = hasBody ? readBody(headers, afterHead) : { text: "", bytes: 0 }
    if (body === null) return null
    responses.push({ status, headers, body: body.text })
    rest = afterHead.slice(body.bytes)
  }
  return responses
}

function readBody(headers: Headers, from: string): { text: string; bytes: number } | null {
  if (headers.get("transfer-encoding") === "chunked") return readChunks(from)
  const bytes = Number(headers.get("content-length") ?? 0)
  return from.length < bytes ? null : { text: from.slice(0, bytes), bytes }
}

function readChunks(from: string): { text: string; bytes: number } | null {
  let text = ""
  let at = 0
  for (;;) {
    const end = from.indexOf("\r\n", at)
    if (end === -1) return null
    const size = Number.parseInt(from.slice(at, end), 16)
    at = end + 2 + size + 2
    if (size === 0) return { text, bytes: at }
    text += from.slice(end + 2, end + 2 + size)
  }
}
