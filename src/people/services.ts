import type { Recording } from "../access/audit-event.ts"
import type { TokenMaker } from "../access/token.ts"
import type { AccountStore } from "../accounts/account.ts"
import type { EmailCipher, EmailStore } from "../mail/email.ts"
import type { Locale } from "../platform/locale.ts"
import type { EventCipher } from "../webhooks/webhook.ts"
import type { IdentityStore } from "./identity.ts"
import type { PasskeyStore, PasskeyVerifier } from "./passkey.ts"
import type { PasswordHasher, PasswordStore } from "./password.ts"
import type { OperatorStore, PersonStore } from "./person.ts"
import type { InvitationStore, SessionStore, SignInLinkStore } from "./session.ts"
import type {
  createCodeThrottle,
  createResetThrottle,
  createSignInThrottle,
  OnSignIn,
} from "./sign-in-throttle.ts"
import type { createPendingSignIns, createTwoFactorCipher, TwoFactorStore } from "./two-factor.ts"

export type PeopleStores = Readonly<{
  people: PersonStore
  operators: OperatorStore
  passwords: PasswordStore
  passkeys: PasskeyStore
  identities: IdentityStore
  sessions: SessionStore
  invitations: InvitationStore
  signInLinks: SignInLinkStore
  twoFactor: TwoFactorStore
}>

/** What the operations of this folder use; each picks its own. */
export type PeopleServices = Recording &
  PeopleStores &
  Readonly<{
    accounts: AccountStore
    emails: EmailStore
    tokens: TokenMaker
    hasher: PasswordHasher
    throttle: ReturnType<typeof createSignInThrottle>
    codeThrottle: ReturnType<typeof createCodeThrottle>
    resetThrottle: ReturnType<typeof createResetThrottle>
    /** Called for rejections only; the caller reports successes, which also happen by invitations and links. */
    onSignIn: OnSignIn
    twoFactorCipher: ReturnType<typeof createTwoFactorCipher>
    /** Whether operators must set up 2FA before they can use the console. */
    twoFactorPolicy: Readonly<{
      isRequired(): Promise<boolean>
      put(isRequired: boolean): Promise<void>
    }>
    pendingSignIns: ReturnType<typeof createPendingSignIns>
    passkeyVerifier: PasskeyVerifier
    eventCipher: EventCipher
    emailCipher: EmailCipher
    /** For e-mails about changes; null without a mail server. */
    notices: Mailing | null
    /** For links; null if they are only shown. */
    mailing: LinkMailing | null
  }>

export type PeopleCommandServices = PeopleStores &
  Recording &
  Notifying &
  Pick<PeopleServices, "accounts" | "tokens" | "hasher">

export type Encrypting = Pick<PeopleServices, "emailCipher" | "now">

/** `siteLocale` is for people who have chosen no language. */
export type Mailing = Encrypting & Readonly<{ siteLocale: Locale }>

export type LinkMailing = Mailing & Readonly<{ linkOf(token: string): string }>

export type Notifying = Pick<PeopleServices, "emails" | "actor" | "now" | "notices">

export type ResetRequesting = Encrypting & Pick<PeopleServices, "emails" | "resetThrottle">
