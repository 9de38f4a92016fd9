/** Pazar's own environment variables: a mistyped name is noticed, and the console shows the values. */
import { findNearest } from "../domain/values/text.ts"
import type { Setting } from "../http/console/frame/services.ts"

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

export function unknownSettings(
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
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
  env: Readonly<Record<string, string | undefined>>,
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
