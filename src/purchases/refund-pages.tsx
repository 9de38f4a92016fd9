/** What only operators see of a purchase: the state in the feed, their override, and its history. */

import { NoteField, noteIn } from "../access/note-pages.tsx"
import { may } from "../access/page-view.ts"
import { routes } from "../access/paths.ts"
import { addConfirmedChange } from "../platform/pages/confirm.tsx"

import { currentView, type PageApp, type PageContext } from "../platform/pages/context.ts"
import {
  displayName,
  Fact,
  isolateDirection,
  Panel,
  QuietLink,
} from "../platform/pages/elements.tsx"

import { t } from "../platform/t.ts"
import { type FoundPurchase, purchaseBodyOf } from "./purchase.ts"
import { checkPurchaseOfAny, setRefunded } from "./purchase-operations.ts"
import { checkResultTexts, type PurchasePageServices } from "./sale-list.tsx"

const historyMax = 20

/** `findCode` returns null for unknown sales and those of other authors. */
export function addRefundRoutes(
  app: PageApp,
  services: PurchasePageServices,
  findCode: (c: PageContext) => Promise<string | null>,
): void {
  const pathOf = (c: PageContext) => `${currentView().paths.check}/${c.req.param("id")}`

  for (const change of ["refund", "take-back"] as const) {
    addConfirmedChange(app, {
      path: `${routes.check}/:id/${change}`,
      async find(c) {
        const code = currentView().isVisiting ? await findCode(c) : null
        return code === null ? null : findPurchase(services, code)
      },
      confirm({ code, username, itemId, ...purchase }, c) {
        const { title, text, submit } = refundTexts[change]
        const item = isolateDirection(displayName(purchaseBodyOf(purchase).item.name, itemId))
        return {
          title: t(title),
          text: t(text, { code, item, author: isolateDirection(username) }),
          submit: t(submit),
          isDangerous: change === "refund",
          back: pathOf(c),
          fields: <NoteField c={c} />,
        }
      },
      async apply(c, purchase) {
        const recording = { ...services, actor: c.var.actor }
        const isDone = await setRefunded(recording, purchase, change === "refund", noteIn(c))
        return isDone ? c.redirect(`${pathOf(c)}?done=${change}`, 303) : c.notFound()
      },
    })
  }
}

async function findPurchase(
  { sales }: PurchasePageServices,
  code: string,
): Promise<FoundPurchase | null> {
  const checked = await checkPurchaseOfAny(sales, code)
  return checked.kind === "sold" ? checked.purchase : null
}

type Props = Readonly<{ code: string; path: string }>

export async function renderOverride(services: PurchasePageServices, { code, path }: Props) {
  const purchase = await findPurchase(services, code)
  if (purchase === null) return null
  const { accountId, isRevokedByFeed, isRevokedByOperator } = purchase
  const filter = { accountId, kind: "purchase", subjectId: code } as const
  const events = await services.audit.list(filter, null, historyMax)
  const change = isRevokedByOperator ? "take-back" : "refund"
  return (
    <Panel id="history-title" title={t("History")}>
      <dl class="facts">
        <Fact
          name={t("Imported state")}
          value={t(checkResultTexts[isRevokedByFeed ? "refunded" : "valid"])}
        />
        <Fact name={t("Operator override")}>
          {isRevokedByOperator ? t("Refunded # result") : "–"}
        </Fact>
      </dl>
      {may("operate") && (
        <p class="actions">
          <QuietLink href={`${path}/${change}`} data-dialog>
            {t(refundTexts[change].submit)}
          </QuietLink>
        </p>
      )}
      {events.length > 0 && services.renderHistory(events)}
    </Panel>
  )
}

const refundTexts = {
  refund: {
    submit: "Mark as refunded",
    title: "Mark this purchase as refunded?",
    text: "The code {code} of “{item}” by {author} is invalid within a second, on every server. This override takes precedence over imports until an operator undoes it.",
  },
  "take-back": {
    submit: "Undo refund",
    title: "Undo this refund?",
    text: "The imported state of the code {code} of “{item}” by {author} applies again within a second, on every server.",
  },
} as const
