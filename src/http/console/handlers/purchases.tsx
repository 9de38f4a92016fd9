import type { FoundItem, FoundPurchase } from "../../../domain/usage/operator-reads.ts"
import { formatTimestamp } from "../../../domain/values/time/timestamp.ts"
import { checkPurchaseOfAny } from "../../../operations/catalogue/check-purchase.ts"
import { refundPurchase, takeRefundBack } from "../../../operations/catalogue/refund-purchase.ts"
import { findNote, keepNote } from "../../../operations/sign-in/keep-note.ts"
import type { PasswordAsk } from "../../pages/ask-password.ts"
import {
  actorOf,
  type ConsoleApp,
  type ConsoleContext,
  viewAfter,
  viewOf,
  visitorOf,
} from "../frame/console-context.ts"
import { pathOfCheck, pathOfItem, purchasesPath } from "../frame/console-paths.ts"
import type { ConsoleServices } from "../frame/services.ts"
import { ConsoleItemPage } from "../pages/item-page.tsx"
import {
  type LookedUp,
  PurchasesPage,
  type RefundChange,
  RefundPage,
} from "../pages/purchases-page.tsx"
import { passwordAskOf, refusePassword } from "./ask-password.ts"

/** Longer than most messages. The text is kept to be shown again. */
const keptUnitsMax = 10_000

const checkPath = pathOfCheck(":id")

const changeBy = { refund: refundPurchase, "take-back": takeRefundBack }

export function addPurchasesRoutes(app: ConsoleApp, services: ConsoleServices): void {
  const { store, tokens, now } = services
  const reads = store.operatorReads
  const notes = { ...services, sessionNotes: store.operatorSignIn.sessionNotes }
  const noteOf = (c: ConsoleContext, id: string) =>
    ({ sessionId: visitorOf(c).session.id, kind: "check", id }) as const

  app.get(purchasesPath, (c) => c.html(<PurchasesPage view={viewOf(c)} found={null} />))

  // A code goes into a note of the session, never into an address: addresses end up in logs.
  app.post(purchasesPath, async (c) => {
    const pasted = c.get("form").text("code").slice(0, keptUnitsMax).toWellFormed()
    const id = tokens.create()
    await keepNote(notes, noteOf(c, id), pasted)
    return c.redirect(pathOfCheck(id), 303)
  })

  app.get(checkPath, async (c) => {
    const found = await lookUp(c)
    if (found === null) return c.notFound()
    if (found.item !== null && found.checked.kind !== "sold") {
      return c.redirect(pathOfItem(found.item.id), 303)
    }
    return c.html(<PurchasesPage view={viewAfter(c)} found={found} />)
  })

  for (const change of ["refund", "take-back"] as const) {
    const path = `${checkPath}/${change}`
    app.get(path, async (c) => {
      const purchase = soldIn(await lookUp(c))
      if (purchase === null) return c.notFound()
      return c.html(renderRefund(c, { change, purchase }, passwordAskOf(c, services)))
    })

    app.post(path, async (c) => {
      const purchase = soldIn(await lookUp(c))
      if (purchase === null) return c.notFound()
      const password = await refusePassword(c, services)
      if (password !== null) return c.html(renderRefund(c, { change, purchase }, password), 422)
      const trace = { audit: store.audit, now, actor: actorOf(c), purchases: store.purchases }
      if (!(await changeBy[change](trace, purchase))) return c.notFound()
      return c.redirect(`${pathOfCheck(idOf(c))}?done=${change}`, 303)
    })
  }

  app.get(`${purchasesPath}/items/:id`, async (c) => {
    const item = await findItem(c.req.param("id"))
    if (item === null) return c.notFound()
    const calls = await reads.readItemCalls(item, formatTimestamp(now()))
    return c.html(<ConsoleItemPage view={viewOf(c)} item={item} calls={calls} />)
  })

  /** The store is asked each time: a refund shows after a reload. Null for an unknown note. */
  async function lookUp(c: ConsoleContext): Promise<LookedUp | null> {
    const note = await findNote(notes, noteOf(c, idOf(c)))
    if (note === null) return null
    const [checked, item] = await Promise.all([
      checkPurchaseOfAny(reads, note.text),
      findItem(note.text.trim()),
    ])
    return { id: note.id, pasted: note.text, checked, item }
  }

  const findItem = async (text: string): Promise<FoundItem | null> =>
    /^\d{1,15}$/.test(text) ? reads.findItem(Number(text)) : null
}

const renderRefund = (
  c: ConsoleContext,
  asked: Readonly<{ change: RefundChange; purchase: FoundPurchase }>,
  password: PasswordAsk,
) => <RefundPage {...{ view: viewOf(c), ...asked, back: pathOfCheck(idOf(c)), password }} />

const idOf = (c: ConsoleContext) => c.req.param("id") ?? ""

const soldIn = (found: LookedUp | null): FoundPurchase | null =>
  found?.checked.kind === "sold" ? found.checked.purchase : null
