/** Who somebody is at the OpenID Connect provider of the marketplace. */
import type { Timestamp } from "../platform/time.ts"

/** A provider never gives a subject to somebody else; names and e-mail addresses may change hands. */
export type Identity = Readonly<{ issuer: string; subject: string }>

export interface IdentityStore {
  /** Returns the id of the person; null if nobody is connected. */
  find(identity: Identity): Promise<number | null>
  list(personId: number): Promise<readonly Identity[]>
  /** Returns false and changes nothing if somebody else is connected, or the person was deleted. */
  connect(identity: Identity, personId: number): Promise<boolean>
  /** Returns false and changes nothing if the person could no longer sign in. Never removes another person's. */
  disconnect(identity: Identity, personId: number): Promise<boolean>
  /** Also the last way to sign in. Returns false if there is none. */
  disconnectAll(personId: number): Promise<boolean>
}

/** Only the browser that began the sign-in has these. */
export type SignInSecrets = Readonly<{ state: string; nonce: string; verifier: string }>

export type ProviderSettings = Readonly<{
  issuer: string
  clientId: string
  clientSecret: string
  /** A claim with the username of an account. */
  accountClaim: string | null
}>

export type ProvenIdentity = Identity &
  Readonly<{
    /** The account that the provider names; null without PAZAR_OIDC_ACCOUNT_CLAIM or its claim. */
    username: string | null
  }>

/** Both throw ProviderFailed. */
export interface IdentityProvider {
  /** The URL to send the visitor to, who comes back to `redirectUrl`. `isAgain` asks for the password once more. */
  begin(
    redirectUrl: string,
    isAgain: boolean,
  ): Promise<Readonly<{ url: string; secrets: SignInSecrets }>>
  /** Verifies the query that the visitor brought back. */
  complete(
    query: URLSearchParams,
    secrets: SignInSecrets,
    redirectUrl: string,
  ): Promise<ProvenIdentity>
}

export class ProviderFailed extends Error {
  override name = "ProviderFailed"
  /** `unavailable`: the provider or its settings; `rejected`: what the visitor brought; `canceled`: by the visitor. */
  readonly kind: "unavailable" | "rejected" | "canceled"

  /** The message is for the log and contains no secret. */
  constructor(kind: ProviderFailed["kind"], message: string) {
    super(message)
    this.kind = kind
  }
}

/** What the browser keeps while the visitor is at the provider. */
export type AwayVisit = Readonly<{
  secrets: SignInSecrets
  /** The path to return to. */
  next: string
  /** The token of the invitation that the visitor accepts, or empty. */
  invitation: string
  /** The session that connects an identity; empty to sign in. */
  sessionId: string
  expiresAt: Timestamp
}>

export const awaySeconds = 10 * 60

/** Tokens are encrypted. */
export interface AwayVisits {
  createToken(visit: AwayVisit, owner: null): string
  /** Returns null for an invalid token. The caller checks the rest. */
  parseToken(token: string, owner: null): AwayVisit | null
}
