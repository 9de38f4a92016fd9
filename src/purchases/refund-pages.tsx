/** What only operators see of a purchase: the state in the feed, their override, and its history. */
import { routes } from "../access/paths.ts"
import { addConfirmedChange, NoteField, noteIn } from "../people/confirm-pages.tsx"
import { may, type PageApp, type PageContext, type View } from "../platform/pages/context.ts"
import {
  displayName,
  Fact,
  isolateDirection,
  Panel,
  QuietLink,
} from "../platform/pages/elements.tsx"
import { WorkspacePage } from "../platform/pages/layout.tsx"
import type { WorkspaceServices } from "../workspace/services.ts"
import { type FoundPurchase, purchaseBodyOf } from "./purchase.ts"
import { checkPurchaseOfAny, setRefunded } from "./purchase-operations.ts"

const historyMax = 20

/** `findCode` returns null for unknown sales and those of other authors. */
export function addRefundRoutes(
  app: PageApp,
  services: WorkspaceServices,
  findCode: (c: PageContext) => Promise<string | null>,
): void {
  const pathOf = (c: PageContext) => `${c.var.view.paths.check}/${c.req.param("id")}`

  for (const change of ["refund", "take-back"] as const) {
    addConfirmedChange(app, services, {
      Layout: WorkspacePage,
      path: `${routes.check}/:id/${change}`,
      async find(c) {
        const code = c.var.view.isVisiting ? await findCode(c) : null
        return code === null ? null : findPurchase(services, code)
      },
      confirm({ texts }, { code, username, itemId, ...purchase }, c) {
        const { text, ...rest } = texts.purchases.refunds[change]
        const name = displayName(purchaseBodyOf(purchase).item.name, itemId)
        return {
          ...rest,
          text: text(code, isolateDirection(name), isolateDirection(username)),
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
  { sales }: WorkspaceServices,
  code: string,
): Promise<FoundPurchase | null> {
  const checked = await checkPurchaseOfAny(sales, code)
  return checked.kind === "sold" ? checked.purchase : null
}

type Props = Readonly<{ view: View; code: string; path: string }>

export async function renderOverride(services: WorkspaceServices, { view, code, path }: Props) {
  const purchase = await findPurchase(services, code)
  if (purchase === null) return null
  const { purchases: texts, check } = view.texts
  const { accountId, isRevokedByFeed, isRevokedByOperator } = purchase
  const filter = { accountId, kind: "purchase", subjectId: code } as const
  const events = await services.audit.list(filter, null, historyMax)
  const change = isRevokedByOperator ? "take-back" : "refund"
  return (
    <Panel id="history-title" title={texts.history}>
      <dl class="facts">
        <Fact
          name={texts.feedState}
          value={check.results[isRevokedByFeed ? "refunded" : "valid"]}
        />
        <Fact name={texts.operatorOverride}>
          {isRevokedByOperator ? check.results.refunded : "–"}
        </Fact>
      </dl>
      {may(view, "operate") && (
        <p class="actions">
          <QuietLink href={`${path}/${change}`} data-dialog>
            {texts.refunds[change].submit}
          </QuietLink>
        </p>
      )}
      {events.length > 0 && services.renderHistory(view, events)}
    </Panel>
  )
}
