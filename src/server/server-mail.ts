import type { Config } from "../config/config.ts"
import { listIncidents } from "../doctor/list-incidents.ts"
import { every } from "../domain/values/timers.ts"
import type { Log } from "../log/log.ts"
import { openEmailSender } from "../mail/sender.ts"
import { openMailTransport } from "../mail/transport.ts"
import { sendAlerts } from "../operations/maintenance/send-alerts.ts"
import {
  answerReset,
  listAuthorsByEmail,
  listOperatorsByEmail,
} from "../operations/sign-in/invitation-operations.ts"
import { tokens } from "../secrets/sign-in/tokens.ts"
import type { App } from "./app.ts"
import type { BackgroundTask } from "./background-task.ts"

const alertEveryMs = 60_000

/** `url` is the base of links. Does nothing without a mail server. */
export function openMail(
  { mailServer, siteName, siteLocale: locale }: Config,
  app: App,
  url: string,
  log: Log,
): readonly BackgroundTask[] {
  const mailings = app.createMailings(url)
  if (mailServer === null || mailings === null) return []
  const { store, emailCipher, now } = app
  const { accounts, invitations, operators, operatorSignIn } = store
  const onFault = (fault: unknown) => log.failure("failed to send e-mails", fault)
  const sender = openEmailSender({
    emails: store.emails,
    cipher: emailCipher,
    transport: openMailTransport(mailServer, siteName),
    siteName,
    async answerResetRequest({ owners, to }) {
      if (owners === "authors") {
        const found = await listAuthorsByEmail(accounts, to)
        return answerReset({ invitations, tokens, now }, mailings.authors, found)
      }
      const found = await listOperatorsByEmail(operators, to)
      const services = { invitations: operatorSignIn.invitations, tokens, now }
      return answerReset(services, mailings.operators, found)
    },
    nowMs: () => Date.now(),
    every,
    onFault,
    onGivenUp: ({ message }) => log.warn("gave up an e-mail", { problem: message }),
  })
  const alerting = { ...store, emailCipher, tokens, now, locale, consoleUrl: `${url}/console` }

  async function alert(): Promise<void> {
    for (const [about, incidents] of await listIncidents(store, now())) {
      await sendAlerts(alerting, about, incidents)
    }
  }
  let alerts = alert().catch(onFault)
  const stopAlerts = every(alertEveryMs, () => {
    alerts = alerts.then(alert).catch(onFault)
  })
  return [
    {
      async close() {
        stopAlerts()
        await Promise.all([alerts, sender.close()])
      },
    },
  ]
}
