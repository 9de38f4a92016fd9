/** User agents also name other browsers: the first match in this order is the browser. */
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

/** As in "Firefox · Linux"; empty if neither is recognized. */
export function describeDevice(userAgent: string): string {
  const find = (names: readonly (readonly [token: string, name: string])[]) =>
    names.find(([token]) => userAgent.includes(token))?.[1]
  return [find(browsers), find(systems)].filter((name) => name !== undefined).join(" · ")
}
