/**
 * A marketplace of any size, reproducible from its sizes and seed. Every record is computed from its number: the
 * generator streams records, and a load knows the expected response without a server.
 */
export type Marketplace = Readonly<{
  accounts: number
  items: number
  purchases: number
  seed: number
}>

export const usernameOf = (account: number) => `author-${account + 1}`
/** An imported key, because a hundred thousand keys cannot be created one by one. */
export const keyOf = (account: number) => `key-of-author-${account + 1}-${hex(mix(account, 9))}`
export const itemIdOf = (item: number) => item + 1

export const ownerOf = ({ accounts }: Marketplace, item: number) => item % accounts

export const itemOfPurchase = ({ items, seed }: Marketplace, purchase: number) =>
  mix(purchase, seed + 5) % items

/** Bijective in `value` (MurmurHash3's finalizer): two numbers never have the same result. */
function mix(value: number, seed: number): number {
  let mixed = (value + Math.imul(seed, 0x9e3779b9)) | 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

const hexPairs = Array.from({ length: 65_536 }, (_, value) => value.toString(16).padStart(4, "0"))
const hex = (value: number) => `${hexPairs[value >>> 16]}${hexPairs[value & 0xffff]}`

/** A version 4 UUID whose first eight digits are unique. */
export function codeOf({ seed }: Marketplace, purchase: number): string {
  const second = hex(mix(purchase, seed + 2))
  const third = hex(mix(purchase, seed + 3))
  const variant = "89ab"[third.charCodeAt(0) & 3]
  return `${hex(mix(purchase, seed + 1))}-${second.slice(0, 4)}-4${second.slice(5)}-${variant}${third.slice(1, 4)}-${third.slice(4)}${hex(mix(purchase, seed + 4))}`
}

const host = "https://files.example.com"

export function accountText(account: number): string {
  const username = usernameOf(account)
  return JSON.stringify({
    name: { firstname: "Ada", lastname: `Yılmaz ${account}`, full_name: `Ada Yılmaz ${account}` },
    username,
    email: `${username}@example.com`,
    balance: (account % 1_000) + 0.5,
    currency: "USD",
    profile: {
      heading: "Small, careful tools",
      description: `Plugins, themes and sounds from İzmir, made by author number ${account}.`,
      contact: { email: `support+${username}@example.com` },
      social_links: { x: `https://x.com/${username}`, facebook: `https://fb.com/${username}` },
      media: {
        avatar: `${host}/${username}/avatar.png`,
        cover: `${host}/${username}/cover.png`,
      },
    },
    registered_at: "2024-04-27T12:00:00Z",
  })
}

/** The contract's Item as the API returns it. A quarter of them contain letters beyond Latin-1. */
export function itemText(item: number): string {
  const id = itemIdOf(item)
  const description =
    item % 4 === 0
      ? "Küçük işletmeler için hızlı, sade ve kolay kurulan bir takvim eklentisi."
      : "A calendar for small businesses: quick to install, easy on the eye, and hard to break."
  return JSON.stringify({
    id,
    name: `Tide ${id}`,
    description,
    category: "Plugins",
    sub_category: "WordPress",
    options: ["Documentation", "Free updates", "Layered files"],
    version: `1.${item % 10}.${item % 7}`,
    demo_link: `https://demo.example.com/items/${id}`,
    tags: ["calendar", "booking", "agenda", "small business"],
    media: {
      thumbnail: `${host}/${id}/thumbnail.png`,
      preview_image: `${host}/${id}/preview.png`,
      screenshots: [`${host}/${id}/1.png`, `${host}/${id}/2.png`],
    },
    price: { regular: 19 + (item % 50) + 0.99, extended: 199 + (item % 50) },
    currency: "USD",
    published_at: "2024-05-01T07:30:00Z",
  })
}

/** The text before and after the item in the contract's Purchase. */
function purchaseHalves(market: Marketplace, purchase: number) {
  const code = codeOf(market, purchase)
  const day = `2026-01-${String(1 + (purchase % 28)).padStart(2, "0")}`
  // Spread over the day: pages list sales by time.
  const time = new Date((mix(purchase, market.seed + 6) % 86_400) * 1_000)
    .toISOString()
    .slice(11, 19)
  const license = purchase % 8 === 0 ? "Extended" : "Regular"
  const support =
    purchase % 4 === 0 ? "" : `"supported_until":"${day.replace("2026", "2027")}T00:00:00Z",`
  return {
    before: `"purchase_code":"${code}","license_type":"${license}","price":19.99,"currency":"USD"`,
    after: `${support}"downloaded":${purchase % 3 === 0},"date":"${day}T${time}Z"`,
  }
}

export const accountBody = (account: number) =>
  `{"status":"success","data":${accountText(account)}}`

export const itemBody = (item: number) => `{"status":"success","item":${itemText(item)}}`

export function validationBody(market: Marketplace, purchase: number): string {
  const { before, after } = purchaseHalves(market, purchase)
  const item = itemText(itemOfPurchase(market, purchase))
  return `{"status":"success","data":{"purchase":{${before},"item":${item},${after}}}}`
}

export function listBody(market: Marketplace, account: number): string {
  const texts: string[] = []
  for (let item = account; item < market.items; item += market.accounts) texts.push(itemText(item))
  return `{"status":"success","items":[${texts.reverse().join(",")}]}`
}

export function* feedLines(market: Marketplace): Generator<string> {
  for (let account = 0; account < market.accounts; account += 1) {
    yield `{"type":"account","api_key":"${keyOf(account)}",${accountText(account).slice(1)}\n`
  }
  for (let item = 0; item < market.items; item += 1) {
    const author = usernameOf(ownerOf(market, item))
    yield `{"type":"item","author":"${author}",${itemText(item).slice(1)}\n`
  }
  for (let purchase = 0; purchase < market.purchases; purchase += 1) {
    const { before, after } = purchaseHalves(market, purchase)
    const id = itemIdOf(itemOfPurchase(market, purchase))
    yield `{"type":"purchase",${before},"item_id":${id},${after}}\n`
  }
}
