/** How IP addresses are written. */

/** A socket of both families shows an IPv4 address as `::ffff:192.0.2.1`. */
export const unmapIpv4 = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, "")

/** An IPv6 address needs brackets in a URL: `http://[::1]:8080`. */
export const httpUrl = (host: string, port: number) =>
  `http://${host.includes(":") ? `[${host}]` : host}:${port}`
