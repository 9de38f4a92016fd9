/** Reads the configuration from environment variables and reports all problems together. */

import { existsSync } from "node:fs"
import { isIP } from "node:net"
import { availableParallelism } from "node:os"
import { resolve } from "node:path"
import { failuresMaxDefault } from "../keys/rate-limits.ts"
import { describeMailServer, findEmailAddress, type MailServer } from "../mail/email.ts"
import type { ProviderSettings } from "../people/identity.ts"
import { owaspCost, type PasswordCost } from "../people/password.ts"
import type { Environment } from "../platform/cli/command.ts"
import { isSupportedPostgresUrl } from "../platform/database/postgres-hosts.ts"
import { findIpRange } from "../platform/ip-range.ts"
import { locales } from "../platform/locale.ts"
import { logLevels } from "../platform/log.ts"
import {
  decodeMasterKey,
  MasterKeyError,
  type MasterKeySource,
  readMasterKeyFile,
} from "../store/master-key.ts"
import { describeStore, type StoreLocation, sqliteAt } from "../store/open-store.ts"
import { createSettingsReader, describeSettings, type SettingsReader } from "./settings.ts"

export type Config = Readonly<ReturnType<typeof readConfig>>

/** Only the demo and tests change these. */
type Fixed = Readonly<{
  /** The URL of the demo's receiver, which webhooks of authors may reach too. */
  webhookReceiver: string | null
  idleSeconds: number
  passwordCost: PasswordCost
  pictures: Readonly<Record<string, string>>
}>

const fixed: Fixed = {
  webhookReceiver: null,
  idleSeconds: 10,
  passwordCost: owaspCost,
  pictures: {},
}

/** On more cores, several processes are better, because they fail independently. */
const threadsMax = 256

export class ConfigError extends Error {
  override name = "ConfigError"
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(["invalid configuration:", ...problems.map((one) => `- ${one}`)].join("\n"))
    this.problems = problems
  }
}

/** With `mayLackKey`, the file of the master key may be missing. Throws ConfigError. */
export function readConfig(env: Environment, { mayLackKey = false } = {}) {
  const settings = createSettingsReader(env)
  const { problems, setting, number, choice, url, token } = settings
  const threads = number("PAZAR_THREADS", String(availableParallelism()), [1, threadsMax])
  const config = {
    host: readHost(setting("HOST") ?? "127.0.0.1", problems),
    port: number("PORT", "8080", [0, 65_535]),
    threads,
    store: readStore(settings, connectionsFor(threads)),
    siteLocale: choice("PAZAR_LOCALE", "en", locales),
    siteName: readSiteName(setting("PAZAR_SITE_NAME") ?? "Pazar", problems),
    supportUrl: url("PAZAR_SUPPORT_URL", /^(?:https?|mailto):$/, supportExample),
    signInUrl: url("PAZAR_SIGN_IN_URL", /^https?:$/, "https://example.com/login"),
    mailServer: readMailServer(settings),
    identityProvider: readIdentityProvider(settings),
    operatorToken: token("PAZAR_OPERATOR_TOKEN"),
    metricsToken: token("PAZAR_METRICS_TOKEN"),
    /** Shared with the shop, which verifies download URLs. Null disables downloads. */
    downloadSecret: token("PAZAR_DOWNLOAD_SECRET"),
    /** Null uses the URL on which the server listens. */
    publicUrl: readPublicUrl(setting("PAZAR_PUBLIC_URL"), problems),
    trustedProxies: readIpRanges(
      settings,
      "PAZAR_TRUSTED_PROXIES",
      "192.0.2.10 or 192.0.2.16/28",
    ).map(({ text }) => text),
    /** Private IP ranges that operator webhooks may reach, also without TLS. */
    webhookIpRanges: readIpRanges(
      settings,
      "PAZAR_WEBHOOK_NETWORKS",
      "10.1.2.3 or 10.1.0.0/16",
    ).map(({ ipRange }) => ipRange),
    /** Failed validations per key and IP address in ten minutes; null disables rate limits. */
    failedValidationsMax: readRateLimit(setting("PAZAR_RATE_LIMIT") ?? "on", problems),
    receiptDays: number("PAZAR_RECEIPT_DAYS", "14", [1, receiptDaysMax]),
    ...fixed,
    logLevel: choice("LOG_LEVEL", "info", logLevels),
  }
  const backupFolder = readBackupFolder(settings, config.store)
  const masterKey =
    readMasterKeySource(settings, "PAZAR_MASTER_KEY", mayLackKey) ??
    defaultKey(config.store, problems)
  const previousMasterKey = readMasterKeySource(settings, "PAZAR_MASTER_KEY_PREVIOUS", mayLackKey)
  if (problems.length > 0) throw new ConfigError(problems)
  const { store, mailServer } = config
  const keyFile = masterKey.from === "made" ? { PAZAR_MASTER_KEY_FILE: masterKey.path } : {}
  const effective = {
    HOST: config.host,
    PORT: String(config.port),
    DATABASE_URL: `${store.kind}: ${describeStore(store)}`,
    LOG_LEVEL: config.logLevel,
    PAZAR_LOCALE: config.siteLocale,
    PAZAR_MAIL_FROM: mailServer?.from ?? null,
    PAZAR_RATE_LIMIT: setting("PAZAR_RATE_LIMIT") ?? "on",
    PAZAR_RECEIPT_DAYS: String(config.receiptDays),
    PAZAR_SITE_NAME: config.siteName,
    // Not the URL, which may contain a password.
    PAZAR_SMTP_URL: mailServer && describeMailServer(mailServer),
    PAZAR_THREADS: String(threads),
  }
  const described = describeSettings({ ...env, ...keyFile }, effective)
  return { ...config, backupFolder, masterKey, previousMasterKey, settings: described }
}

