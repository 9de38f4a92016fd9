/** Purchase codes and sites in the form that the server compares. */
const ends =
  /^[\p{White_Space}\p{Default_Ignorable_Code_Point}]+|[\p{White_Space}\p{Default_Ignorable_Code_Point}]+$/gu
const invisible = /[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu

/** As the server trims: Unicode whitespace and invisible characters. */
export const trim = (text: string) => text.replace(ends, "")

/** The server accepts no longer code, whatever invisible characters it contains. */
export const codeLengthMax = 1_020

/** The server's normal form. */
export const normalizeCode = (typed: string) =>
  trim(
    typed
      .replace(invisible, "")
      .normalize("NFKC")
      .replace(/\p{Dash}/gu, "-"),
  )

/** For comparisons. ASCII only: toLowerCase would turn the Kelvin sign into a k. */
export const foldCode = (code: string) =>
  normalizeCode(code).replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** The host of a URL or host name, without `www.`. Other text, such as the name of a machine, stays as it is. */
export function normalizeSite(site: string): string {
  try {
    const { hostname } = new URL(/^[a-z][\w+.-]*:\/\//i.test(site) ? site : `http://${site}`)
    return hostname.replace(/\.$/, "").replace(/^www\.(?=.+\.)/, "") || site
  } catch {
    return site
  }
}

/** Also names of one label. */
const testNames =
  /^[\w-]+$|^(?:dev|develop|local|staging|stage|test|testing|demo|beta|sandbox)\d*\.[^ ]+$|^[^ ]+\.(?:test|example|invalid|localhost|local|internal|lan|home\.arpa)$/
const privateAddresses =
  /^(?:(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+|\[(?:::1?|f[cd].*|fe[89ab].*)\])$/

/** Whether a site, in normal form, is only for building and trying. The server knows more of them. */
export const isTestSite = (site: string) => testNames.test(site) || privateAddresses.test(site)
