/** A purchase as Envato's API shows a sale. */
import { type Purchase, purchaseBodyOf } from "../../../domain/catalogue/purchase.ts"

/** The facts of a sale that are not in the purchase. */
export type SaleContext = Readonly<{
  /** The author's username. */
  author: string
  /** The host name of the marketplace. */
  site: string
}>

/** Every member is always there. Envato's members that Pazar does not know are left out. */
export function renderSale(purchase: Purchase, { author, site }: SaleContext): string {
  const { price, date, license_type, item, supported_until } = purchaseBodyOf(purchase)
  const publishedAt = withOffset(item.published_at)
  return JSON.stringify({
    amount: price.toFixed(2),
    sold_at: withOffset(date),
    license: nameLicense(license_type),
    support_amount: "0.00",
    supported_until: supported_until === undefined ? null : withOffset(supported_until),
    item: {
      id: item.id,
      name: item.name,
      description: item.description,
      site,
      classification: [item.category, item.sub_category].filter((part) => part !== "").join("/"),
      price_cents: toCents(item.price.regular),
      author_username: author,
      url: item.demo_link,
      // Pazar does not store when an item was changed.
      updated_at: publishedAt,
      published_at: publishedAt,
      tags: item.tags,
    },
    buyer: purchase.buyer,
    purchase_count: 1,
  })
}

/** Products written for Envato compare these texts. Any other license keeps its own. */
function nameLicense(type: string): string {
  const lower = type.toLowerCase()
  if (lower === "regular") return "Regular License"
  return lower === "extended" ? "Extended License" : type
}

/** A price is any finite number; a hundred times it may not be one. */
const toCents = (price: number) =>
  Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Math.round(price * 100), Number.MAX_SAFE_INTEGER))

/** Envato writes an offset, never `Z`. */
const withOffset = (timestamp: string) => timestamp.replace(/Z$/, "+00:00")
