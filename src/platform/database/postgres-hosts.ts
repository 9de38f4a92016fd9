/** The hosts of a DATABASE_URL such as `postgres://a:5432,b:5432/db`, of which one is the primary. */

/** User and password end at the last @, as in the driver. */
const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^@/?#]*)([^?#]*)(?:\?([^#]*))?$/

/**
 * Returns one URL per host. Returns null for an invalid URL and for a comma between two @, which is ambiguous: a
 * password with both characters, or a password for each host.
 */
export function splitHosts(url: string): readonly string[] | null {
  const [, start, hosts, path, query = ""] = parts.exec(url) ?? []
  if (start === undefined || hosts === undefined || /@.*,/s.test(start)) return null
  const parameters = new URLSearchParams(query)
  parameters.delete(targetSetting)
  const rest = parameters.size === 0 ? "" : `?${parameters}`
  const urls = hosts.split(",").map((host) => `${start}${host}${path}${rest}`)
  return urls.every((each) => URL.canParse(each)) ? urls : null
}

const targetSetting = "target_session_attrs"

export const isSupportedPostgresUrl = (url: string) =>
  splitHosts(url) !== null &&
  [null, "any", "read-write", "primary"].includes(
    new URLSearchParams(url.split("?")[1]).get(targetSetting),
  )

/** Never contains user and password, even if a typo puts them in place of the database name. */
export function describeDatabase(url: string): string {
  const urls = splitHosts(url) ?? [url]
  const [, name] = /^\/([\w-]+)$/.exec(new URL(urls[0] ?? url).pathname) ?? []
  const database = name === undefined ? "the database" : `the database ${name}`
  return `${database} at ${urls.map(renderHost).join(", ")}`
}

export function renderHost(url: string): string {
  const { hostname, port } = new URL(url)
  return `${hostname || "localhost"}:${port || "5432"}`
}
