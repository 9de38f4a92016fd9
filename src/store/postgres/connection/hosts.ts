/** The servers of a DATABASE_URL with several hosts, `postgres://a:5432,b:5432/db`: one of them is the primary. */

/** User and password end at the last @, as the driver reads an address. */
const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^@/?#]*)([^?#]*)(?:\?([^#]*))?$/

/**
 * One address for each host. Null if the text is no such address, or has a comma between two @: that is a password
 * with both, or a password before each host.
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

/** As libpq has it. Others would find a server that takes no writes. */
export const isTargetSupported = (url: string) =>
  [null, "any", "read-write", "primary"].includes(
    new URLSearchParams(url.split("?")[1]).get(targetSetting),
  )

/** Leaves out user and password, also where a typing error put them in place of the name. */
export function describeDatabase(url: string): string {
  const urls = splitHosts(url) ?? [url]
  const [, name] = /^\/([\w-]+)$/.exec(new URL(urls[0] ?? url).pathname) ?? []
  const database = name === undefined ? "the database" : `the database ${name}`
  return `${database} at ${urls.map(hostAndPortOf).join(", ")}`
}

/** Host and port of an address with one host. */
export function hostAndPortOf(url: string): string {
  const { hostname, port } = new URL(url)
  return `${hostname || "localhost"}:${port || "5432"}`
}
