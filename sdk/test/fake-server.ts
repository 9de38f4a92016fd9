/** A server whose responses a test chooses. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import {
  createPazar,
  type Item,
  type PazarOptions,
  type Purchase,
  type Store,
} from "../src/index.ts"
import { createSigner, type SignedParts, type Signer, signHeaders } from "./signer.ts"

export const item: Item = {
  id: 11,
  name: "Tema",
  description: "Bir tema",
  category: "Themes",
  sub_category: "WordPress",
  options: [],
  version: "1.4.0",
  demo_link: "https://demo.example.com/",
  tags: ["türkçe"],
  media: { thumbnail: "https://files.example.com/1.png" },
  price: { regular: 19.99, extended: 199 },
  currency: "USD",
  published_at: "2024-05-01T08:30:00Z",
}

export const purchase: Purchase = {
  purchase_code: "CODE-11",
  license_type: "Regular",
  price: 19.99,
  currency: "USD",
  item,
  downloaded: false,
  date: "2025-01-02T03:04:05Z",
}

export const validBody = (sold: Purchase = purchase) =>
  JSON.stringify({ status: "success", data: { purchase: sold } })
export const errorBody = JSON.stringify({ status: "error", msg: "Invalid purchase code" })

/** The server's clock in all tests. */
export const serverMs = Date.parse("2026-06-15T12:00:00Z")
export const day = 86_400

/** The form fields of a request. */
export type RequestForm = Readonly<Record<string, string>>
export type Respond = (form: RequestForm, request: Request) => Response | Promise<Response>

/** Signs a response to the form. `changes` replace signed parts, so that the response belongs to another request. */
export function signedResponse(
  signer: Signer,
  form: RequestForm,
  changes: Partial<SignedParts> = {},
): Response {
  const status = changes.status ?? 200
  const createdAt = changes.createdAt ?? serverMs / 1000
  const parts = {
    status,
    reason: status === 200 ? "ok" : "unknown_code",
    body: status === 200 ? validBody() : errorBody,
    key: form.api_key ?? "",
    code: form.purchase_code ?? "",
    site: form.site,
    nonce: form.nonce ?? "",
    tag: "pazar-validation",
    createdAt,
    expiresAt: createdAt + (status === 200 ? 14 * day : 300),
    ...changes,
  }
  return new Response(parts.body, { status, headers: signHeaders(signer, parts) })
}

export const respondValid =
  (signer: Signer, changes?: Partial<SignedParts>): Respond =>
  (form) =>
    signedResponse(signer, form, changes)
export const respondInvalid =
  (signer: Signer, reason = "unknown_code"): Respond =>
  (form) =>
    signedResponse(signer, form, { status: 404, reason })

export const plain = (status: number, body: string, headers: Record<string, string> = {}) =>
  new Response(body, { status, headers })

/** The fields of a receipt that come from the response. */
export async function receiptFields(response: Response) {
  const names = ["pazar-reason", "signature-input", "signature"]
  const headers = Object.fromEntries(names.map((name) => [name, response.headers.get(name)]))
  return { status: response.status, body: await response.text(), headers }
}
export const encodeReceipt = (fields: unknown) =>
  `pazar1.${Buffer.from(JSON.stringify(fields)).toString("base64url")}`

export type FakeServer = Readonly<{
  url: string
  signer: Signer
  /** All validations and releases, oldest first. */
  requests: readonly RequestForm[]
  /** Sets the keys in the key set. */
  publish(keys: readonly object[]): void
  respond(respond: Respond): void
  close(): Promise<void>
}>

/** Returns a signed `valid` until `respond` sets another response. */
export function startFakeServer(signer: Signer = createSigner()): FakeServer {
  const requests: RequestForm[] = []
  let keySet: readonly object[] = []
  let respond = respondValid(signer)
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      if (request.url.endsWith("/.well-known/pazar-keys.json")) {
        return Response.json({ keys: keySet })
      }
      const form = Object.fromEntries(new URLSearchParams(await request.text()))
      requests.push(form)
      return respond(form, request)
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    signer,
    requests,
    publish(keys) {
      keySet = keys
    },
    respond(next) {
      respond = next
    },
    close: () => server.stop(true),
  }
}

/** Closes each connection in the middle of the body. */
export async function startTruncatingServer(respond: (form: RequestForm) => Response) {
  const server = createServer(async (request, response) => {
    const form = Object.fromEntries(new URLSearchParams(await text(request)))
    const { status, headers, body } = respond(form)
    const bytes = Buffer.from(await new Response(body).arrayBuffer())
    response.writeHead(status, { ...Object.fromEntries(headers), "Content-Length": bytes.length })
    response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  // `as`: a server that listens on a port has an AddressInfo.
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

/** A client with a validation key, one item and a pinned key. */
export const openProduct = (
  { url, signer }: FakeServer,
  now: () => number,
  changes: Partial<PazarOptions> = {},
) =>
  createPazar({
    baseUrl: url,
    key: "pzr_vk_test",
    ...(changes.key === undefined && { items: [11] }),
    keys: [signer.x],
    store: createMemoryStore(),
    now,
    ...changes,
  })

export type MemoryStore = Store & Readonly<{ text(): string | null }>

/** Compares and replaces, as a database does. */
export function createMemoryStore(start: string | null = null): MemoryStore {
  let text = start
  return {
    get: async () => text,
    async set(next, before) {
      if (text !== before) return false
      text = next
      return true
    },
    text: () => text,
  }
}
