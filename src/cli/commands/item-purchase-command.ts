/** `pazar item …` and `pazar purchase …`: one record, wherever it is. */
import { itemBodyOf } from "../../domain/catalog/item.ts"
import { purchaseBodyOf } from "../../domain/catalog/purchase.ts"
import { parseSiteLimit, type SiteLimits } from "../../domain/catalog/site-limits.ts"
import type { Store } from "../../domain/store.ts"
import type { FoundItem } from "../../domain/usage/operator-reads.ts"
import { UserError } from "../../domain/values/error.ts"
import { pluralize } from "../../domain/values/text.ts"
import { findPurchase } from "../../operations/catalog/purchase-operations.ts"
import { previewLimits, setSiteLimits } from "../../operations/catalog/site-operations.ts"
import type { items } from "../definitions/account-item-definitions.ts"
import { type CommandActions, UsageError } from "../framework/command.ts"
import { openApp } from "../framework/open-app.ts"
import { writeRecord } from "../framework/output.ts"
import { asUsageError } from "../framework/parse-options.ts"

export const commands: CommandActions<typeof items> = {
  async itemShow({ positionals: [text], values }, context) {
    const id = parseItemId(text)
    await using app = await openApp(context)
    const found = await requireItem(app.store, id)
    const limits = await app.store.sites.findLimits(id)
    const { author, isAuthorSuspended, isHidden, purchases } = found
    const body = itemBodyOf(found)
    const { price, currency } = body
    const state = { hidden: isHidden, authorSuspended: isAuthorSuspended, purchases }
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
      ["Sites each", describeLimits(limits)],
    ])
  },
  async itemLimit({ positionals: [text, number], values }, context) {
    const id = parseItemId(text)
    if (number === undefined && values.license !== undefined)
      throw new UsageError("--license needs a number of sites for the other licenses, or none")
    const asked = number === undefined ? null : parseLimits(number, values.license ?? [])
    await using app = await openApp(context)
    const found = await requireItem(app.store, id)
    if (asked !== null) await setSiteLimits(app.services, found, asked)
    const limits = asked ?? (await app.store.sites.findLimits(id))
    const { over, purchases } = await previewLimits(app.services, id, limits)
    const object = { itemId: id, ...toObject(limits), purchases, purchasesOverLimit: over }
    await writeRecord(context, values.json, object, [
      ["Item", String(id)],
      ["Sites each", describeLimits(limits)],
      ["On more than that", `${over} of ${pluralize(purchases, "purchase")}`],
    ])
  },
  async purchaseShow({ positionals: [code], values }, context) {
    await using app = await openApp(context)
    const found = await findPurchase(app.store.operatorReads, code)
    const sites = await app.store.sites.list(found.code)
    const { item, ...members } = purchaseBodyOf(found)
    const object = {
      ...members,
      author: found.author,
      authorSuspended: found.isAuthorSuspended,
      itemId: found.itemId,
      itemName: item.name,
      revoked: found.isRevoked,
      revokedByFeed: found.isRevokedByFeed,
      revokedByOperator: found.isRevokedByOperator,
      // JSON leaves out what is undefined.
      buyer: found.buyer ?? undefined,
      sites: sites.map(({ isTest, ...site }) => ({ ...site, test: isTest })),
    }
    await writeRecord(context, values.json, object, [
      ["Code", found.code],
      ["State", found.isRevoked ? "revoked" : "valid"],
      ["Feed says", found.isRevokedByFeed ? "revoked" : "valid"],
      ["Operator says", found.isRevokedByOperator ? "revoked" : "nothing"],
      ["Author", describeAuthor(found)],
      ["Item", `${found.itemId} ${item.name}`],
      ["License", members.license_type],
      ["Price", `${members.price} ${members.currency}`],
      ["Sold", members.date],
      ["Supported until", members.supported_until ?? "no support"],
      ["Downloaded", members.downloaded ? "yes" : "no"],
      ["Buyer", found.buyer ?? "not known"],
      ...sites.map(({ site, firstDay, lastDay, isTest }, index) => [
        index === 0 ? "Sites" : "",
        `${site}, ${firstDay} to ${lastDay}${isTest ? ", for testing" : ""}`,
      ]),
    ])
  },
}

async function requireItem({ operatorReads }: Pick<Store, "operatorReads">, id: number) {
  const found = await operatorReads.findItem(id)
  if (found === null) throw new UserError(`there is no item ${id}`)
  return found
}

const toObject = ({ sites, byLicense }: SiteLimits) => ({
  sites,
  licenses: Object.entries(byLicense).map(([license, sites]) => ({ license, sites })),
})

const describeLimits = ({ sites, byLicense }: SiteLimits) =>
  [
    sites === null ? "any number" : String(sites),
    ...Object.entries(byLicense).map(([license, limit]) => `${limit} with ${license}`),
  ].join(", ")

function parseLimits(number: string, licenses: readonly string[]): SiteLimits {
  const pairs = licenses.map((pair) => {
    const at = pair.lastIndexOf("=")
    if (at < 1) throw new UsageError(`--license takes NAME=N, not ${JSON.stringify(pair)}`)
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

/** The keys of a suspended author are refused, whatever else is right. */
export const describeAuthor = (of: Pick<FoundItem, "author" | "isAuthorSuspended">) =>
  of.isAuthorSuspended ? `${of.author} (suspended)` : of.author
