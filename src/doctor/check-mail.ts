import type { Config } from "../config/config.ts"
import { describeMailServer, type EmailStore, emailDelayMsMax } from "../domain/mail/email.ts"
import { message } from "../domain/values/problems/problem.ts"
import { MailFailed, openMailTransport } from "../mail/transport.ts"
import { type Finding, ok, problem, warning } from "./finding.ts"

const check = "e-mail"

/** E-mails that wait for long show that the mail server does not accept them. */
export async function checkOutbox(
  emails: Pick<EmailStore, "findOldest">,
  now: Date,
): Promise<readonly Finding[]> {
  const at = await emails.findOldest()
  if (at === null || now.getTime() - Date.parse(at) < emailDelayMsMax) return []
  return [warning(check, message("mail_delayed", { at }), message("check_mail"))]
}

/** Connects and signs in, but sends nothing. */
export async function checkMailServer(
  { mailServer, siteName }: Pick<Config, "mailServer" | "siteName">,
  silenceMsMax = 30_000,
): Promise<readonly Finding[]> {
  if (mailServer === null) return []
  const transport = openMailTransport(mailServer, siteName, silenceMsMax)
  try {
    await transport.verify()
    return [ok(check, `${describeMailServer(mailServer)} accepts connections`)]
  } catch (error) {
    if (!(error instanceof MailFailed)) throw error
    return [problem(check, error.problem, message("check_mail"))]
  } finally {
    transport.close()
  }
}
