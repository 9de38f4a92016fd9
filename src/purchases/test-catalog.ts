import type { Account, AccountStore } from "../accounts/account.ts"
import type { Item, ItemStore } from "../items/item.ts"
import { DomainError, type Failure } from "../platform/error.ts"
import { lowerAscii } from "../platform/text.ts"
import { type PurchaseOnSite, type PurchaseStore, renderPurchaseText } from "./purchase.ts"
import { type SaleStore, saleIdOf } from "./sale.ts"
import type { PurchaseSite, Release, SiteSlots } from "./site.ts"

export type StoredCatalog = Readonly<{
  accounts: Pick<AccountStore, "find">
  items: ItemStore
  purchases: Pick<PurchaseStore, "listByCode" | "hasMovedFrom">
}>

/** The catalog of a request: stored data, or test data for test keys. */
export type Catalog = StoredCatalog &
  Readonly<{ sales: Pick<SaleStore, "listPurchases">; sites: SiteSlots; now: () => Date }>

/** The test data of test keys. It never reads purchases, so no test code can unlock a product. */
const accountId = 0
const files = "https://files.example.com/sample"

const account: Account = {
  id: accountId,
  username: "sample",
  isSuspended: false,
  body: JSON.stringify({
    name: { firstname: "Sample", lastname: "Author", full_name: "Sample Author" },
    username: "sample",
    email: "sample@example.com",
    balance: 1250.75,
    currency: "USD",
    profile: {
      heading: "Themes, sounds and motion",
      description: "The account every test key belongs to.",
      contact: { email: "support@example.com" },
      social_links: { facebook: "https://facebook.com/sample", x: "https://x.com/sample" },
      media: { avatar: `${files}/avatar.png`, cover: `${files}/cover.png` },
    },
    registered_at: "2024-01-15T09:30:00Z",
  }),
}

const common = {
  options: ["documentation", "source files"],
  version: "1.2.0",
  demo_link: "https://demo.example.com/sample",
  price: { regular: 29, extended: 149 },
  currency: "USD",
}

const items: readonly Item[] = [
  {
    ...{ id: 3, name: "Sample video", category: "Video", sub_category: "Openers" },
    published_at: "2024-04-10T10:00:00Z",
    media: {
      thumbnail: `${files}/3/thumbnail.png`,
      preview_image: `${files}/3/preview.png`,
      preview_video: `${files}/3/preview.mp4`,
    },
  },
  {
    ...{ id: 2, name: "Sample audio", category: "Audio", sub_category: "Loops" },
    published_at: "2024-03-05T10:00:00Z",
    media: {
      thumbnail: `${files}/2/thumbnail.png`,
      preview_audio: `${files}/2/preview.mp3`,
    },
  },
  {
    ...{ id: 1, name: "Sample theme", category: "Themes", sub_category: "Shop" },
    published_at: "2024-02-01T10:00:00Z",
    media: {
      thumbnail: `${files}/1/thumbnail.png`,
      preview_image: `${files}/1/preview.png`,
      screenshots: [`${files}/1/screenshot-1.png`, `${files}/1/screenshot-2.png`],
    },
  },
].map(({ id, name, category, sub_category, published_at, media }) => {
  const { options, version, demo_link, price, currency } = common
  const description = `${name}, for trying an integration.`
  const texts = { id, name, description, category, sub_category, options, version }
  const links = { demo_link, tags: ["sample", category.toLowerCase()], media }
  const body = JSON.stringify({ ...texts, ...links, price, currency, published_at })
  return { id, accountId, isHidden: false, body, downloadUrl: `${files}/${id}/download.zip` }
})

const supportEnds = "2099-12-31T23:59:59Z"
const supportEnded = "2025-01-01T00:00:00Z"
const testSaleDate = "2024-07-01T12:00:00Z"
const siteLimitCode = "test-site-limit"
const regular = createPurchase("test-regular", "Regular", 29, supportEnds)

const purchases: readonly PurchaseOnSite[] = [
  regular,
  createPurchase("test-extended", "Extended", 149, supportEnds),
  createPurchase("test-support-expired", "Regular", 29, supportEnded),
  { ...createPurchase("test-revoked", "Regular", 29, supportEnds), isRevoked: true },
  { ...createPurchase("test-expired", "Regular", 29, supportEnds), validUntil: supportEnded },
  createPurchase(siteLimitCode, "Regular", 29, supportEnds),
]

