/** A real OpenID Connect provider. Tests can change the tokens that it issues, and stop it. */
import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
// @ts-expect-error: the package has no types.
import Provider from "oidc-provider"

type Claims = Record<string, unknown>

/** Koa's context, as far as it is used here. */
type Context = { path: string; query: Claims; body: { id_token?: string } | undefined }

export type TestProvider = Readonly<{
  issuer: string
  env: Readonly<Record<string, string>>
  /** Changes the claims of the next ID tokens, which stay correctly signed unless `key` is another one. */
  change(claims: (claims: Claims) => Claims, key?: KeyObject): void
  /** The parameters of the requests for authorization. */
  requests: readonly URLSearchParams[]
  /** Accepts visitors who come back to this server. */
  serve(url: string, behavior?: "broken"): void
  close(): Promise<void>
}>

const newKey = () => generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey
export const otherKey = newKey()
const ownKey = newKey()

export async function openTestProvider(claim: string | null = null): Promise<TestProvider> {
  const server: Server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve))
  // `as`: the server listens on a port.
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`
  const [clientId, secret] = ["pazar", "secret of the client: 100 % +"]
  let changed: ((claims: Claims) => Claims) | null = null
  let key = ownKey
  const requests: URLSearchParams[] = []

  function reissue(token: string): string {
    const [head = "", payload = ""] = token.split(".")
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString())
    const body = Buffer.from(JSON.stringify(changed?.(claims) ?? claims)).toString("base64url")
    const signature = sign("sha256", Buffer.from(`${head}.${body}`), key).toString("base64url")
    return `${head}.${body}.${signature}`
  }
  function serve(url: string, behavior?: "broken"): void {
    server.removeAllListeners("request")
    if (behavior === "broken") {
      server.on("request", (_, response) => response.writeHead(503).end("down for maintenance"))
      return
    }
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: clientId,
          client_secret: secret,
          redirect_uris: [`${url}/login/oidc/callback`],
        },
      ],
      jwks: {
        keys: [
          {
            ...createPrivateKey(ownKey.export({ type: "pkcs8", format: "pem" })).export({
              format: "jwk",
            }),
            use: "sig",
            alg: "RS256",
            kid: "one",
          },
        ],
      },
      cookies: { keys: ["test"] },
      pkce: { required: () => false },
      conformIdTokenClaims: false,
      claims: { profile: ["preferred_username"] },
      findAccount: (_: unknown, id: string) => ({
        accountId: id,
        claims: () => ({ sub: id, preferred_username: id }),
      }),
      // Nobody is asked for consent.
      async loadExistingGrant(ctx: Context & { oidc: Claims }) {
        const { client, session } = ctx.oidc as unknown as Record<
          string,
          { clientId: string; accountId: string }
        >
        const grant = new provider.Grant({
          clientId: client?.clientId,
          accountId: session?.accountId,
        })
        grant.addOIDCScope("openid profile")
        await grant.save()
        return grant
      },
    })
    provider.use(async (ctx: Context, next: () => Promise<void>) => {
      if (ctx.path === "/auth")
        requests.push(new URLSearchParams(ctx.query as Record<string, string>))
      await next()
      if (ctx.path === "/token" && ctx.body?.id_token)
        ctx.body.id_token = reissue(ctx.body.id_token)
    })
    server.on("request", provider.callback())
  }
  return {
    issuer,
    env: {
      PAZAR_OIDC_ISSUER: issuer,
      PAZAR_OIDC_CLIENT_ID: clientId,
      PAZAR_OIDC_CLIENT_SECRET: secret,
      ...(claim !== null && { PAZAR_OIDC_ACCOUNT_CLAIM: claim }),
    },
    requests,
    change(claims, withKey = ownKey) {
      changed = claims
      key = withKey
    },
    serve,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
