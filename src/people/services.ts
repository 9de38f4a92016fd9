import type { Recording } from "../access/audit-event.ts"
import type { TokenMaker } from "../access/token.ts"
import type { AccountStore } from "../accounts/account.ts"
import type { EmailCipher, EmailStore } from "../mail/email.ts"
import type { Locale } from "../platform/locale.ts"
import type { EventCipher } from "../webhooks/event.ts"
import type { IdentityStore } from "./identity.ts"
import type { PasskeyStore, PasskeyVerifier } from "./passkey.ts"
import type { PasswordHasher, PasswordStore } from "./password.ts"
import type { OperatorStore, PersonStore } from "./person.ts"
import type { InvitationStore, SessionStore, SignInLinkStore } from "./session.ts"
import type { CodeThrottle, OnSignIn, ResetThrottle, SignInThrottle } from "./sign-in-throttle.ts"
import type { PendingSignIns, TwoFactorCipher, TwoFactorStore } from "./two-factor.ts"

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

export type Encrypting = Pick<PeopleServices, "emailCipher" | "now">

export type Mailing = Encrypting & Readonly<{ siteLocale: Locale }>

/** How links are sent to people. */
export type LinkMailing = Mailing & Readonly<{ linkOf(token: string): string }>

/** `notices` is null without a mail server. */
export type Notifying = Pick<PeopleServices, "emails" | "actor" | "now"> &
  Readonly<{ notices: Mailing | null }>

/** Whether operators must set up 2FA before they can use the console. */
export type TwoFactorPolicy = Readonly<{
  isRequired(): Promise<boolean>
  put(isRequired: boolean): Promise<void>
}>
