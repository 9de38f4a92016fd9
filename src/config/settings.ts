/** Pazar's own environment variables: how each is read, a mistyped name is noticed, and the console shows the values. */
import { readFileSync } from "node:fs"
import { findErrorCode } from "../domain/values/error.ts"
import { findNearest } from "../domain/values/text.ts"
import type { Setting } from "../http/console/frame/services.ts"

export type Environment = Readonly<Record<string, string | undefined>>

export const knownSettings = [
  "PAZAR_BACKUP_DIR",
  "PAZAR_BACKUP_EVERY",
  "PAZAR_BACKUP_KEEP",
  "PAZAR_FEED_DEFAULTS",
  "PAZAR_LOCALE",
  "PAZAR_MASTER_KEY",
  "PAZAR_MASTER_KEY_FILE",
  "PAZAR_METRICS_TOKEN",
  "PAZAR_METRICS_TOKEN_FILE",
  "PAZAR_OPERATOR_TOKEN",
  "PAZAR_OPERATOR_TOKEN_FILE",
  "PAZAR_OPERATOR_TOTP",
  "PAZAR_PUBLIC_URL",
  "PAZAR_RATE_LIMIT",
  "PAZAR_RECEIPT_DAYS",
  "PAZAR_SIGN_IN_URL",
  "PAZAR_SITE_NAME",
  "PAZAR_SUPPORT_URL",
  "PAZAR_THREADS",
  "PAZAR_TRUSTED_PROXIES",
  "PAZAR_WEBHOOK_NETWORKS",
]

const prefix = "PAZAR_"
const withoutPrefix = (name: string) => name.slice(prefix.length)

export function unknownSettings(env: Environment): readonly string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith(prefix) && !knownSettings.includes(name))
    .filter((name) => !isServiceLink(name, env[name] ?? ""))
    .toSorted()
    .map((name) => {
      const nearest = findNearest(withoutPrefix(name), knownSettings.map(withoutPrefix))
      const hint =
        nearest === null
          ? "docs/operating/settings.md lists them"
          : `did you mean ${prefix}${nearest}?`
      return `${name} is not a setting: ${hint}`
    })
}

/** Kubernetes describes a Service named `pazar` to every pod beside it by variables like these. */
function isServiceLink(name: string, value: string): boolean {
  if (/_SERVICE_(HOST|PORT(_\w+)?)$|_PORT_\d+_(TCP|UDP|SCTP)(_\w+)?$/.test(name)) return true
  return name.endsWith("_PORT") && /^(tcp|udp|sctp):\/\//.test(value)
}

const plainNames = ["HOST", "PORT", "DATABASE_URL", "DATABASE_REPLICA_URLS", "LOG_LEVEL"]

const isSecret = (name: string) => /(?:TOKEN|MASTER_KEY)$/.test(name)

/** `values` are the ones in use, by name; a name that is not among them has the text of its variable. */
export function describeSettings(
  env: Environment,
  values: Readonly<Record<string, string | null>>,
): readonly Setting[] {
  const given = (name: string) => env[name]?.trim() || null
  const names = [...plainNames, ...knownSettings.filter((name) => !name.endsWith("_FILE"))]
  return names.map((name) => {
    const path = given(`${name}_FILE`)
    const origin = path !== null ? "file" : given(name) !== null ? "environment" : "default"
    const shown = Object.hasOwn(values, name) ? (values[name] ?? null) : given(name)
    return { name, value: isSecret(name) ? null : shown, isSecret: isSecret(name), origin, path }
  })
}

export type Settings = ReturnType<typeof createSettings>

/** Reads variables one by one, and adds what is wrong with them to `problems`. */
export function createSettings(env: Environment) {
  const problems: string[] = [...unknownSettings(env)]
  const setting = (name: string) => env[name]?.trim() || undefined

  /** From NAME, or from the file that NAME_FILE names, so that it stays out of process listings. */
  function secret(name: string): string | undefined {
    const path = setting(`${name}_FILE`)
    if (path === undefined) return setting(name)
    if (setting(name) !== undefined)
      problems.push(`${name} and ${name}_FILE are both set: choose one`)
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
  function number(name: string, preset: string, [min, max]: readonly [number, number]): number {
    const text = setting(name) ?? preset
    const isShort = /^\d+$/.test(text) && text.length <= String(max).length
    const value = isShort ? Number(text) : Number.NaN
    if (!(value >= min && value <= max)) {
      problems.push(`${name} must be a number from ${min} to ${max}, not "${text}"`)
    }
    return value
  }
  function choice<T extends string>(name: string, preset: NoInfer<T>, choices: readonly T[]): T {
    const text = setting(name) ?? preset
    const found = choices.find((candidate) => candidate === text)
    if (found === undefined)
      problems.push(`${name} must be one of ${choices.join(", ")}, not "${text}"`)
    return found ?? preset
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

/** Too long to be guessed, even with `PAZAR_RATE_LIMIT=off`. */
const tokenCharactersMin = 32

/** The entries of a value with commas. */
export const listOf = (text = "") =>
  text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")