/** Connections per thread: 16 saturate a core, and many threads must not exhaust the database server. */
const connectionsFor = (threads: number) => Math.max(4, Math.floor(16 / threads))

const receiptDaysMax = 90

/** Rejects an @ after the host: an unencoded / ? or # in the password makes a part of it the host, which is shown. */
const isPostgresUrl = (url: string) =>
  /^postgres(?:ql)?:\/\/[^/?#]*(?:[/?#][^@]*)?$/.test(url) && isSupportedPostgresUrl(url)

function readStore({ problems, secret }: SettingsReader, connectionsMax: number): StoreLocation {
  const url = secret("DATABASE_URL") ?? "sqlite:data/pazar.db"
  const store = parseStoreUrl(url)
  if (store?.kind === "postgres") return { ...store, connectionsMax }
  // The message must not repeat the value, which may contain a password.
  if (store === null) {
    problems.push(
      "DATABASE_URL must be sqlite:PATH, as in sqlite:data/pazar.db, or postgres://user:password@host/database, where @ : / ? # in a password are written %40 %3A %2F %3F %23",
    )
  }
  return store ?? sqliteAt(resolve("."))
}

export function parseStoreUrl(url: string): StoreLocation | null {
  if (isPostgresUrl(url)) return { kind: "postgres", url, connectionsMax: 1 }
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(url)?.[1]
  return path === undefined ? null : sqliteAt(resolve(path))
}

function readRateLimit(text: string, problems: string[]): number | null {
  if (text === "on") return failuresMaxDefault
  if (text === "off") return null
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  problems.push(
    `PAZAR_RATE_LIMIT must be on, off or a number, not "${text}"; write 60 for 60 failed validations per key and IP address in ten minutes`,
  )
  return null
}

function readHost(text: string, problems: string[]): string {
  if (isIP(text) === 0 && !/^[\w.-]+$/.test(text)) {
    problems.push(
      `HOST must be an IP address or a host name, as in 127.0.0.1 or ::1, not "${text}"`,
    )
  }
  return text
}

/** Must be an origin without a path: the pages are at the root, and forms are checked against it. */
function readPublicUrl(text: string | undefined, problems: string[]): string | null {
  if (text === undefined) return null
  const url = URL.parse(text)
  const isOrigin =
    url !== null && /^https?:$/.test(url.protocol) && url.pathname === "/" && !url.search
  if (!isOrigin)
    problems.push(`PAZAR_PUBLIC_URL must be like https://api.example.com, not "${text}"`)
  return url?.origin ?? null
}

/** Fits beside the logo on a phone. */
const siteNameCharactersMax = 40

function readSiteName(text: string, problems: string[]): string {
  if ([...text].length > siteNameCharactersMax || /\p{Cc}/u.test(text)) {
    problems.push(
      `PAZAR_SITE_NAME must be at most ${siteNameCharactersMax} characters, without line breaks`,
    )
  }
  return text
}

const supportExample = "https://example.com/support or mailto:support@example.com"

function readIpRanges({ problems, setting }: SettingsReader, name: string, examples: string) {
  const entries = (setting(name) ?? "").split(",").map((entry) => entry.trim())
  return entries.flatMap((text) => {
    if (text === "") return []
    const ipRange = findIpRange(text)
    if (ipRange !== null) return { text, ipRange }
    problems.push(`${name} must be IP addresses or ranges, as in ${examples}, not "${text}"`)
    return []
  })
}

/** Returns null if neither NAME nor NAME_FILE is set. */
function readMasterKeySource(
  { setting, problems }: SettingsReader,
  name: "PAZAR_MASTER_KEY" | "PAZAR_MASTER_KEY_PREVIOUS",
  mayLackKey: boolean,
): MasterKeySource | null {
  const text = setting(name)
  const path = setting(`${name}_FILE`)
  if (text !== undefined && path !== undefined)
    problems.push(`${name} and ${name}_FILE are both set; unset one`)
  if (text !== undefined) {
    const key = decodeMasterKey(text)
    if (key !== null) return { from: "environment", key }
    problems.push(`${name} must be 32 bytes in base64`)
  }
  if (path === undefined) return null
  if (text === undefined && !mayLackKey) checkMasterKeyFile(`${name}_FILE`, path, problems)
  return { from: "file", path: resolve(path) }
}

function defaultKey(store: StoreLocation, problems: string[]): MasterKeySource {
  if (store.kind === "sqlite") return { from: "made", path: `${store.path}.master-key` }
  problems.push("PostgreSQL requires a master key; set PAZAR_MASTER_KEY or PAZAR_MASTER_KEY_FILE")
  return { from: "file", path: "" }
}

function checkMasterKeyFile(name: string, path: string, problems: string[]): void {
  try {
    readMasterKeyFile(path)
  } catch (error) {
    if (!(error instanceof MasterKeyError)) throw error
    problems.push(`${name}: ${error.message}`)
  }
}

function readBackupFolder({ problems, setting }: SettingsReader, store: StoreLocation) {
  const folder = setting("PAZAR_BACKUP_DIR")
  if (folder === undefined) return null
  if (store.kind === "postgres") {
    problems.push(
      "PAZAR_BACKUP_DIR is for SQLite; unset it and back up PostgreSQL with its own tools",
    )
  } else if (!existsSync(folder)) {
    // The folder is not created, because its volume may not be mounted.
    problems.push(`PAZAR_BACKUP_DIR: folder ${folder} does not exist; create or mount it`)
  }
  return resolve(folder)
}

function readIdentityProvider(settings: SettingsReader): ProviderSettings | null {
  const { problems, secret, setting } = settings
  const issuer = setting("PAZAR_OIDC_ISSUER")
  const clientId = setting("PAZAR_OIDC_CLIENT_ID")
  const clientSecret = secret("PAZAR_OIDC_CLIENT_SECRET")
  const accountClaim = setting("PAZAR_OIDC_ACCOUNT_CLAIM")
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) {
    if ([issuer, clientId, clientSecret, accountClaim].some((each) => each !== undefined)) {
      problems.push(
        "set all of PAZAR_OIDC_ISSUER, PAZAR_OIDC_CLIENT_ID and PAZAR_OIDC_CLIENT_SECRET, or none",
      )
    }
    return null
  }
  const url = URL.parse(issuer)
  const isFine =
    url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname))
  if (!isFine)
    problems.push(`PAZAR_OIDC_ISSUER must be like https://id.example.com, not "${issuer}"`)
  return { issuer, clientId, clientSecret, accountClaim: accountClaim ?? null }
}

