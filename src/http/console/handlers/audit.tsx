import { type AuditKind, auditKinds } from "../../../domain/sign-in/audit-event.ts"
import { trimBlank } from "../../../domain/values/blank.ts"
import { type ConsoleApp, type ConsoleContext, viewOf } from "../frame/console-context.ts"
import { auditPath } from "../frame/console-paths.ts"
import type { ConsoleServices } from "../frame/services.ts"
import { AuditPage } from "../pages/audit-page.tsx"

const pageEvents = 50

export function addAuditRoutes(app: ConsoleApp, { store }: ConsoleServices): void {
  app.get(auditPath, async (c) => {
    const { username, kind, before } = readFilter(c)
    const account = username === "" ? null : await store.accounts.findByUsername(username)
    const isUnknown = username !== "" && account === null
    const filter = { accountId: account?.id ?? null, kind }
    // One more than is shown tells whether there are older ones.
    const events = isUnknown ? [] : await store.audit.list(filter, before, pageEvents + 1)
    return c.html(
      <AuditPage
        view={viewOf(c)}
        username={username}
        kind={kind}
        isUnknown={isUnknown}
        events={events.slice(0, pageEvents)}
        hasOlder={events.length > pageEvents}
      />,
    )
  })
}

function readFilter(c: ConsoleContext) {
  const text = (name: string) => trimBlank((c.req.query(name) ?? "").replaceAll("\0", ""))
  const kind: AuditKind | null = auditKinds.find((each) => each === text("kind")) ?? null
  const before = /^\d{1,15}$/.test(text("before")) ? Number(text("before")) : null
  return { username: text("account"), kind, before }
}
