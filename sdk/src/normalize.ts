const ends =
  /^[\p{White_Space}\p{Default_Ignorable_Code_Point}]+|[\p{White_Space}\p{Default_Ignorable_Code_Point}]+$/gu
const invisible = /[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu

/** Trims Unicode whitespace and invisible characters, as the server does. */
export const trim = (text: string) => text.replace(ends, "")

/** The server's limit, including invisible characters. */
export const codeLengthMax = 1_020

/** Normalizes a code as the server does. */
export const normalizeCode = (typed: string) =>
  trim(
    typed
      .replace(invisible, "")
      .normalize("NFKC")
      .replace(/\p{Dash}/gu, "-"),
  )

/** For comparisons. Lowercases ASCII letters only: toLowerCase would turn the Kelvin sign into a k. */
export const foldCode = (code: string) =>
  normalizeCode(code).replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Returns the host of a URL or host name without `www.`. Other text, such as a machine name, is unchanged. */
export function normalizeSite(site: string): string {
  if (/^[^:/]*@/.test(site)) return site
  try {
    const { hostname } = new URL(/^[a-z][\w+.-]*:\/\//i.test(site) ? site : `http://${site}`)
    return hostname.replace(/\.$/, "").replace(/^(?:www\.)+(?=[^.]+\.)/, "") || site
  } catch {
    return site
  }
}

const testNames =
  /^[\w-]+$|^(?:dev(?:elop(?:ment)?)?|local(?:host)?|stag(?:e|ing)|test(?:s|ing)?|demo|beta|sandbox|preview|qa|uat)\d*\.[^ ]+$|^(?:[^ ]+\.)?(?:test|example|invalid|localhost|local|internal|lan|home\.arpa)$/
const privateAddresses =
  /^(?:(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.[\d.]+|\[(?:::1?|f[cd].*|fe[89ab].*)\])$/

/** Whether a normalized site is a test site. The server recognizes more: domains of tunnels and sandboxes. */
export const isTestSite = (site: string) => testNames.test(site) || privateAddresses.test(site)
