import type { Recording } from "../access/audit-event.ts"
import { describeAuthor } from "../accounts/account.ts"
import { itemBodyOf, parseSiteLimit, type SiteLimits, siteLimitMax } from "../items/item.ts"
import { command, jsonOnly, type OpenContext, option, UsageError } from "../platform/cli/command.ts"
import { writeRecord } from "../platform/cli/output.ts"
import { asUsageError } from "../platform/cli/parse-options.ts"
import { UserError } from "../platform/error.ts"
import { pluralize } from "../platform/text.ts"
import { purchaseBodyOf, stateNames, stateOfPurchase } from "./purchase.ts"
import { findPurchase, type PurchaseServices } from "./purchase-operations.ts"
import { slotDays } from "./site.ts"
import { previewLimits, readUsedSites, setSiteLimits } from "./site-operations.ts"

type Store = Pick<PurchaseServices, "itemSearch" | "sales" | "sites">
type App = Readonly<{
  store: Store
  services: Recording & Omit<PurchaseServices, "limits" | "releaserOf">
}>

type Context = OpenContext<App>

export const commands = {
  "item show": command({
    positionals: ["ID"],
    options: jsonOnly,
    async run({ positionals: [text], values }, context: Context) {
      const id = parseItemId(text)
      await using app = await context.openApp()
      const found = await requireItem(app.store, id)
      const limits = await app.store.sites.findLimits(id)
      const { username: author, isSuspended, isHidden, purchases } = found
      const body = itemBodyOf(found)
      const { price, currency } = body
      const state = { hidden: isHidden, authorSuspended: isSuspended, purchases }
      const sites = { siteLimit: toObject(limits) }
      await writeRecord(context, values.json, { author, ...body, ...state, ...sites }, [
        ["Item", String(id)],
        ["Name", body.name],
        ["Author", describeAuthor(found)],
        ["State", isHidden ? "hidden" : "visible"],
        ["Category", `${body.category} / ${body.sub_category}`],
        ["Version", body.version],
        ["Price", `${price.regular} ${currency}, extended ${price.extended} ${currency}`],
        ["Published", body.published_at],
        ["Purchases", String(purchases)],
        ["Site limit", describeLimits(limits)],
      ])
    },
  }),
  "item limit": command({
    positionals: ["ID", "[none|N]"],
    options: {
      license: {
        ...option(
          "NAME=N",
          "limit for one license type (case-insensitive); repeatable; requires N or none",
        ),
        multiple: true,
      },
      ...jsonOnly,
    },
    help: `N is the number of sites per purchase, from 1 to ${siteLimitMax}. \`none\` removes the limit. Without either, the
command shows the limit. A new site beyond the limit gets 404 site_limit. A site that has not been
seen for ${slotDays} days loses its slot. Test sites do not use a slot.`,
    async run({ positionals: [text, number], values }, context: Context) {
      const id = parseItemId(text)
      if (number === undefined && values.license !== undefined)
        throw new UsageError("--license requires N or none for the other licenses")
      const newLimits = number === undefined ? null : parseLimits(number, values.license ?? [])
      await using app = await context.openApp()
      const found = await requireItem(app.store, id)
      if (newLimits !== null) await setSiteLimits(app.services, found, newLimits)
      const limits = newLimits ?? (await app.store.sites.findLimits(id))
      const { over, purchases } = await previewLimits(app.services, id, limits)
      const object = { itemId: id, ...toObject(limits), purchases, purchasesOverLimit: over }
      await writeRecord(context, values.json, object, [
        ["Item", String(id)],
        ["Site limit", describeLimits(limits)],
        ["Over the limit", `${over} of ${pluralize(purchases, "purchase")}`],
      ])
    },
  }),
  "purchase show": command({
    positionals: ["CODE"],
    options: jsonOnly,
    help: `The code is normalized as in the API: surrounding whitespace, invisible characters, the kind of dash
and case do not matter.`,
    async run({ positionals: [code], values }, context: Context) {
      await using app = await context.openApp()
      const found = await findPurchase(app.store.sales, code)
      const { sites, limit, at } = await readUsedSites(app.services, found)
      const { item, ...fields } = purchaseBodyOf(found)
      const state = stateNames[stateOfPurchase(found, at)]
      const object = {
        ...fields,
        author: found.username,
        authorSuspended: found.isSuspended,
        itemId: found.itemId,
        itemName: item.name,
        state,
        validUntil: found.validUntil ?? undefined,
        siteLimit: limit ?? undefined,
        revoked: found.isRevoked,
        revokedByFeed: found.isRevokedByFeed,
        revokedByOperator: found.isRevokedByOperator,
        buyer: found.buyer ?? undefined,
        sites: sites.map(({ isTest, ...site }) => ({ ...site, test: isTest })),
      }
      await writeRecord(context, values.json, object, [
        ["Code", found.code],
        ["State", state],
        ["State in feed", found.isRevokedByFeed ? "revoked" : "valid"],
        ["Operator override", found.isRevokedByOperator ? "revoked" : "none"],
        ["Author", describeAuthor(found)],
        ["Item", `${found.itemId} ${item.name}`],
        ["License", fields.license_type],
        ["Price", `${fields.price} ${fields.currency}`],
        ["Sold", fields.date],
        ["Supported until", fields.supported_until ?? "no support"],
        ...optionalRow("Valid until", found.validUntil),
        ["Downloaded", fields.downloaded ? "yes" : "no"],
        ["Buyer", found.buyer ?? "unknown"],
        ...optionalRow("Site limit", limit),
        ...sites.map(({ site, firstDay, lastDay, isTest }, index) => [
          index === 0 ? "Sites" : "",
          `${site}, ${firstDay} to ${lastDay}${isTest ? ", test site" : ""}`,
        ]),
      ])
    },
  }),
}

const optionalRow = (name: string, value: string | number | null) =>
  value === null ? [] : [[name, String(value)]]

async function requireItem({ itemSearch }: Pick<Store, "itemSearch">, id: number) {
  const found = await itemSearch.findOfAny(id)
  if (found === null) throw new UserError(`item ${id} does not exist`)
  return found
}

const toObject = ({ sites, byLicense }: SiteLimits) => ({
  sites,
  licenses: Object.entries(byLicense).map(([license, sites]) => ({ license, sites })),
})

const describeLimits = ({ sites, byLicense }: SiteLimits) =>
  [
    sites === null ? "none" : String(sites),
    ...Object.entries(byLicense).map(([license, limit]) => `${limit} with ${license}`),
  ].join(", ")

function parseLimits(number: string, licenses: readonly string[]): SiteLimits {
  const pairs = licenses.map((pair) => {
    const at = pair.lastIndexOf("=")
    if (at < 1) throw new UsageError(`--license must be NAME=N, not ${JSON.stringify(pair)}`)
    return [pair.slice(0, at), parseNumber(pair.slice(at + 1))] as const
  })
  return {
    sites: number === "none" ? null : parseNumber(number),
    byLicense: Object.fromEntries(pairs),
  }
}

const parseNumber = (text: string) => asUsageError(() => parseSiteLimit(text))

function parseItemId(text: string): number {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(id)) return id
  throw new UsageError(`ID must be the number of an item, not ${JSON.stringify(text)}`)
}