const isLoopback = (hostname: string) => /^(localhost|127\.[\d.]+|\[?::1\]?)$/i.test(hostname)

const mailPorts = { "smtp:": 587, "smtps:": 465 } as const

/** Null without PAZAR_SMTP_URL. Messages must not repeat the URL, which may contain a password. */
function readMailServer(settings: SettingsReader): MailServer | null {
  const { problems, secret, setting } = settings
  const text = secret("PAZAR_SMTP_URL")
  const sender = setting("PAZAR_MAIL_FROM")
  const senderAddress = sender === undefined ? null : findEmailAddress(sender)
  if (sender !== undefined && senderAddress === null)
    problems.push(`PAZAR_MAIL_FROM must be an e-mail address, not "${sender}"`)
  if (text === undefined) {
    if (sender !== undefined) problems.push("PAZAR_MAIL_FROM needs PAZAR_SMTP_URL")
    return null
  }
  const server = parseSmtpUrl(text)
  if (server === null) {
    problems.push(
      "PAZAR_SMTP_URL must be like smtp://user:password@mail.example.com:587 or smtps://…, where @ : / ? # % in a password are written %40 %3A %2F %3F %23 %25",
    )
    return null
  }
  const from = senderAddress ?? findEmailAddress(server.credentials?.user ?? "")
  if (from === null && sender === undefined)
    problems.push("PAZAR_SMTP_URL needs PAZAR_MAIL_FROM, because its user is not an e-mail address")
  return { ...server, from: from ?? "" }
}

/** An @ after the host is rejected: the password contains an unencoded / ? or #, and a part of it would be the host. */
function parseSmtpUrl(text: string): Omit<MailServer, "from"> | null {
  if (!/^smtps?:\/\/[^/?#]+\/?$/.test(text)) return null
  const url = URL.parse(text)
  if (url === null || url.hostname === "") return null
  // `as`: the form of the URL allows no other protocol.
  const protocol = url.protocol as keyof typeof mailPorts
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1")
  try {
    const [user, password] = [url.username, url.password].map(decodeURIComponent)
    const isOpen = user === "" || user === undefined
    const credentials = isOpen ? null : { user, password: password ?? "" }
    const startTls = isLoopback(host) ? "none" : isOpen ? "offered" : "required"
    const tls = protocol === "smtps:" ? "immediate" : startTls
    const defaultPort = tls === "none" ? 25 : mailPorts[protocol]
    return { host, port: url.port === "" ? defaultPort : Number(url.port), tls, credentials }
  } catch {
    return null
  }
}
