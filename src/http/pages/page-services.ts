import type { EventCipher } from "../../domain/events/event.ts"
import type { KeyCipher } from "../../domain/keys/api-key.ts"
import type { Actor } from "../../domain/sign-in/audit-event.ts"
import type { PasswordHasher } from "../../domain/sign-in/password.ts"
import type { TokenMaker } from "../../domain/sign-in/session.ts"
import type { OnSignIn, SignInThrottle } from "../../domain/sign-in/sign-in-failures.ts"
import type { CodeThrottle, TwoFactorCipher } from "../../domain/sign-in/two-factor.ts"
import type { SignInStores, Store } from "../../domain/store.ts"
import type { Locale } from "../../domain/values/locale.ts"
import type { EndpointServices } from "../../operations/events/endpoint-operations.ts"
import type { Issuing } from "../../operations/keys/issue-key.ts"
import type { Site } from "./view.ts"

/**
 * The ports and services of both the workspace and the console. The sign-in stores are those of the visitors:
 * authors or operators.
 */
export type PageServices = SignInStores &
  Pick<
    Store,
    | "accounts"
    | "audit"
    | "endpoints"
    | "keys"
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
    /** As `throttle`, for codes of the second factor. */
    codeThrottle: CodeThrottle
    hasher: PasswordHasher
    tokens: TokenMaker
    /** The counts of operators are apart from those of authors. */
    throttle: SignInThrottle
    onSignIn: OnSignIn
    now: () => Date
    keyServices(actor: Actor): Issuing
    /** For acting on endpoints of webhooks. */
    endpointServices(actor: Actor): EndpointServices
    eventCipher: EventCipher
    siteLocale: Locale
    site: Site
    /** Links and cookies are built from it, as in `https://api.example.com`. */
    publicUrl: string
    /** The host name that the operator has set; null if none is set, and pages then answer to any name. */
    publicHost: string | null
  }>
