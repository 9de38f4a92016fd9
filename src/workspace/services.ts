import type { Child } from "hono/jsx"
import type { Actor } from "../access/actor.ts"
import type { ListedAuditEvent } from "../access/audit-event.ts"
import type { TokenMaker } from "../access/token.ts"
import type { KeyCipher } from "../keys/key.ts"
import type { Issuing } from "../keys/key-operations.ts"
import type { AwayVisits, IdentityProvider } from "../people/identity.ts"
import type { ResetRequesting } from "../people/invitation-operations.ts"
import type { TwoFactorPolicy } from "../people/operator-operations.ts"
import type { PasskeyVerifier } from "../people/passkey.ts"
import type { PasswordHasher } from "../people/password.ts"
import type { LinkMailing, Mailing } from "../people/person-email-operations.ts"
import type { OnSignIn, SignInThrottle } from "../people/sign-in-throttle.ts"
import type { CodeThrottle, PendingSignIns, TwoFactorCipher } from "../people/two-factor.ts"
import type { Locale } from "../platform/locale.ts"
import type { Site } from "../platform/pages/context.ts"
import type { Catalog } from "../purchases/test-catalog.ts"
import type { Store } from "../store/store.ts"
import type { EndpointServices } from "../webhooks/endpoint-operations.ts"
import type { EventCipher } from "../webhooks/event.ts"

/** The stores and services that the workspace and the console share. */
export type PageServices = Pick<
  Store,
  | "people"
  | "operators"
  | "passkeys"
  | "passwords"
  | "identities"
  | "sessions"
  | "invitations"
  | "twoFactor"
  | "accounts"
  | "audit"
  | "emails"
  | "endpoints"
  | "items"
  | "itemSearch"
  | "keys"
  | "keySearch"
  | "messages"
  | "purchases"
  | "sales"
  | "signInLinks"
  | "sites"
  | "usage"
> &
  Readonly<{
    keyCipher: KeyCipher
    twoFactorCipher: TwoFactorCipher
    passkeyVerifier: PasskeyVerifier
    pendingSignIns: PendingSignIns
    twoFactorPolicy: TwoFactorPolicy
    codeThrottle: CodeThrottle
    hasher: PasswordHasher
    tokens: TokenMaker
    throttle: SignInThrottle
    onSignIn: OnSignIn
    /** Null without PAZAR_OIDC_ISSUER. */
    identityProvider: IdentityProvider | null
    awayVisits: AwayVisits
    /** For "Forgot your password?"; null without a mail server. */
    resets: ResetRequesting | null
    /** For e-mails about changes; null without a mail server. */
    notices: Mailing | null
    /** For links; null without a mail server. */
    mailing: LinkMailing | null
    now: () => Date
    keyServices(actor: Actor): Issuing
    endpointServices(actor: Actor): EndpointServices
    eventCipher: EventCipher
    siteLocale: Locale
    site: Site
    /** The base of links and cookies, as in `https://api.example.com`. */
    publicUrl: string
    /** The configured host name. Null if none is set; pages then accept any Host. */
    publicHost: string | null
  }>

export type WorkspaceServices = PageServices &
  Pick<Store, "failedRequests" | "accounts"> &
  Readonly<{
    testCatalog: Catalog
    /** The events of one subject, as operators see them. */
    renderHistory(events: readonly ListedAuditEvent[]): Child
    /** Pictures that this server hosts, as SVG by path. */
    pictures: Readonly<Record<string, string>>
  }>
