/** `pazar item show` and `pazar purchase show`: one record, wherever it is. */
import { itemBodyOf } from "../../domain/catalogue/item.ts"
import { purchaseBodyOf } from "../../domain/catalogue/purchase.ts"
import type { FoundItem } from "../../domain/usage/operator-reads.ts"
import { RefusedError } from "../../domain/values/error.ts"
import { findPurchase } from "../../operations/catalogue/purchases.ts"
import type * as declared from "../declarations/catalogue.ts"
import { type Run, UsageError } from "../frame/command.ts"
import { openApp } from "../frame/open-app.ts"
import { writeRecord } from "../frame/output.ts"

export const itemShow: Run<typeof declared.itemShow> = async (
  { positionals: [text], values },
  context,
) => {
  const id = parseItemId(text)
  await using app = await openApp(context)
  const found = await app.store.operatorReads.findItem(id)
  if (found === null) throw new RefusedError(`there is no item ${id}`)
  const { author, isAuthorSuspended, isHidden, purchases } = found
  const body = itemBodyOf(found)
  const { price, currency } = body
  const state = { hidden: isHidden, authorSuspended: isAuthorSuspended, purchases }
  await writeRecord(context, values.json, { author, ...body, ...state }, [
    ["Item", String(id)],
    ["Name", body.name],
    ["Author", describeAuthor(found)],
    ["State", isHidden ? "hidden" : "visible"],
    ["Category", `${body.category} / ${body.sub_category}`],
    ["Version", body.version],
    ["Price", `${price.regular} ${currency}, extended ${price.extended} ${currency}`],
    ["Published", body.published_at],
    ["Purchases", String(purchases)],
  ])
}

function parseItemId(text: string): number {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(id)) return id
  throw new UsageError(`ID must be the number of an item, not ${JSON.stringify(text)}`)
}

/** The keys of a suspended author are refused, whatever else is right. */
export const describeAuthor = (of: Pick<FoundItem, "author" | "isAuthorSuspended">) =>
  of.isAuthorSuspended ? `${of.author} (suspended)` : of.author

export const purchaseShow: Run<typeof declared.purchaseShow> = async (
  { positionals: [code], values },
  context,
) => {
  await using app = await openApp(context)
  const found = await findPurchase(app.store.operatorReads, code)
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
    lastAskedOn: found.lastAskedOn ?? undefined,
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
    ["Last asked for", found.lastAskedOn ?? "no call noted yet"],
  ])
}
