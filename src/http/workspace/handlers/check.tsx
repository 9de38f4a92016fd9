import { type PurchaseBody, purchaseBodyOf } from "../../../domain/catalogue/purchase.ts"
import { listCleanings } from "../../../domain/catalogue/purchase-code.ts"
import { formatTimestamp } from "../../../domain/values/time/timestamp.ts"
import { checkPurchase } from "../../../operations/catalogue/check-purchase.ts"
import { keepNote, listNotes, type UnsealedNote } from "../../../operations/sign-in/keep-note.ts"
import { type Locale, renderErrorBody } from "../../api/answer/messages.ts"
import { validatePurchaseEndpoint } from "../../api/validate-purchase.ts"
import {
  type AuthorApp,
  type AuthorContext,
  viewOf,
  visitorOf,
} from "../../pages/author-context.ts"
import { apiText } from "../frame/api-text.ts"
import type { CheckFacts, CheckResult } from "../frame/check-facts.ts"
import type { WorkspaceServices } from "../frame/services.ts"
import { CheckPage } from "../pages/check-page.tsx"

/** Longer than most messages. The text is kept to be shown again. */
const keptUnitsMax = 10_000

const supportEndOf = ({ supported_until: until }: PurchaseBody, now: Date) =>
  until !== undefined && until < formatTimestamp(now) ? until : null

export function addCheckRoutes(app: AuthorApp, services: WorkspaceServices): void {
  const { store, now } = services
  const notes = { ...store, ...services }

  app.get("/workspace/check", async (c) =>
    c.html(<CheckPage view={viewOf(c)} shown={null} recent={await listChecks(c)} />),
  )

  // The code goes into a note of the session, never into an address: addresses end up in logs.
  app.post("/workspace/check", async (c) => {
    const pasted = c.get("form").text("purchase_code").slice(0, keptUnitsMax).toWellFormed()
    const id = services.tokens.create()
    const note = { sessionId: visitorOf(c).session.id, kind: "check", id } as const
    await keepNote(notes, note, pasted)
    return c.redirect(`/workspace/check/${id}`, 303)
  })

  app.get("/workspace/check/:id", async (c) => {
    const recent = await listChecks(c)
    const shown = recent.find(({ id }) => id === c.req.param("id"))
    if (shown === undefined) return c.notFound()
    return c.html(<CheckPage view={viewOf(c)} shown={shown} recent={recent} />)
  })

  /** The checks of this session, newest first. The store is asked each time: a refund shows after a reload. */
  async function listChecks(c: AuthorContext): Promise<readonly CheckFacts[]> {
    const { account, session } = visitorOf(c)
    const kept = await listNotes(notes, session.id, "check")
    return Promise.all(kept.map((note) => checkNote(note, account.id, viewOf(c).locale)))
  }

  async function checkNote(
    { id, at, text: pasted }: UnsealedNote,
    accountId: number,
    locale: Locale,
  ): Promise<CheckFacts> {
    const checked = await checkPurchase(store.purchases, accountId, pasted)
    const refuse = (reason: "unknown_code" | "revoked_code") =>
      renderErrorBody("validate_purchase", reason, locale)
    if (checked.kind !== "sold") {
      const { kind } = checked
      const isCode = kind !== "invalid" && kind !== "blank"
      const result: CheckResult = isCode ? { kind, json: refuse("unknown_code") } : { kind }
      return { id, at, pasted, cleanings: isCode ? listCleanings(pasted, null) : [], result }
    }
    const { purchase: found, isInText, others } = checked
    const purchase = purchaseBodyOf(found)
    const cleanings = isInText ? [] : listCleanings(pasted, purchase.purchase_code)
    const sold = { purchase, buyer: found.buyer, isInText, others }
    const result: CheckResult = found.isRevoked
      ? { kind: "refunded", ...sold, json: refuse("revoked_code") }
      : {
          ...{ kind: "valid", ...sold },
          supportEndedAt: supportEndOf(purchase, now()),
          json: await apiText(validatePurchaseEndpoint, found, locale),
        }
    return { id, at, pasted, cleanings, result }
  }
}
