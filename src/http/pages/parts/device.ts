/** A user agent is long and names other browsers too; the first match in this order is the right one. */
const browsers = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
  ["curl/", "curl"],
] as const

const systems = [
  ["Android", "Android"],
  ["iPhone", "iOS"],
  ["iPad", "iPadOS"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"],
] as const

/** As in "Firefox · Linux"; empty when neither is known. */
export function describeDevice(userAgent: string): string {
  const find = (known: readonly (readonly [sign: string, name: string])[]) =>
    known.find(([sign]) => userAgent.includes(sign))?.[1]
  return [find(browsers), find(systems)].filter((name) => name !== undefined).join(" · ")
}
