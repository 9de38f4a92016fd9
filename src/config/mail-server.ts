import { findEmailAddress, type MailServer } from "../domain/mail/email.ts"
import type { SettingsReader } from "./settings.ts"

const defaultPorts = { "smtp:": 587, "smtps:": 465 } as const

/** Null without PAZAR_SMTP_URL. Messages must not repeat the URL, which may contain a password. */
export function readMailServer(settings: SettingsReader): MailServer | null {
  const { problems, secret, setting } = settings
  const text = secret("PAZAR_SMTP_URL")
  const sender = setting("PAZAR_MAIL_FROM")
  const senderAddress = sender === undefined ? null : findEmailAddress(sender)
  if (sender !== undefined && senderAddress === null) {
    problems.push(`PAZAR_MAIL_FROM must be an e-mail address, not "${sender}"`)
  }
  if (text === undefined) {
    if (sender !== undefined) problems.push("PAZAR_MAIL_FROM needs PAZAR_SMTP_URL")
    return null
  }
  const server = parseSmtpUrl(text)
  if (server === null) {
    problems.push(
      "PAZAR_SMTP_URL must be like smtp://user:password@mail.example.com:587 or smtps://…, where @ : / ? # % in a password are written %40 %3A %2F %3F %23 %25",
    )
    return null
  }
  const from = senderAddress ?? findEmailAddress(server.credentials?.user ?? "")
  if (from === null && sender === undefined) {
    problems.push("PAZAR_SMTP_URL needs PAZAR_MAIL_FROM, because its user is not an e-mail address")
  }
  return { ...server, from: from ?? "" }
}

const isLoopbackHost = (host: string) => /^(localhost|127\.[\d.]+|::1)$/i.test(host)

/** An @ after the host is rejected: the password contains an unencoded / ? or #, and a part of it would be the host. */
function parseSmtpUrl(text: string): Omit<MailServer, "from"> | null {
  if (!/^smtps?:\/\/[^/?#]+\/?$/.test(text)) return null
  const url = URL.parse(text)
  if (url === null || url.hostname === "") return null
  // `as`: the form of the URL allows no other protocol.
  const protocol = url.protocol as keyof typeof defaultPorts
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1")
  const isLocal = isLoopbackHost(host)
  try {
    const [user, password] = [url.username, url.password].map(decodeURIComponent)
    const isOpen = user === "" || user === undefined
    const credentials = isOpen ? null : { user, password: password ?? "" }
    const startTls = isLocal ? "none" : isOpen ? "offered" : "required"
    const tls = protocol === "smtps:" ? "immediate" : startTls
    const defaultPort = tls === "none" ? 25 : defaultPorts[protocol]
    return { host, port: url.port === "" ? defaultPort : Number(url.port), tls, credentials }
  } catch {
    return null
  }
}
