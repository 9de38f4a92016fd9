/** The settings of the mail server that sends e-mails by SMTP. */
export type MailServer = Readonly<{
  host: string
  port: number
  /** TLS from the start (`smtps://`). Otherwise STARTTLS upgrades the connection. */
  isTls: boolean
  /** Null if the server requires no credentials. */
  credentials: Readonly<{ user: string; password: string }> | null
  from: string
}>

/** STARTTLS is required for credentials; on the same machine, TLS protects nothing. */
export const isLoopbackHost = (host: string) => /^(localhost|127\.[\d.]+|\[?::1\]?)$/.test(host)

export const describeMailServer = ({ host, port }: MailServer) => `${host}:${port}`
