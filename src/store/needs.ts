import type { Actor } from "../access/actor.ts"
import type { AuditStore } from "../access/audit-event.ts"
import type { TokenMaker } from "../access/token.ts"
import type { ApiKey } from "../contract/operation.ts"
import type { KeyCipher } from "../keys/key.ts"
import type { RateLimits } from "../keys/rate-limits.ts"
import type { EmailCipher } from "../mail/email.ts"
import type { PasskeyVerifier } from "../people/passkey.ts"
import type { PasswordHasher } from "../people/password.ts"
import type { OnSignIn, ResetThrottle, SignInThrottle } from "../people/sign-in-throttle.ts"
import type { CodeThrottle, PendingSignIns, TwoFactorCipher } from "../people/two-factor.ts"
import type { Caller } from "../platform/ip-range.ts"
import type { ReleaserIds, SiteIds, SiteSlots } from "../purchases/site.ts"
import type { Catalog } from "../purchases/test-catalog.ts"
import type { SigningKeyMaker } from "../signing/signing-key.ts"
import type { EndpointCipher, FindHostProblem } from "../webhooks/endpoint.ts"
import type { EventCipher } from "../webhooks/event.ts"
import type { Store } from "./store.ts"

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
