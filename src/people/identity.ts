/** Who somebody is at the OpenID Connect provider of the marketplace. */

import type { AuthorizationServer, allowInsecureRequests } from "oauth4webapi"
import { createTokenCipher, type MasterKey, type MasterKeys } from "../platform/crypto/cipher.ts"
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

export type SignInSecrets = Readonly<{ state: string; nonce: string; verifier: string }>

export type ProviderSettings = Readonly<{
  issuer: string
  clientId: string
  clientSecret: string
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

export type AwayVisit = Readonly<{
  secrets: SignInSecrets
  next: string
  /** The token of the invitation that the visitor accepts, or empty. */
  invitation: string
  /** The session that connects an identity; empty to sign in. */
  sessionId: string
  expiresAt: Timestamp
}>

export const awaySeconds = 10 * 60

/** Tokens are encrypted. */
export const createAwayVisits = (master: MasterKey | MasterKeys) =>
  createTokenCipher<AwayVisit, null>(master, "visit of the identity provider", () => [])

type Library = typeof import("oauth4webapi")

/** For all requests of one step, so that a page responds in time. */
const stepMsMax = 5_000
/** The library keeps the provider's keys as long as its metadata, and reads them again after five minutes. */
const metadataMsMax = 3_600_000
const subjectUnitsMax = 255

type Step = Readonly<{
  library: Library
  server: AuthorizationServer
  options: Readonly<{ [allowInsecureRequests]: boolean; signal: AbortSignal }>
}>

/** OpenID Connect by oauth4webapi, which is loaded when it is first used. */
export function createIdentityProvider(
  settings: ProviderSettings,
  onFailure: (failure: ProviderFailed) => void = () => {},
  msMax = stepMsMax,
): IdentityProvider {
  const issuerUrl = new URL(settings.issuer)
  let metadata: Promise<AuthorizationServer> | null = null
  let readAtMs = 0

  function readMetadata({ library, options }: Omit<Step, "server">): Promise<AuthorizationServer> {
    if (metadata !== null && performance.now() - readAtMs < metadataMsMax) return metadata
    readAtMs = performance.now()
    const reading = library
      .discoveryRequest(issuerUrl, options)
      .then((response) => library.processDiscoveryResponse(issuerUrl, response))
      .catch((error) => {
        throw new ProviderFailed("unavailable", `metadata: ${describe(error)}`)
      })
    metadata = reading
    // The next visitor tries again.
    reading.catch(() => {
      if (metadata === reading) metadata = null
    })
    return reading
  }
  async function run<T>(take: (step: Step) => Promise<T>): Promise<T> {
    const library = await import("oauth4webapi")
    const options = {
      [library.allowInsecureRequests]: issuerUrl.protocol === "http:",
      signal: AbortSignal.timeout(msMax),
    }
    try {
      return await take({ library, options, server: await readMetadata({ library, options }) })
    } catch (error) {
      const failure = classify(library, error)
      if (failure.kind !== "canceled") onFailure(failure)
      throw failure
    }
  }
  return {
    begin: (...args) => run((step) => begin(settings, step, ...args)),
    complete: (...args) => run((step) => complete(settings, step, args)),
  }
}

async function begin(
  { issuer, clientId, accountClaim }: ProviderSettings,
  { library, server }: Step,
  redirectUrl: string,
  isAgain: boolean,
) {
  const url = URL.parse(server.authorization_endpoint ?? "")
  if (url?.protocol !== new URL(issuer).protocol)
    throw new TypeError("the metadata has no secure authorization_endpoint")
  const verifier = library.generateRandomCodeVerifier()
  const [state, nonce] = [library.generateRandomState(), library.generateRandomNonce()]
  const parameters = {
    ...{ client_id: clientId, redirect_uri: redirectUrl, response_type: "code" },
    scope: accountClaim === null ? "openid" : "openid profile",
    ...{ state, nonce, code_challenge_method: "S256" },
    code_challenge: await library.calculatePKCECodeChallenge(verifier),
    ...(isAgain && { prompt: "login" }),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return { url: url.href, secrets: { state, nonce, verifier } }
}

async function complete(
  { clientId, clientSecret, accountClaim }: ProviderSettings,
  { library, server, options }: Step,
  [query, { state, nonce, verifier }, redirectUrl]: Parameters<IdentityProvider["complete"]>,
): Promise<ProvenIdentity> {
  const client = { client_id: clientId }
  const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"]
  const authenticate = methods.includes("client_secret_basic")
    ? library.ClientSecretBasic(clientSecret)
    : library.ClientSecretPost(clientSecret)
  const response = await library.authorizationCodeGrantRequest(
    ...([server, client, authenticate] as const),
    library.validateAuthResponse(server, client, query, state),
    redirectUrl,
    verifier,
    options,
  )
  const tokens = await library.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  })
  await library.validateApplicationLevelSignature(server, response, options)
  const claims = library.getValidatedIdTokenClaims(tokens)
  const username = accountClaim === null ? null : claims?.[accountClaim]
  if (claims === undefined || !isStorable(claims.sub))
    throw new ProviderFailed("rejected", "the subject is empty or too long")
  return {
    issuer: claims.iss,
    subject: claims.sub,
    username: typeof username === "string" && isStorable(username) ? username : null,
  }
}

const isStorable = (text: string) =>
  text !== "" && text.length <= subjectUnitsMax && !/\p{Cc}/u.test(text)

function classify(library: Library, error: unknown): ProviderFailed {
  if (error instanceof ProviderFailed) return error
  if (error instanceof library.AuthorizationResponseError) {
    const kind = error.error === "access_denied" ? "canceled" : "unavailable"
    return new ProviderFailed(kind, `the response is the error ${renderCode(error.error)}`)
  }
  if (error instanceof library.ResponseBodyError) {
    const kind = error.error === "invalid_grant" ? "rejected" : "unavailable"
    return new ProviderFailed(kind, `token endpoint: ${error.status} ${renderCode(error.error)}`)
  }
  const { INVALID_RESPONSE, KEY_SELECTION, JWT_TIMESTAMP_CHECK, JWT_CLAIM_COMPARISON } = library
  const isRejected =
    error instanceof library.OperationProcessingError &&
    [INVALID_RESPONSE, KEY_SELECTION, JWT_TIMESTAMP_CHECK, JWT_CLAIM_COMPARISON].includes(
      error.code ?? "",
    )
  return new ProviderFailed(isRejected ? "rejected" : "unavailable", describe(error))
}

/** The messages of the library and of `fetch` contain no values of a request or response. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) throw error
  return error.name === "TimeoutError" ? "no response in time" : error.message
}

/** An error code of OAuth; strangers can send other texts. */
const renderCode = (code: string) => (/^\w{1,40}$/.test(code) ? code : "without a code")
