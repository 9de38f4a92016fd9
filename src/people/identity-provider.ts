/** OpenID Connect by oauth4webapi, which is loaded when it is first used. */
import type { AuthorizationServer } from "oauth4webapi"
import { type IdentityProvider, ProviderFailed, type ProviderSettings } from "./identity.ts"

type Library = typeof import("oauth4webapi")

/** For all requests of one step, so that a page responds in time. */
const stepMsMax = 5_000
/** The library keeps the provider's keys as long as its metadata, and reads them again after five minutes. */
const metadataMsMax = 3_600_000
/** OpenID Connect allows no longer subject. */
const subjectUnitsMax = 255

export function createIdentityProvider(
  { issuer, clientId, clientSecret, accountClaim }: ProviderSettings,
  onFailure: (failure: ProviderFailed) => void = () => {},
  msMax = stepMsMax,
): IdentityProvider {
  const client = { client_id: clientId }
  const issuerUrl = new URL(issuer)
  let metadata: Promise<AuthorizationServer> | null = null
  let readAtMs = 0

  const optionsOf = ({ allowInsecureRequests }: Library) => ({
    [allowInsecureRequests]: issuerUrl.protocol === "http:",
    signal: AbortSignal.timeout(msMax),
  })
  type Options = ReturnType<typeof optionsOf>

  function readMetadata(library: Library, options: Options): Promise<AuthorizationServer> {
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
  async function run<T>(
    step: (library: Library, server: AuthorizationServer, options: Options) => Promise<T>,
  ): Promise<T> {
    const library = await import("oauth4webapi")
    const options = optionsOf(library)
    try {
      return await step(library, await readMetadata(library, options), options)
    } catch (error) {
      const failure = classify(library, error)
      if (failure.kind !== "canceled") onFailure(failure)
      throw failure
    }
  }

  return {
    begin: (redirectUrl, isAgain) =>
      run(async (library, { authorization_endpoint }) => {
        const url = URL.parse(authorization_endpoint ?? "")
        if (url?.protocol !== issuerUrl.protocol)
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
      }),
    complete: (query, { state, nonce, verifier }, redirectUrl) =>
      run(async (library, server, options) => {
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
      }),
  }
}

const isStorable = (text: string) =>
  text !== "" && text.length <= subjectUnitsMax && !/\p{Cc}/u.test(text)

function classify(library: Library, error: unknown): ProviderFailed {
  if (error instanceof ProviderFailed) return error
  if (error instanceof library.AuthorizationResponseError) {
    const kind = error.error === "access_denied" ? "canceled" : "unavailable"
    return new ProviderFailed(kind, `the response is the error ${wordOf(error.error)}`)
  }
  if (error instanceof library.ResponseBodyError) {
    const kind = error.error === "invalid_grant" ? "rejected" : "unavailable"
    return new ProviderFailed(kind, `token endpoint: ${error.status} ${wordOf(error.error)}`)
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
const wordOf = (code: string) => (/^\w{1,40}$/.test(code) ? code : "without a code")
