/** The settings of the mail server that sends e-mails by SMTP. */
export type MailServer = Readonly<{
  host: string
  port: number
  /**
   * `immediate` (`smtps://`), or STARTTLS: `required` for credentials, `offered` if the server offers it, and `none` on
   * the same machine, where TLS protects nothing.
   */
  tls: "immediate" | "required" | "offered" | "none"
  /** Null if the server requires no credentials. */
  credentials: Readonly<{ user: string; password: string }> | null
  from: string
}>

export const describeMailServer = ({ host, port }: MailServer) => `${host}:${port}`
