import { readFileSync } from "node:fs"
import type { Environment } from "../platform/cli/command.ts"
import { findErrorCode } from "../platform/error.ts"
import { findNearest } from "../platform/text.ts"

/** The default and the meaning of each setting, for docs/settings.md. */
const documented: Readonly<Record<string, readonly [defaultText: string, meaning: string]>> = {
  HOST: ["`127.0.0.1`", "IP address to listen on"],
  PORT: ["`8080`", "port to listen on; `0` picks a free port"],
  DATABASE_URL: [
    "`sqlite:data/pazar.db`",
    "`sqlite:PATH` or `postgres://user:password@host,host/database`; percent-encode the password",
  ],
  PAZAR_MASTER_KEY: [
    "SQLite: `PATH.master-key`",
    "encrypts keys and secrets: 32 bytes in base64; required with PostgreSQL",
  ],
  PAZAR_MASTER_KEY_PREVIOUS: ["none", "old master key during a rotation"],
  PAZAR_PUBLIC_URL: [
    "from `HOST` and `PORT`",
    "base URL of links and cookies, such as `https://api.example.com`",
  ],
  PAZAR_TRUSTED_PROXIES: [
    "none",
    "IP addresses or ranges of your proxies, such as `192.0.2.10,2001:db8::10`: only their `X-Forwarded-For` is trusted",
  ],
  PAZAR_WEBHOOK_NETWORKS: [
    "none",
    "private IP ranges that operator webhooks may reach, also by `http://`, such as `10.1.0.0/16`",
  ],
  PAZAR_RATE_LIMIT: [
    "`on`",
    "`on` (60), `off`, or failed validations per key and IP address in ten minutes",
  ],
  PAZAR_THREADS: ["one per core", "listener threads; set it in a container with a CPU limit"],
  PAZAR_LOCALE: ["`en`", "default language: `en` or `tr`"],
  PAZAR_SITE_NAME: ["`Pazar`", "marketplace name on pages and in e-mails, at most 40 characters"],
  PAZAR_SMTP_URL: [
    "none",
    "mail server for invitations, password resets and alerts: `smtp://user:password@host:587` (STARTTLS) or `smtps://…` (TLS); percent-encode the password",
  ],
  PAZAR_MAIL_FROM: [
    "the user in `PAZAR_SMTP_URL`",
    "sender address; the sender name is `PAZAR_SITE_NAME`",
  ],
  PAZAR_SUPPORT_URL: ["none", "support link for authors: `https://…` or `mailto:…`"],
  PAZAR_SIGN_IN_URL: [
    "none",
    "page of your site that signs authors in, such as `https://example.com/login`",
  ],
  PAZAR_OIDC_ISSUER: [
    "none",
    "OpenID Connect provider that signs people in, such as `https://id.example.com`",
  ],
  PAZAR_OIDC_CLIENT_ID: ["none", "Pazar at this provider"],
  PAZAR_OIDC_CLIENT_SECRET: ["none", "its secret there"],
  PAZAR_OIDC_ACCOUNT_CLAIM: [
    "none",
    "claim of the ID token with the username of an account, whose owner is signed in",
  ],
  PAZAR_OPERATOR_TOKEN: ["none", "operator token with all permissions, at least 32 characters"],
  PAZAR_METRICS_TOKEN: ["none", "enables `/metrics`, at least 32 characters"],
  PAZAR_DOWNLOAD_SECRET: [
    "none",
    "signs download URLs, at least 32 characters; without it, there are no downloads",
  ],
  PAZAR_BACKUP_DIR: ["none", "folder for daily SQLite backups; the newest seven are kept"],
  PAZAR_RECEIPT_DAYS: ["`14`", "offline grace period of signed responses in days, 1 to 90"],
  LOG_LEVEL: ["`info`", "`debug` (one line per request), `info`, `warn`, `error` or `silent`"],
}

const isSecret = (name: string) => /(?:TOKEN|SECRET|MASTER_KEY|MASTER_KEY_PREVIOUS)$/.test(name)
/** These URLs may contain a password. */
const hasSecret = (name: string) => /^(?:DATABASE|PAZAR_SMTP)_URL$/.test(name)

/** A secret can also be read from a file, whose path is in NAME_FILE. */
export const settings = Object.entries(documented).map(([name, [defaultText, meaning]]) => ({
  names: isSecret(name) || hasSecret(name) ? [name, `${name}_FILE`] : [name],
  defaultText,
  meaning,
}))

