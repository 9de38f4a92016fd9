/** POST /operator/links: creates a link that signs an author in, for the site of the operator. */
import type { AccountStore } from "../../domain/catalog/account.ts"
import type { Actor } from "../../domain/sign-in/audit-event.ts"
import { StoreUnavailable } from "../../domain/store.ts"
import { DomainError } from "../../domain/values/error.ts"
import type { Recording } from "../../operations/record-event.ts"
import { createSignInLink, type Linking } from "../../operations/sign-in/sign-in.ts"
import { readBody } from "../api/request/parameters.ts"
import { linkPath } from "../pages/paths.ts"
import { createErrorResponder } from "./operator-token.ts"

export type LinkServices = Linking &
  Omit<Recording, "actor"> &
  Readonly<{ accounts: Pick<AccountStore, "findByUsername"> }>

export type LinkRequestContext = Readonly<{
  request: Request
  actor: Actor
  baseUrl: string
  onFault(fault: unknown): void
}>

export const failLink = createErrorResponder("POST", {
  400: 'The body must be a JSON object, as in {"username":"ada"}',
  403: "The account is suspended",
  404: "Account not found",
  413: "The body is longer than 64 KB",
  503: "The database is unavailable; try again",
})

export async function handleLink(
  services: LinkServices,
  { request, actor, baseUrl, onFault }: LinkRequestContext,
): Promise<Response> {
  if (request.method !== "POST") return failLink(405)
  try {
    const username = findUsername(await readBody(request))
    if (username === null) return failLink(400)
    const account = await services.accounts.findByUsername(username)
    if (account === null) return failLink(404)
    const { token, expiresAt } = await createSignInLink({ ...services, actor }, account)
    const link = { url: `${baseUrl}${linkPath}/${token}`, expires_at: expiresAt }
    return Response.json(link, { headers: { "Cache-Control": "no-store" } })
  } catch (error) {
    if (error instanceof StoreUnavailable) {
      onFault(error)
      return failLink(503)
    }
    if (!(error instanceof DomainError)) throw error
    if (error.reason === "account_suspended") return failLink(403)
    return failLink(error.reason === "too_large" ? 413 : 400)
  }
}

/** Null for a body without a username, and for a username with a NUL, which PostgreSQL cannot search for. */
function findUsername(body: string): string | null {
  try {
    const { username } = JSON.parse(body)
    return typeof username === "string" && !username.includes("\0") ? username : null
  } catch {
    return null
  }
}
