import { type Config, ConfigError, type Environment, readConfig } from "../config/config.ts"
import { type Finding, ok, problem, warning } from "./finding.ts"

const check = "configuration"
const listed = "docs/operating.md lists all settings."

/** `config` is null where the settings cannot be used, and nothing else can be checked. */
export function checkSettings(
  env: Environment,
): Readonly<{ config: Config | null; findings: readonly Finding[] }> {
  try {
    const config = readConfig(env)
    const doubts = listDoubts(config)
    const findings = doubts.length > 0 ? doubts : [ok(check, "every setting can be used")]
    return { config, findings }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { config: null, findings: error.problems.map((each) => problem(check, each, listed)) }
  }
}

const isLocal = (host: string) => /^(localhost|127\.|\[?::1\]?$)/.test(host)

export function listDoubts({ host, publicUrl, trustedProxies }: Config): readonly Finding[] {
  const url = publicUrl === null ? null : new URL(publicUrl)
  const isOpen = url === null ? !isLocal(host) : url.protocol === "http:" && !isLocal(url.hostname)
  const isBehindProxy = url?.protocol === "https:"
  return [
    ...(isOpen
      ? [
          warning(
            check,
            "PAZAR_PUBLIC_URL is no https address",
            "Put a TLS proxy in front: keys and codes must not cross a network in the clear.",
          ),
        ]
      : []),
    ...(isBehindProxy && trustedProxies.length === 0
      ? [
          warning(
            check,
            "PAZAR_TRUSTED_PROXIES is not set, so all callers seem to come from the proxy",
            "Set it to the address of the TLS proxy.",
          ),
        ]
      : []),
  ]
}
