import { routes } from "../access/paths.ts"
import { renderApiResponse } from "../api/endpoint.ts"
import { renderErrorBody } from "../contract/response.ts"
import { currentView, type PageApp, type PageContext } from "../platform/pages/context.ts"
import {
  CopyableList,
  displayName,
  formatDay,
  JsonBlock,
  licenseLabel,
} from "../platform/pages/elements.tsx"
import { Field, PostForm, pastedUnitsMax } from "../platform/pages/form-fields.tsx"
import { addList } from "../platform/pages/list.tsx"
import { Page } from "../platform/pages/page.tsx"
import { t } from "../platform/t.ts"
import { formatTimestamp } from "../platform/time.ts"
import { type Purchase, purchaseBodyOf, stateOfPurchase } from "./purchase.ts"
import { validatePurchaseEndpoint } from "./purchase-endpoints.ts"
import { checkPurchase, saleIdOfPurchase } from "./purchase-operations.ts"
import { addSiteRoutes, PurchaseFacts, PurchaseSites, readSites } from "./purchase-sites.tsx"
import { addRefundRoutes, renderOverride } from "./refund-pages.tsx"
import { parseSaleId, type Sale, saleIdOf } from "./sale.ts"
import {
  checkResultTexts,
  openSales,
  type PurchasePageServices,
  type SaleFilterName,
  saleFilterNames,
} from "./sale-list.tsx"

export const addSalesRoutes = (app: PageApp, services: PurchasePageServices): void =>
  addList<Sale, SaleFilterName>(app, {
    path: routes.sales,
    file: "sales",
    filterNames: saleFilterNames,
    isPrivate: true,
    async open(c, request) {
      const list = await openSales(services, c.var.account, request)
      return {
        ...list,
        linkOf: (sale) => `${currentView().paths.check}/${saleIdOf(sale)}`,
        page: async (rows, listed) => (
          <Page title={t("Sales")}>
            {await list.readHead(listed)}
            {rows}
          </Page>
        ),
      }
    },
  })

export function addCheckRoutes(app: PageApp, services: PurchasePageServices): void {
  const { purchases, sales, now } = services

  app.get(routes.check, (c) => show(c, null))

  app.post(routes.check, async (c) =>
    show(c, c.var.form.text("purchase_code").slice(0, pastedUnitsMax).toWellFormed()),
  )

  // The URL of a sale does not contain its code.
  app.get(`${routes.check}/:id`, async (c) => {
    const sold = await findSold(c)
    return sold === null ? c.notFound() : show(c, sold.code)
  })

  addSiteRoutes(app, services, `${routes.check}/:id`, findSold)
  addRefundRoutes(app, services, async (c) => (await findSold(c))?.code ?? null)

  /** Null for unknown sales and sales of other authors. */
  async function findSold(c: PageContext) {
    const { id: accountId, username } = c.var.account
    const id = c.req.param("id") ?? ""
    const code = parseSaleId(id) && (await sales.findCode(accountId, id))
    const checked = code && (await checkPurchase(purchases, accountId, code))
    return checked && checked.kind === "sold" ? { ...checked.purchase, username } : null
  }

  /** Null for the empty form. */
  async function show(c: PageContext, pasted: string | null): Promise<Response> {
    const { account } = c.var
    const view = currentView()
    const today = formatTimestamp(now())
    const checked = pasted === null ? null : await checkPurchase(purchases, account.id, pasted)
    const kind = checked?.kind
    const problem = kind === "empty" || kind === "invalid" ? t(checkProblemTexts[kind]) : null
    const sold = checked?.kind === "sold" ? checked : null
    const state = sold && stateOfPurchase(sold.purchase, today)
    const result = state ?? (kind === "test" || kind === "unknown" ? kind : null)
    const headline = result && headlineOf(t(checkResultTexts[result]), sold?.purchase ?? null)
    const body = sold && purchaseBodyOf(sold.purchase)
    const supportEnd = state === "valid" ? body?.supported_until : undefined
    const itemPath = `${view.paths.items}/${sold?.purchase.itemId}`
    // All errors have the same body.
    const json =
      sold !== null && state === "valid"
        ? await renderApiResponse(validatePurchaseEndpoint, sold.purchase, view.locale)
        : renderErrorBody("validate_purchase", "unknown_code", view.locale)
    return c.html(
      <Page title={headline ?? problem ?? t("Check a code")} heading={t("Check a code")}>
        <PostForm action={view.paths.check} class="filter">
          <Field
            name="purchase_code"
            label={t("Purchase code, or a message that contains one")}
            value={pasted ?? ""}
            autocomplete="off"
            error={problem}
            isFocused={view.path === view.paths.check}
            describedBy={result === null ? undefined : "result"}
          />
          <button type="submit">{t("Check")}</button>
        </PostForm>
        {result !== null && (
          <section class="panel">
            <div class={`notice ${tones[result]}`} id="result">
              <h2>{headline}</h2>
              {result !== "valid" && <p>{t(checkExplanations[result])}</p>}
              {supportEnd !== undefined && supportEnd < today && (
                <p>{t("Support ended {day}", { day: formatDay(supportEnd) })}</p>
              )}
            </div>
            {sold !== null && (
              <>
                {sold.isInText && <p class="hint">{t("Found in the text that you pasted.")}</p>}
                {sold.others.length > 0 && (
                  <p class="hint">
                    {t("The text contains more of your codes:")}{" "}
                    <CopyableList texts={sold.others} />
                  </p>
                )}
                <PurchaseFacts purchase={sold.purchase} itemPath={itemPath} />
              </>
            )}
            <JsonBlock title={t("API response")} json={json} />
          </section>
        )}
        {sold !== null && (
          <PurchaseSites
            {...(await readSites(c, services, sold.purchase))}
            path={`${view.paths.check}/${saleIdOfPurchase(sold.purchase)}`}
          >
            <a href={`${itemPath}#sites`}>{t("Change the site limit of the item")}</a>
          </PurchaseSites>
        )}
        {sold !== null &&
          view.isVisiting &&
          (await renderOverride(services, {
            ...{ code: sold.purchase.code },
            path: `${view.paths.check}/${saleIdOfPurchase(sold.purchase)}`,
          }))}
      </Page>,
    )
  }
}

const tones = {
  valid: "good",
  refunded: "danger",
  expired: "danger",
  test: "warning",
  unknown: "warning",
} as const

function headlineOf(label: string, purchase: Purchase | null): string {
  if (purchase === null) return label
  const { item, ...body } = purchaseBodyOf(purchase)
  return [label, displayName(item.name, item.id), licenseLabel(body.license_type)].join(" · ")
}

const checkProblemTexts = {
  invalid: "This is too long to be a purchase code.",
  empty: "Paste a code first.",
} as const

const checkExplanations = {
  refunded: "This purchase was refunded or charged back. The code is invalid. # author",
  expired: "The subscription ended. The code is invalid until the buyer renews it.",
  test: "It works with test keys only. No buyer has this code.",
  unknown:
    "No purchase of your items has this code. If you pasted a message, paste only the code. Or ask the buyer to copy it again from the order e-mail.",
} as const
