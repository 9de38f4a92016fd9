import { readFileSync } from "node:fs"
import { findErrorCode } from "../domain/values/error.ts"
import type { Setting } from "../domain/values/setting.ts"
import { findNearest } from "../domain/values/text.ts"

export type Environment = Readonly<Record<string, string | undefined>>

/** `defaultText` and `meaning` are for docs/settings.md. */
type SettingDefinition = Readonly<{
  names: readonly string[]
  defaultText: string
  meaning: string
}>

const withFile = (name: string) => [name, `${name}_FILE`]

export const settings: readonly SettingDefinition[] = [
  {
    names: ["HOST"],
    defaultText: "`127.0.0.1`",
    meaning: "IP address to listen on",
  },
  {
    names: ["PORT"],
    defaultText: "`8080`",
    meaning: "port to listen on; `0` picks a free port",
  },
  {
    names: withFile("DATABASE_URL"),
    defaultText: "`sqlite:data/pazar.db`",
    meaning:
      "`sqlite:PATH` or `postgres://user:password@host,host/database`; percent-encode the password",
  },
  {
    names: withFile("PAZAR_MASTER_KEY"),
    defaultText: "SQLite: `PATH.master-key`",
    meaning: "encrypts keys and secrets: 32 bytes in base64; required with PostgreSQL",
  },
  {
    names: withFile("PAZAR_MASTER_KEY_PREVIOUS"),
    defaultText: "none",
    meaning: "old master key during a rotation",
  },
  {
    names: ["PAZAR_PUBLIC_URL"],
    defaultText: "from `HOST` and `PORT`",
    meaning: "base URL of links and cookies, such as `https://api.example.com`",
  },
  {
    names: ["PAZAR_TRUSTED_PROXIES"],
    defaultText: "none",
    meaning:
      "IP addresses or ranges of your proxies, such as `192.0.2.10,2001:db8::10`: only their `X-Forwarded-For` is trusted",
  },
  {
    names: ["PAZAR_WEBHOOK_NETWORKS"],
    defaultText: "none",
    meaning:
      "private IP ranges that operator webhooks may reach, also by `http://`, such as `10.1.0.0/16`",
  },
  {
    names: ["PAZAR_RATE_LIMIT"],
    defaultText: "`on`",
    meaning: "`on` (60), `off`, or failed validations per key and IP address in ten minutes",
  },
  {
    names: ["PAZAR_THREADS"],
    defaultText: "one per core",
    meaning: "listener threads; set it in a container with a CPU limit",
  },
  {
    names: ["PAZAR_LOCALE"],
    defaultText: "`en`",
    meaning: "default language: `en` or `tr`",
  },
  {
    names: ["PAZAR_SITE_NAME"],
    defaultText: "`Pazar`",
    meaning: "marketplace name on pages and in e-mails, at most 40 characters",
  },
  {
    names: withFile("PAZAR_SMTP_URL"),
    defaultText: "none",
    meaning:
      "mail server for invitations, password resets and alerts: `smtp://user:password@host:587` (STARTTLS) or `smtps://…` (TLS); percent-encode the password",
  },
  {
    names: ["PAZAR_MAIL_FROM"],
    defaultText: "the user in `PAZAR_SMTP_URL`",
    meaning: "sender address; the sender name is `PAZAR_SITE_NAME`",
  },
  {
    names: ["PAZAR_SUPPORT_URL"],
    defaultText: "none",
    meaning: "support link for authors: `https://…` or `mailto:…`",
  },
  {
    names: ["PAZAR_SIGN_IN_URL"],
    defaultText: "none",
    meaning: "page of your site that signs authors in, such as `https://example.com/login`",
  },
  {
    names: withFile("PAZAR_OPERATOR_TOKEN"),
    defaultText: "none",
    meaning: "operator token with all permissions, at least 32 characters",
  },
  {
    names: withFile("PAZAR_METRICS_TOKEN"),
    defaultText: "none",
    meaning: "enables `/metrics`, at least 32 characters",
  },
  {
    names: withFile("PAZAR_DOWNLOAD_SECRET"),
    defaultText: "none",
    meaning: "signs download URLs, at least 32 characters; without it, there are no downloads",
  },
  {
    names: ["PAZAR_BACKUP_DIR"],
    defaultText: "none",
    meaning: "folder for daily SQLite backups; the newest seven are kept",
  },
  {
    names: ["PAZAR_RECEIPT_DAYS"],
    defaultText: "`14`",
    meaning: "offline grace period of signed responses in days, 1 to 90",
  },
  {
    names: ["LOG_LEVEL"],
    defaultText: "`info`",
    meaning: "`debug` (one line per request), `info`, `warn`, `error` or `silent`",
  },
]

