import type { Catalog } from "../domain/catalog/catalog.ts"
import type { ReleaserIds, SiteIds, SiteSlots } from "../domain/catalog/site.ts"
import type { EndpointCipher, FindHostProblem } from "../domain/events/endpoint.ts"
import type { EventCipher } from "../domain/events/event.ts"
import type { ApiKey, KeyCipher } from "../domain/keys/api-key.ts"
import type { SigningKeyMaker } from "../domain/keys/signing-key.ts"
import type { Caller, RateLimits } from "../domain/limits/request-limits.ts"
import type { EmailCipher } from "../domain/mail/email.ts"
import type { Actor, AuditStore } from "../domain/sign-in/audit-event.ts"
import type { PasskeyVerifier } from "../domain/sign-in/passkey.ts"
import type { PasswordHasher } from "../domain/sign-in/password.ts"
import type { TokenMaker } from "../domain/sign-in/session.ts"
import type { OnSignIn, ResetThrottle, SignInThrottle } from "../domain/sign-in/sign-in-failures.ts"
import type { CodeThrottle, PendingSignIns, TwoFactorCipher } from "../domain/sign-in/two-factor.ts"
import type { Store } from "../domain/store.ts"

type Services = Omit<Store, "audit"> &
  Readonly<{
    audit: Pick<AuditStore, "insert" | "tally">
    now: () => Date
    actor: Actor
    limits: RateLimits
    slots: SiteSlots
    siteIdOf: SiteIds
    releaserOf: ReleaserIds
    tokens: TokenMaker
    hasher: PasswordHasher
    throttle: SignInThrottle
    codeThrottle: CodeThrottle
    resetThrottle: ResetThrottle
    /** Called for rejections only; the caller reports successes, which also happen by invitations and links. */
    onSignIn: OnSignIn
    keyCipher: KeyCipher
    eventCipher: EventCipher
    emailCipher: EmailCipher
    endpointCipher: EndpointCipher
    twoFactorCipher: TwoFactorCipher
    pendingSignIns: PendingSignIns
    passkeyVerifier: PasskeyVerifier
    signingKeyMaker: SigningKeyMaker
    findHostProblem: FindHostProblem
  }>

/** The stores and services that an operation uses. */
export type Needs<Name extends keyof Services> = Pick<Services, Name>

/** An operation of the API. Throws DomainError with the error code. */
export type KeyOperation<Input, Result> = (
  catalog: Catalog,
  key: ApiKey,
  input: Input,
  caller: Caller,
) => Promise<Result>
