/** What is configured and where it comes from, for people to read: no secret is in it. */
import { knownSettings } from "./settings.ts"

export type SettingFact = Readonly<{
  name: string
  /** Null where nothing is set, and for a secret. */
  value: string | null
  isSecret: boolean
  /** `file`: the variable NAME_FILE names `path`. */
  origin: "environment" | "file" | "default"
  path: string | null
}>

const plainNames = ["HOST", "PORT", "DATABASE_URL", "DATABASE_REPLICA_URLS", "LOG_LEVEL"]

const isSecret = (name: string) => /(?:TOKEN|MASTER_KEY)$/.test(name)

/** `values` are the ones in use, by name; a name that is not among them has the text of its variable. */
export function describeSettings(
  env: Readonly<Record<string, string | undefined>>,
  values: Readonly<Record<string, string | null>>,
): readonly SettingFact[] {
  const given = (name: string) => env[name]?.trim() || null
  const names = [...plainNames, ...knownSettings.filter((name) => !name.endsWith("_FILE"))]
  return names.map((name) => {
    const path = given(`${name}_FILE`)
    const origin = path !== null ? "file" : given(name) !== null ? "environment" : "default"
    const shown = Object.hasOwn(values, name) ? (values[name] ?? null) : given(name)
    return { name, value: isSecret(name) ? null : shown, isSecret: isSecret(name), origin, path }
  })
}
