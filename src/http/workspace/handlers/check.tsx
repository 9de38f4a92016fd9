import type { Hono } from "hono"
import type { ApiKey } from "../../../domain/api-key.ts"
import { DomainError } from "../../../domain/error.ts"
import { purchaseBodyOf } from "../../../domain/purchase.ts"
import { judgePastedCode, listCleanings } from "../../../domain/purchase-code.ts"
import { formatTimestamp } from "../../../domain/timestamp.ts"
import { findNote, keepNote } from "../../../operations/keep-note.ts"
import { performOperation } from "../../../operations/operation.ts"
import { validatePurchase } from "../../../operations/validate-purchase.ts"
import type { Locale } from "../../api/messages.ts"
import { validatePurchaseEndpoint } from "../../api/validate-purchase.ts"
import { apiText } from "../api-text.ts"
import { CheckPage, type CheckResult } from "../pages/check-page.tsx"
import type { WorkspaceServices } from "../services.ts"
import { viewOf, visitorOf, type WorkspaceEnv } from "../workspace-context.ts"

/** Longer than any code. The text is kept to be shown again. */
const keptUnitsMax = 2_000

export function addCheckRoutes(app: Hono<WorkspaceEnv>, services: WorkspaceServices): void {
  const { store, now } = services
  const notes = { ...store, ...services }

  app.get("/workspace/check", (c) =>
    c.html(<CheckPage view={viewOf(c)} pasted="" cleanings={[]} result={null} />),
  )

  // The code goes into a note of the session, never into an address: addresses end up in logs.
  app.post("/workspace/check", async (c) => {
    const pasted = c.get("form").text("purchase_code").slice(0, keptUnitsMax).toWellFormed()
    const id = services.tokens.create()
    const note = { sessionId: visitorOf(c).session.id, kind: "check", id } as const
    await keepNote(notes, note, pasted)
    return c.redirect(`/workspace/check/${id}`, 303)
  })

  /** Asks the store each time: a refund shows after a reload. */
  app.get("/workspace/check/:id", async (c) => {
    const { account, session } = visitorOf(c)
    const identity = { sessionId: session.id, kind: "check", id: c.req.param("id") } as const
    const note = await findNote(notes, identity)
    if (note === null) return c.notFound()
    const view = viewOf(c)
    const pasted = note.text
    const judged = judgePastedCode(pasted)
    const result: CheckResult =
      judged.kind === "code" ? await check(account.id, judged.code, view.locale) : judged
    const found = result.kind === "valid" ? result.purchase.purchase_code : null
    const cleanings = judged.kind === "invalid" ? [] : listCleanings(pasted, found)
    return c.html(<CheckPage view={view} pasted={pasted} cleanings={cleanings} result={result} />)
  })

  /** All items of the account count, as for a secret key. */
  async function check(accountId: number, code: string, locale: Locale): Promise<CheckResult> {
    const everything: ApiKey = {
      ...{ id: "", accountId, kind: "sk" },
      ...{ itemIds: null, expiresAt: null, revokedAt: null },
    }
    try {
      const found = await performOperation(validatePurchase, store, everything, code)
      const purchase = purchaseBodyOf(found)
      const { supported_until } = purchase
      const isSupportOver =
        supported_until !== undefined && supported_until < formatTimestamp(now())
      const json = await apiText(validatePurchaseEndpoint, found, locale)
      return { kind: "valid", purchase, json, isSupportOver }
    } catch (error) {
      const reason = error instanceof DomainError ? error.reason : null
      if (reason === "unknown_code") return { kind: "unknown" }
      if (reason === "revoked_code") return { kind: "revoked" }
      throw error
    }
  }
}
