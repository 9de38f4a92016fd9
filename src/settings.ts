/** The names of Pazar's own environment variables, so that a mistyped one is noticed. */

export const knownSettings = [
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
]

/** With more wrong characters no name is suggested. */
const typosMax = 4

export function unknownSettings(
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith("PAZAR_") && !knownSettings.includes(name))
    .filter((name) => !isServiceLink(name, env[name] ?? ""))
    .toSorted()
    .map((name) => {
      const nearest = findNearest(name)
      const hint = nearest === null ? "docs/operating.md lists them" : `did you mean ${nearest}?`
      return `${name} is not a setting: ${hint}`
    })
}

/** Kubernetes describes a Service named `pazar` to every pod beside it by variables like these. */
function isServiceLink(name: string, value: string): boolean {
  if (/_SERVICE_(HOST|PORT(_\w+)?)$|_PORT_\d+_(TCP|UDP|SCTP)(_\w+)?$/.test(name)) return true
  return name.endsWith("_PORT") && /^(tcp|udp|sctp):\/\//.test(value)
}

function findNearest(name: string): string | null {
  const [best] = knownSettings
    .map((candidate) => ({ candidate, typos: countTypos(name, candidate) }))
    .toSorted((one, other) => one.typos - other.typos)
  return best !== undefined && best.typos <= typosMax ? best.candidate : null
}

/** Levenshtein's distance: characters to add, drop or replace. */
function countTypos(one: string, other: string): number {
  let previous = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [row, letter] of [...one].entries()) {
    const current = [row + 1]
    for (const [column, wanted] of [...other].entries()) {
      const replaced = (previous[column] ?? 0) + (letter === wanted ? 0 : 1)
      const dropped = (previous[column + 1] ?? 0) + 1
      const added = (current[column] ?? 0) + 1
      current.push(Math.min(replaced, dropped, added))
    }
    previous = current
  }
  return previous.at(-1) ?? 0
}
