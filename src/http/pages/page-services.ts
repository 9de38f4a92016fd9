import type { Child } from "hono/jsx"
import type { Catalog } from "../../domain/catalog/catalog.ts"
import type { EventCipher } from "../../domain/events/event.ts"
import type { KeyCipher } from "../../domain/keys/api-key.ts"
import type { Actor, ListedAuditEvent } from "../../domain/sign-in/audit-event.ts"
import type { AwayVisits, IdentityProvider } from "../../domain/sign-in/identity.ts"
import type { PasskeyVerifier } from "../../domain/sign-in/passkey.ts"
import type { PasswordHasher } from "../../domain/sign-in/password.ts"
import type { TokenMaker } from "../../domain/sign-in/session.ts"
import type { OnSignIn, SignInThrottle } from "../../domain/sign-in/sign-in-failures.ts"
import type {
  CodeThrottle,
  PendingSignIns,
  TwoFactorCipher,
} from "../../domain/sign-in/two-factor.ts"
import type { Store } from "../../domain/store.ts"
import type { Locale } from "../../domain/values/locale.ts"
import type { EndpointServices } from "../../operations/events/endpoint-operations.ts"
import type { Issuing } from "../../operations/keys/key-operations.ts"
import type { LinkMailing, Mailing } from "../../operations/person-emails.ts"
import type { ResetRequesting } from "../../operations/sign-in/invitation-operations.ts"
import type { TwoFactorPolicy } from "../../operations/sign-in/operator-operations.ts"
import type { Site, View } from "./page-context.ts"

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
  Pick<Store, "failedRequests" | "operatorReads"> &
  Readonly<{
    testCatalog: Catalog
    /** The events of one subject, as operators see them. */
    renderHistory(view: View, events: readonly ListedAuditEvent[]): Child
    /** Pictures that this server hosts, as SVG by path. */
    pictures: Readonly<Record<string, string>>
  }>
