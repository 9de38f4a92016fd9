import type { Recording } from "../access/audit-operations.ts"
import type { TokenMaker } from "../access/token.ts"
import type { AccountStore } from "../accounts/account.ts"
import type { EmailCipher, EmailStore } from "../mail/email.ts"
import type { EventCipher } from "../webhooks/webhook.ts"
import type { IdentityStore } from "./identity.ts"
import type { OperatorStore } from "./operator.ts"
import type { PasskeyStore, PasskeyVerifier } from "./passkey.ts"
import type { PasswordHasher, PasswordStore } from "./password.ts"
import type { PersonStore } from "./person.ts"
import type { Notifying } from "./person-email-operations.ts"
import type { InvitationStore, SessionStore, SignInLinkStore } from "./session.ts"
import type { OnSignIn, ResetThrottle, SignInThrottle } from "./sign-in-throttle.ts"
import type { CodeThrottle, PendingSignIns, TwoFactorCipher, TwoFactorStore } from "./two-factor.ts"

export type PeopleStores = Readonly<{
  accounts: AccountStore
  people: PersonStore
  operators: OperatorStore
  passwords: PasswordStore
  passkeys: PasskeyStore
  identities: IdentityStore
  sessions: SessionStore
  invitations: InvitationStore
  signInLinks: SignInLinkStore
  twoFactor: TwoFactorStore
  emails: EmailStore
}>

/** What the operations of this folder use; each picks its own. */
export type PeopleServices = Recording &
  PeopleStores &
  Readonly<{
    tokens: TokenMaker
    hasher: PasswordHasher
    throttle: SignInThrottle
    codeThrottle: CodeThrottle
    resetThrottle: ResetThrottle
    /** Called for rejections only; the caller reports successes, which also happen by invitations and links. */
    onSignIn: OnSignIn
    twoFactorCipher: TwoFactorCipher
    pendingSignIns: PendingSignIns
    passkeyVerifier: PasskeyVerifier
    eventCipher: EventCipher
    emailCipher: EmailCipher
  }>

/** What commands have of it. */
export type PeopleCommandServices = Recording &
  PeopleStores &
  Notifying &
  Pick<PeopleServices, "tokens" | "hasher">
