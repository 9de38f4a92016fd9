import type { Hono } from "hono"
import type { ApiKey } from "../../../domain/api-key.ts"
import { DomainError } from "../../../domain/error.ts"
import type { Purchase } from "../../../domain/purchase.ts"
import { listCleanings, normalisePurchaseCode } from "../../../domain/purchase-code.ts"
import { formatTimestamp } from "../../../domain/timestamp.ts"
import { findNote, keepNote } from "../../../operations/keep-note.ts"
import { performOperation } from "../../../operations/operation.ts"
import { validatePurchase } from "../../../operations/validate-purchase.ts"
import { validatePurchaseEndpoint } from "../../api/validate-purchase.ts"
import { apiText } from "../api-text.ts"
import { CheckPage, type CheckResult } from "../pages/check-page.tsx"
import type { WorkspaceServices } from "../services.ts"
import { viewOf, visitorOf, type WorkspaceEnv } from "../workspace-context.ts"

/** More than any code could have: what is longer is kept only to be shown again. */
const keptUnitsMax = 2_000

export function addCheckRoutes(app: Hono<WorkspaceEnv>, services: WorkspaceServices): void {
  const { store, now } = services
  const notes = { ...store, ...services }

  app.get("/workspace/check", (c) =>
    c.html(<CheckPage view={viewOf(c)} pasted="" cleanings={[]} result={null} />),
  )

  // The code goes into a note of the session: never into an address, which ends up in logs.
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
    const code = normalisePurchaseCode(pasted)
    const purchase = code === null || code === "" ? code : await find(account.id, code)
    const isFound = typeof purchase === "object" && purchase !== null
    const result = isFound ? await describe(purchase) : explain(purchase)
    const cleanings = code === null ? [] : listCleanings(pasted, isFound ? purchase.code : null)
    return c.html(<CheckPage view={view} pasted={pasted} cleanings={cleanings} result={result} />)

    async function describe(found: Purchase): Promise<CheckResult> {
      const json = await apiText(validatePurchaseEndpoint, found, view.locale)
      const { purchase: facts } = JSON.parse(json).data
      const isSupportOver = (facts.supported_until ?? "9") < formatTimestamp(now())
      return { kind: "valid", purchase: facts, json, isSupportOver }
    }
  })

  /** The purchase, or the reason it is none: the author asks for all of the account, as `sk` would. */
  async function find(accountId: number, code: string): Promise<Purchase | string> {
    const everything: ApiKey = {
      ...{ id: "", accountId, kind: "sk" },
      ...{ itemIds: null, expiresAt: null, revokedAt: null },
    }
    return performOperation(validatePurchase, store, everything, code).catch((error) => {
      if (error instanceof DomainError && error.reason !== "unavailable") return error.reason
      throw error
    })
  }
}

function explain(reason: string | null): CheckResult {
  if (reason === null) return { kind: "invalid" }
  if (reason === "") return { kind: "missing" }
  return { kind: reason === "revoked_code" ? "revoked" : "unknown" }
}
