/** Pages that the workspace also has. */
import { paths, workspaceOf } from "../access/paths.ts"
import { findPastedKey } from "../keys/key-operations.ts"
import { type ListedOperator, mayGetAlerts } from "../people/operator.ts"
import * as security from "../people/security-pages.tsx"
import type { PageApp, View } from "../platform/pages/context.ts"
import { displayName, Panel, Pill } from "../platform/pages/elements.tsx"
import { PostForm, QuietButton } from "../platform/pages/form-fields.tsx"
import * as search from "../platform/pages/search.tsx"
import { foldLetters } from "../platform/text.ts"
import { formatTimestamp } from "../platform/time.ts"
import { pathOfPurchase, pathOfSale } from "../purchases/console-sale-pages.tsx"
import { checkPurchaseOfAny } from "../purchases/purchase-operations.ts"
import { ConsolePage, sectionsOf } from "./frame.tsx"
import type { ConsoleServices } from "./services.ts"

export function addSearchRoutes(app: PageApp, services: ConsoleServices): void {
  const { authorSearch, itemSearch, operators, sales, now } = services
  search.addSearchRoutes(app, {
    route: paths.search,
    Layout: ConsolePage,
    texts: ({ texts }) => ({ ...texts.search.console, unknownKey: texts.keys.console.none }),
    sections: sectionsOf,
    findKey: (_, pasted) => findPastedKey(services, null, pasted),
    async findCode(c, text) {
      const checked = await checkPurchaseOfAny(sales, text)
      const found = checked.kind === "sold" ? [checked.purchase] : []
      return {
        title: c.var.view.texts.purchases.purchase,
        rows: found.map((sold) => [pathOfPurchase(sold), sold.code, sold.username]),
        total: found.length,
      }
    },
    async findNames(c, text) {
      const { texts } = c.var.view
      const at = formatTimestamp(now())
      const wanted = foldLetters(text)
      const named = (await operators.list()).filter(({ name }) =>
        foldLetters(name).includes(wanted),
      )
      const byName = { text, sort: "name", isDescending: false, at, offset: 0 } as const
      const { authors, total } = await authorSearch.search({ ...byName, rowsMax: search.foundMax })
      const items = await itemSearch.listOfAny(text, search.foundMax + 1)
      const all = { itemIds: null, state: null, range: null }
      const sold = await sales.search(null, all, text, null, search.foundMax, at)
      return [
        {
          title: texts.operators.title,
          rows: named.slice(0, search.foundMax).map(({ name }) => [paths.operators, name]),
          total: named.length,
        },
        {
          title: texts.authors.title,
          rows: authors.map(({ id, fullName, username }) => [
            paths.author(id),
            displayName(fullName, username),
            displayName(username, id),
          ]),
          total,
        },
        {
          title: texts.items.title,
          rows: items
            .slice(0, search.foundMax)
            .map(({ id, name, username }) => [
              `${workspaceOf(username).items}/${id}`,
              displayName(name, id),
              username,
            ]),
          total: items.length,
        },
        {
          title: texts.columns.buyer,
          rows: sold.sales.map((sale) => [
            pathOfSale(sale),
            sale.buyer ?? "",
            [displayName(sale.itemName, sale.itemId), sale.username, sale.soldAt.slice(0, 10)].join(
              " · ",
            ),
          ]),
          total: sold.sales.length + (sold.next === null ? 0 : 1),
        },
        await search.findKeys(services, texts, { accountId: null, text }),
      ]
    },
  })
}

export function addSecurityRoutes(app: PageApp, services: ConsoleServices): void {
  const { operators } = services
  security.addSecurityRoutes(app, services, {
    Layout: ConsolePage,
    route: paths.security,
    pathOf: () => paths.security,
    accountOf: () => null,
    isTwoFactorRequired: services.twoFactorPolicy.isRequired,
    async renderMore({ var: { view, person } }) {
      const listed = (await operators.list()).find(({ id }) => id === person.id)
      return listed && mayGetAlerts(listed) ? <AlertPanel view={view} operator={listed} /> : null
    },
  })
  app.post(alertsPath, async (c) => {
    const hasAlerts = c.var.form.text("alerts") === "on"
    await operators.putAlerts(c.var.operator.id, hasAlerts)
    return c.redirect(`${paths.security}?done=alerts_${hasAlerts ? "on" : "off"}`, 303)
  })
}

const alertsPath = `${paths.security}/alerts`

type AlertPanelProps = Readonly<{ view: View; operator: ListedOperator }>

const AlertPanel = ({ view, operator: { email, hasAlerts } }: AlertPanelProps) => {
  const { settings, twoFactor } = view.texts
  const texts = settings.security.alerts
  const [tone, state] = hasAlerts
    ? (["good", twoFactor.enabled] as const)
    : (["plain", twoFactor.disabled] as const)
  return (
    <Panel id="alerts-title" title={texts.title}>
      <p>
        <Pill tone={tone}>{state}</Pill> {email === null ? texts.noAddress : <bdi>{email}</bdi>}
      </p>
      <p class="hint">{texts.text}</p>
      <PostForm view={view} action={alertsPath}>
        <QuietButton name="alerts" value={hasAlerts ? "off" : "on"}>
          {hasAlerts ? texts.turnOff : texts.turnOn}
        </QuietButton>
      </PostForm>
    </Panel>
  )
}
