/** Durations as people write them: `90s`, `5m`, `1h`, `1d`. */

const unitMs: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** Null if the text is no duration, or is zero. */
export function parseDurationMs(text: string): number | null {
  const [, count = "", unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const ms = Number(count) * (unitMs[unit] ?? 0)
  return ms > 0 ? ms : null
}
