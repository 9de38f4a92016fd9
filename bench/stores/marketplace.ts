/**
 * A marketplace of any size, the same one for the same sizes and seed. Every record can be made on its
 * own, from its number: the generator streams them, and a load knows the right answer to any request
 * without asking a server.
 */
export type Marketplace = Readonly<{
  accounts: number
  items: number
  purchases: number
  seed: number
  /**
   * As a real one: the first author has a quarter of all items, the second one every 33rd purchase, and there are buyers'
   * names, refunds and sales of every day. Else all authors are alike.
   */
  isUneven?: boolean
}>

export const usernameOf = (account: number) => `author-${account + 1}`
/** A key that came with the account: a hundred thousand cannot be created one by one. */
export const keyOf = (account: number) => `key-of-author-${account + 1}-${hex(mix(account, 9))}`
export const itemIdOf = (item: number) => item + 1

export function ownerOf({ accounts, isUneven }: Marketplace, item: number): number {
  if (!isUneven) return item % accounts
  if (item % 4 === 0) return 0
  return item % 1_000 === 1 ? 1 : 2 + (mix(item, 3) % (accounts - 2))
}

export function itemOfPurchase({ items, seed, isUneven }: Marketplace, purchase: number): number {
  const any = mix(purchase, seed + 5) % items
  if (!isUneven) return any
  if (purchase % 33 === 0) return any - (any % 1_000) + 1
  // The items of the first author are many, but few of them are sold.
  if (purchase % 100 === 1) return any - (any % 4)
  return any % 4 === 0 ? any + 1 : any
}

export const isRefunded = ({ isUneven }: Marketplace, purchase: number) =>
  isUneven === true && purchase % 50 === 7

/** Bijective in `value` (MurmurHash3's finaliser): two numbers never give the same result. */
export function mix(value: number, seed: number): number {
  let mixed = (value + Math.imul(seed, 0x9e3779b9)) | 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

const hexPairs = Array.from({ length: 65_536 }, (_, value) => value.toString(16).padStart(4, "0"))
const hex = (value: number) => `${hexPairs[value >>> 16]}${hexPairs[value & 0xffff]}`

/** A version 4 UUID; its first eight digits alone are unique. */
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

/** The contract's Item, as it is answered. A quarter of them hold letters beyond Latin-1. */
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
  const [day, time] = market.isUneven
    ? anyMoment(mix(purchase, market.seed + 6))
    : [`2026-01-${twoDigits(1 + (purchase % 28))}`, "09:15:00"]
  const licence = purchase % 8 === 0 ? "Extended" : "Regular"
  const end = `${Number(day.slice(0, 4)) + 1}${day.slice(4)}T00:00:00Z`
  const support = purchase % 4 === 0 ? "" : `"supported_until":"${end}",`
  return {
    before: `"purchase_code":"${code}","license_type":"${licence}","price":19.99,"currency":"USD"`,
    after: `${support}"downloaded":${purchase % 3 === 0},"date":"${day}T${time}Z"`,
  }
}

const twoDigits = (number: number) => String(number).padStart(2, "0")

/** From 2025 to 2028, so that there are sales of the last days whenever this runs. */
function anyMoment(number: number): readonly [day: string, time: string] {
  const [month, day] = [1 + ((number >>> 2) % 12), 1 + ((number >>> 6) % 28)]
  const [hour, minute] = [(number >>> 11) % 24, (number >>> 16) % 60]
  return [
    `${2025 + (number % 4)}-${twoDigits(month)}-${twoDigits(day)}`,
    `${twoDigits(hour)}:${twoDigits(minute)}:00`,
  ]
}

const firstNames = ["Ada", "Çınar", "Deniz", "Elif", "İpek", "Marcus", "Ömer", "Şule"]
const lastNames = ["Aydın", "Brown", "Çelik", "Doğan", "Kılıç", "Müller", "Yılmaz"]

/** Members of a purchase that only a feed has. */
function feedMembers(market: Marketplace, purchase: number): string {
  if (!market.isUneven) return ""
  const number = mix(purchase, market.seed + 7)
  const name = `${firstNames[number % 8]} ${lastNames[number % 7]} ${number % 2_000}`
  const buyer = purchase % 5 === 0 ? "" : `,"buyer":"${name}"`
  return `${buyer}${isRefunded(market, purchase) ? ',"revoked":true' : ""}`
}

export const accountBody = (account: number) =>
  `{"status":"success","data":${accountText(account)}}`

export const itemBody = (item: number) => `{"status":"success","item":${itemText(item)}}`

export function validationBody(market: Marketplace, purchase: number): string {
  const { before, after } = purchaseHalves(market, purchase)
  const item = itemText(itemOfPurchase(market, purchase))
  return `{"status":"success","data":{"purchase":{${before},"item":${item},${after}}}}`
}

/** Newest id first. */
export function listBody(market: Marketplace, account: number): string {
  const texts: string[] = []
  for (let item = account; item < market.items; item += market.accounts) texts.push(itemText(item))
  return `{"status":"success","items":[${texts.reverse().join(",")}]}`
}

/** The feed of the whole marketplace, line by line. */
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
    const more = feedMembers(market, purchase)
    yield `{"type":"purchase",${before},"item_id":${id},${after}${more}}\n`
  }
}