const knownSettings = settings
  .flatMap(({ names }) => names)
  .filter((name) => name.startsWith("PAZAR_"))

const prefix = "PAZAR_"
const withoutPrefix = (name: string) => name.slice(prefix.length)

function listUnknownSettings(env: Environment): readonly string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith(prefix) && !knownSettings.includes(name))
    .filter((name) => !isServiceLink(name, env[name] ?? ""))
    .toSorted()
    .map((name) => {
      const nearest = findNearest(withoutPrefix(name), knownSettings.map(withoutPrefix))
      const hint = nearest === null ? "see docs/settings.md" : `did you mean ${prefix}${nearest}?`
      return `${name}: unknown setting; ${hint}`
    })
}

/** Kubernetes sets such variables in every pod for a Service named `pazar`. */
function isServiceLink(name: string, value: string): boolean {
  if (/_SERVICE_(HOST|PORT(_\w+)?)$|_PORT_\d+_(TCP|UDP|SCTP)(_\w+)?$/.test(name)) return true
  return name.endsWith("_PORT") && /^(tcp|udp|sctp):\/\//.test(value)
}

/** `values` are shown instead of the text of the variables. Secrets have no value. */
export function describeSettings(
  env: Environment,
  values: Readonly<Record<string, string | null>>,
): readonly Setting[] {
  const read = (name: string) => env[name]?.trim() || null
  return Object.keys(documented).map((name) => {
    const path = read(`${name}_FILE`)
    const origin = path !== null ? "file" : read(name) !== null ? "environment" : "default"
    const shown = Object.hasOwn(values, name) ? (values[name] ?? null) : read(name)
    return { name, value: isSecret(name) ? null : shown, isSecret: isSecret(name), origin, path }
  })
}

export type SettingsReader = ReturnType<typeof createSettingsReader>

export function createSettingsReader(env: Environment) {
  const problems = [...listUnknownSettings(env)]
  const setting = (name: string) => env[name]?.trim() || undefined

  /** Reads NAME, or the file in NAME_FILE, which keeps the secret out of the environment. */
  function secret(name: string): string | undefined {
    const path = setting(`${name}_FILE`)
    if (path === undefined) return setting(name)
    if (setting(name) !== undefined)
      problems.push(`${name} and ${name}_FILE are both set; unset one`)
    try {
      const text = readFileSync(path, "utf8").trim()
      if (text !== "") return text
      problems.push(`${name}_FILE: ${path} is empty`)
    } catch (error) {
      const why = findErrorCode(error) ?? "unreadable"
      problems.push(`${name}_FILE: ${path} cannot be read (${why})`)
    }
    return undefined
  }
  function token(name: string): string | null {
    const text = secret(name)
    if (text === undefined) return null
    if (!/^[!-~]+$/.test(text)) {
      problems.push(`${name} must be visible ASCII characters without spaces`)
    } else if (text.length < tokenCharactersMin) {
      problems.push(
        `${name} must have at least ${tokenCharactersMin} characters, as \`openssl rand -hex 32\` prints`,
      )
    }
    return text
  }
  function number(name: string, fallback: string, [min, max]: readonly [number, number]): number {
    const text = setting(name) ?? fallback
    const isShort = /^\d+$/.test(text) && text.length <= String(max).length
    const value = isShort ? Number(text) : Number.NaN
    if (!(value >= min && value <= max))
      problems.push(`${name} must be a number from ${min} to ${max}, not "${text}"`)
    return value
  }
  function choice<T extends string>(name: string, fallback: NoInfer<T>, choices: readonly T[]): T {
    const text = setting(name) ?? fallback
    const found = choices.find((candidate) => candidate === text)
    if (found === undefined)
      problems.push(`${name} must be one of ${choices.join(", ")}, not "${text}"`)
    return found ?? fallback
  }
  function url(name: string, protocol: RegExp, example: string): string | null {
    const text = setting(name)
    if (text === undefined) return null
    const parsed = URL.parse(text)
    if (parsed === null || !protocol.test(parsed.protocol))
      problems.push(`${name} must be like ${example}, not "${text}"`)
    return parsed?.href ?? null
  }
  return { problems, setting, secret, token, number, choice, url }
}

/** Too long to guess, even with `PAZAR_RATE_LIMIT=off`. */
const tokenCharactersMin = 32

export type Setting = Readonly<{
  name: string
  /** Null for a secret, and for a setting without a value. */
  value: string | null
  isSecret: boolean
  /** `file`: the variable NAME_FILE contains `path`. */
  origin: "environment" | "file" | "default"
  path: string | null
}>
