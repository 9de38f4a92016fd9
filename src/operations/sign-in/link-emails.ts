/** E-mails with links to set a password. They are sent by the outbox. */
import { type Account, accountBodyOf } from "../../domain/catalog/account.ts"
import {
  type EmailCipher,
  findEmailAddress,
  type NewEmail,
  type OutboxEntry,
} from "../../domain/mail/email.ts"
import type { Operator } from "../../domain/sign-in/operator.ts"
import type { PreferenceStore } from "../../domain/store.ts"
import { type Locale, locales } from "../../domain/values/locale.ts"
import { formatTimestamp, type Timestamp } from "../../domain/values/time/timestamp.ts"

export type Encrypting = Readonly<{ emailCipher: EmailCipher; now: () => Date }>

export function encryptEmail(
  { emailCipher, now }: Encrypting,
  entry: OutboxEntry,
  expiresAt: Timestamp,
): NewEmail {
  const id = emailCipher.createEmailId()
  const encrypted = emailCipher.encrypt(JSON.stringify(entry), id)
  return { id, encrypted, createdAt: formatTimestamp(now()), expiresAt }
}

export const authorLink = (baseUrl: string, token: string) => `${baseUrl}/invite/${token}`
export const operatorLink = (baseUrl: string, token: string) => `${baseUrl}/console/invite/${token}`

/** How links are sent to authors or operators. */
export type LinkMailing<Owner> = Encrypting &
  Readonly<{
    linkOf(token: string): string
    /** Null without a valid address. */
    addressOf(owner: Owner): string | null
    localeOf(owner: Owner): Promise<Locale>
    nameOf(owner: Owner): string
  }>

export const createAuthorMailing = (
  services: Encrypting & Readonly<{ preferences: Pick<PreferenceStore, "findLocale"> }>,
  siteLocale: Locale,
  baseUrl: string,
): LinkMailing<Account> => ({
  ...services,
  linkOf: (token) => authorLink(baseUrl, token),
  addressOf: (account) => findEmailAddress(accountBodyOf(account).email),
  async localeOf({ id }) {
    const chosen = await services.preferences.findLocale(id)
    return locales.find((locale) => locale === chosen) ?? siteLocale
  },
  nameOf: ({ username }) => username,
})

export const createOperatorMailing = (
  services: Encrypting,
  siteLocale: Locale,
  baseUrl: string,
): LinkMailing<Pick<Operator, "name" | "email">> => ({
  ...services,
  linkOf: (token) => operatorLink(baseUrl, token),
  addressOf: ({ email }) => email,
  localeOf: async () => siteLocale,
  nameOf: ({ name }) => name,
})

type Link = Readonly<{
  kind: "author_invitation" | "operator_invitation" | "password_reset"
  token: string
  expiresAt: Timestamp
}>

/** Returns an empty list for an owner without an address. */
export async function createLinkEmails<Owner>(
  mailing: LinkMailing<Owner>,
  owner: Owner,
  { kind, token, expiresAt }: Link,
): Promise<readonly NewEmail[]> {
  const to = mailing.addressOf(owner)
  if (to === null) return []
  const [locale, name] = [await mailing.localeOf(owner), mailing.nameOf(owner)]
  const email = { kind, to, locale, name, url: mailing.linkOf(token), expiresAt } as const
  return [encryptEmail(mailing, email, expiresAt)]
}
