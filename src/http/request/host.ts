/** The Host header. It decides which requests are refused; no link, cookie or answer is made of it. */
import { isIP } from "node:net"

/** A name or an IP address, with or without a port. Without a comma: the runtime joins repeated headers with one. */
const hostForm = /^(\[[0-9A-Fa-f:.]+\]|[\w.~!$&'()*+;=%-]*)(?::\d*)?$/

/** False for one that is repeated or malformed. HTTP/1.0 may leave it out. */
export function hasOneHost(headers: Headers): boolean {
  const host = headers.get("host")
  return host === null || hostForm.test(host)
}

/**
 * Whether a page is asked for by a name that is not ours, as in DNS rebinding. IP addresses and names
 * without a dot cannot be registered by an attacker, and proxies send them: nginx does by default.
 */
export function isForeignHost(headers: Headers, publicHost: string): boolean {
  const [, name = ""] = hostForm.exec(headers.get("host") ?? "") ?? []
  const asked = name.toLowerCase().replace(/\.$/, "")
  const isRegistered = asked.includes(".") && isIP(asked) === 0 && !asked.startsWith("[")
  return isRegistered && asked !== publicHost
}