function createPurchase(code: string, licenseType: string, price: number, supportedUntil: string) {
  const { beforeItem, afterItem } = renderPurchaseText({
    purchase_code: code,
    license_type: licenseType,
    price,
    currency: common.currency,
    supported_until: supportedUntil,
    downloaded: true,
    date: testSaleDate,
  })
  const item = items.find(({ id }) => id === 1)?.body ?? ""
  const body = `${beforeItem}${item}${afterItem}`
  const purchase = { code, accountId, itemId: 1, isRevoked: false, body, buyer: "sample-buyer" }
  const limits = { validUntil: null, siteLimit: null, siteLimits: null }
  return { ...purchase, ...limits, site: null, siteLastDay: null }
}

const usedSites: readonly PurchaseSite[] = [
  { site: "staging.example.com", firstDay: "2024-07-02", lastDay: "2024-07-03", isTest: true },
  { site: "shop.example.com", firstDay: "2024-07-01", lastDay: "2024-07-03", isTest: false },
]

const failingCodes = new Map<string, Failure>([
  ["test-rate-limited", "rate_limited"],
  ["test-unavailable", "unavailable"],
  ["test-revoked-key", "revoked_key"],
  ["test-expired-key", "expired_key"],
  ["test-account-suspended", "account_suspended"],
])

/** All other codes are as unknown as `test-unknown`. */
export const testCodes: readonly string[] = [
  ...purchases.map((purchase) => purchase.code),
  "test-unknown",
  ...failingCodes.keys(),
]

export const isTestCode = (code: string): boolean => testCodes.includes(lowerAscii(code))

const reads: Pick<Catalog, "accounts" | "items" | "purchases" | "sales"> = {
  accounts: { find: async () => account },
  items: {
    find: async (_, id) => items.find((item) => item.id === id) ?? null,
    findList: async () => ({
      version: "sample",
      async read(idMax, rowsMax) {
        const left = items.filter(({ id }) => id <= idMax)
        const page = left.slice(0, rowsMax)
        const bytes = new TextEncoder().encode(page.map(({ body }) => body).join(","))
        const isLast = page.length === left.length
        return { count: page.length, lastId: page.at(-1)?.id ?? 0, isLast, bytes }
      },
    }),
  },
  purchases: {
    async listByCode(_, code, site = null) {
      const folded = lowerAscii(code)
      const errorCode = failingCodes.get(folded)
      if (errorCode !== undefined) throw new DomainError(errorCode)
      const sold = purchases.find((purchase) => purchase.code === folded)
      return sold === undefined ? [] : [{ ...sold, site }]
    },
    hasMovedFrom: async () => false,
  },
  sales: {
    async listPurchases(_, { since }, { after, offset, rowsMax }) {
      const listed = purchases.filter(
        ({ isRevoked }) => !isRevoked && (since ?? "") <= testSaleDate,
      )
      const renderId = ({ itemId, code }: PurchaseOnSite) =>
        saleIdOf({ itemId, code, soldAt: testSaleDate })
      const start = offset + 1 + listed.findIndex((each) => renderId(each) === after)
      const page = listed.slice(start, start + rowsMax)
      const last = start + rowsMax < listed.length ? page.at(-1) : undefined
      return { purchases: page, next: last === undefined ? null : renderId(last) }
    },
  },
}

type Metadata = Readonly<{
  find(name: string): Promise<string | null>
  put(name: string, value: string): Promise<void>
}>

const freedMetadataKey = "test slot freed"
const freedMs = 60_000

/** Ignores the key's account. A release frees the slot of `test-site-limit` for a minute: nodes share only `metadata`. */
export function createTestCatalog(metadata: Metadata, now: () => Date): Catalog {
  const isSlotFree = async () =>
    now().getTime() - Number(await metadata.find(freedMetadataKey)) < freedMs
  const release = async (code: string): Promise<Release> => {
    if (code === siteLimitCode && !(await isSlotFree()))
      await metadata.put(freedMetadataKey, String(now().getTime()))
    return { kind: "released" }
  }
  return {
    ...reads,
    now,
    sites: {
      activate: async ({ code }) => code !== siteLimitCode || (await isSlotFree()),
      release,
      reclaim: release,
      list: async () => usedSites,
    },
  }
}
