import type { Operation } from "./contract-messages.ts"
import { openapiFetch } from "./openapi-fetch.ts"

export type Transport = "query" | "urlencoded" | "multipart" | "json"
export type KeyTransport = "parameter" | "X-Api-Key" | "Bearer"

export type ApiRequest = Readonly<{
  operation: Pick<Operation, "method" | "path">
  parameters: Readonly<Record<string, string>>
  transport: Transport
  key: string | null
  keyTransport: KeyTransport
  headers: Readonly<Record<string, string>>
}>

export async function sendApiRequest(url: string, request: ApiRequest): Promise<ApiResponse> {
  const { operation, transport, key, keyTransport } = request
  const parameters = { ...request.parameters }
  const headers: Record<string, string> = { ...request.headers }
  if (key !== null) {
    if (keyTransport === "parameter") parameters.api_key = key
    if (keyTransport === "X-Api-Key") headers["X-Api-Key"] = key
    if (keyTransport === "Bearer") headers.Authorization = `bearer ${key}`
  }
  const query = transport === "query" ? `?${new URLSearchParams(parameters)}` : ""
  const body = transport === "query" ? null : encode(transport, parameters, headers)
  const { method } = operation
  const init = { method, headers, body, redirect: "manual" } as const
  return readApiResponse(await openapiFetch(`${url}${operation.path}${query}`, init))
}

function encode(
  transport: Exclude<Transport, "query">,
  parameters: Record<string, string>,
  headers: Record<string, string>,
): BodyInit {
  if (transport === "urlencoded") return new URLSearchParams(parameters)
  if (transport === "multipart") {
    const form = new FormData()
    for (const [name, value] of Object.entries(parameters)) form.append(name, value)
    return form
  }
  headers["Content-Type"] = "application/json"
  return JSON.stringify(parameters)
}

type BodyInit = string | URLSearchParams | FormData

export type ApiResponse = Readonly<{
  status: number
  reason: string | null
  body: string
  headers: Readonly<Record<string, string>>
}>

export async function readApiResponse(response: Response): Promise<ApiResponse> {
  const { "request-id": _, date: __, ...headers } = Object.fromEntries(response.headers)
  const reason = response.headers.get("pazar-reason")
  return { status: response.status, reason, body: await response.text(), headers }
}
