import type { Locale } from "../../api/answer/messages.ts"

const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const

/** `1.5 GB`, by powers of 1,000 as disks are sold. */
export function formatBytes(bytes: number, locale: Locale): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  return (bytes / 1000 ** power).toLocaleString(locale, {
    style: "unit",
    unit: units[power],
    maximumFractionDigits: 1,
  })
}