const knownSettings: readonly string[] = settings
  .flatMap(({ names }) => names)
  .filter((name) => name.startsWith("PAZAR_"))

/** Settings of 0.12 and what to do instead. */
const removedSettings: Readonly<Record<string, string>> = {
  PAZAR_BACKUP_EVERY: "unset it: backups are created daily",
  PAZAR_BACKUP_KEEP: "unset it: the newest seven backups are kept",
  PAZAR_OPERATOR_TOTP:
    "unset it, and require two-factor authentication in the console under Operators",
  DATABASE_REPLICA_URLS:
    "name all hosts in DATABASE_URL, as in postgres://user:password@one:5432,two:5432/database",
  PAZAR_FEED_DEFAULTS:
    "unset it: missing fields get built-in defaults; for other values, use COALESCE in the SELECTs of a pull, or add the fields before the import",
}

const listRemoved = (env: Environment) =>
  Object.keys(env)
    .filter((name) => Object.hasOwn(removedSettings, name) && env[name]?.trim())
    .map((name) => `${name} was removed; ${removedSettings[name]}`)

const prefix = "PAZAR_"
const withoutPrefix = (name: string) => name.slice(prefix.length)

export function listUnknownSettings(env: Environment): readonly string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith(prefix) && !knownSettings.includes(name))
    .filter((name) => !Object.hasOwn(removedSettings, name))
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

const isSecret = (name: string) => /(?:TOKEN|SECRET|MASTER_KEY|MASTER_KEY_PREVIOUS)$/.test(name)

/** `values` are shown instead of the text of the variables. Secrets have no value. */
export function describeSettings(
  env: Environment,
  values: Readonly<Record<string, string | null>>,
): readonly Setting[] {
  const read = (name: string) => env[name]?.trim() || null
  const names = settings.flatMap(({ names: [name] }) => name ?? [])
  return names.map((name) => {
    const path = read(`${name}_FILE`)
    const origin = path !== null ? "file" : read(name) !== null ? "environment" : "default"
    const shown = Object.hasOwn(values, name) ? (values[name] ?? null) : read(name)
    return { name, value: isSecret(name) ? null : shown, isSecret: isSecret(name), origin, path }
  })
}

export type SettingsReader = ReturnType<typeof createSettingsReader>

export function createSettingsReader(env: Environment) {
  const problems: string[] = [...listRemoved(env), ...listUnknownSettings(env)]
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
    if (!(value >= min && value <= max)) {
      problems.push(`${name} must be a number from ${min} to ${max}, not "${text}"`)
    }
    return value
  }
  function choice<T extends string>(name: string, fallback: NoInfer<T>, choices: readonly T[]): T {
    const text = setting(name) ?? fallback
    const found = choices.find((candidate) => candidate === text)
    if (found === undefined)
      problems.push(`${name} must be one of ${choices.join(", ")}, not "${text}"`)
    return found ?? fallback
  }
  function url(name: string, { form, example }: Readonly<{ form: RegExp; example: string }>) {
    const text = setting(name)
    if (text === undefined) return null
    const parsed = URL.parse(text)
    if (parsed === null || !form.test(parsed.protocol)) {
      problems.push(`${name} must be like ${example}, not "${text}"`)
    }
    return parsed?.href ?? null
  }
  return { problems, setting, secret, token, number, choice, url }
}

/** Too long to guess, even with `PAZAR_RATE_LIMIT=off`. */
const tokenCharactersMin = 32

export const splitList = (text = "") =>
  text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")
