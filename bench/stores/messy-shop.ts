/**
 * The data of an untidy shop, for the tables of examples/shop/schema.sql. Every row is made from its number, so a
 * check knows the right answer for every code without asking a database.
 */
import { codeOf, type Marketplace, mix } from "./marketplace.ts"

type Value = string | number | null

/** After a pull with examples/shop/defaults.json. `key` is null where the author is gone. */
export type Expectation = Readonly<{
  code: string
  key: string | null
  reason: "ok" | "revoked_code" | "unknown_code"
}>

const usernameOf = (user: number) => `author${user}`
const keyOf = (user: number) => `old-key-of-author-${user}`
const ownerOf = ({ accounts }: Marketplace, item: number) => 1 + (item % accounts)

/** A deleted author's products and licences are still there. */
const isDeleted = (user: number) => user % 50 === 7
/** Without a version or a price an item is refused, whatever the defaults, and so are its purchases. */
const hasBadVersion = (item: number) => item % 1_000 === 11
const hasBadPrice = (item: number) => item % 1_000 === 12

type Dice = ReturnType<typeof createDice>

/** Random numbers; the same seed gives the same ones. */
function createDice(seed: number) {
  let throws = 0
  const next = () => {
    throws += 1
    return mix(throws, seed) / 2 ** 32
  }
  const whole = (max: number) => Math.floor(next() * max)
  return {
    whole,
    isIn: (share: number) => next() < share,
    pick<T>(list: readonly T[]): T {
      const chosen = list[whole(list.length)]
      if (chosen === undefined) throw new Error("there is nothing to pick from")
      return chosen
    },
  }
}

const diceOf = ({ seed }: Marketplace, table: number, row: number) =>
  createDice(mix(row, seed * 10 + table))

const words = ["Ege", "Anadolu", "Modern", "Şık", "Admin", "Shop", "Icon", "Loop", "Lite", "Pro"]
const pad = (number: number) => String(number).padStart(2, "0")
/** On Istanbul's clocks, which were put forward and back until 2016. */
const timeOf = ({ whole }: Dice) =>
  `20${pad(12 + whole(13))}-${pad(1 + whole(12))}-${pad(1 + whole(28))} ${pad(whole(24))}:${pad(whole(60))}:${pad(whole(60))}`
const updatedAt = "2025-06-01 00:00:00"
const nothing = ["", null]

function userRow(store: Marketplace, id: number): readonly Value[] {
  const dice = diceOf(store, 1, id)
  const { pick } = dice
  const hasPictures = !dice.isIn(0.238)
  const picture = (kind: string) =>
    hasPictures
      ? pick([`/uploads/${kind}/${id}.jpg`, `uploads/${kind}/${id} new.jpg`])
      : pick(nothing)
  const name = usernameOf(id)
  return [
    ...[id, name, `${name}@example.com`, pick(words), "Yılmaz", "author", dice.whole(1_000)],
    ...[
      pick(["", "Temalar &amp; eklentiler"]),
      pick([null, "", "<p>Merhaba &ndash; <b>dünya</b>"]),
    ],
    ...["support@example.com", pick([...nothing, `https://${name}.example.com`]), pick(nothing)],
    ...[picture("avatars"), picture("covers"), keyOf(id), 0, timeOf(dice), updatedAt],
  ]
}

function productRow(store: Marketplace, id: number): readonly Value[] {
  const dice = diceOf(store, 2, id)
  const { isIn, pick, whole } = dice
  const isAudio = isIn(0.1)
  const isVideo = isIn(0.1)
  const path = (name: string) => `${pick(["/", ""])}uploads/items/${id}/${name}`
  const orNothing = (share: number, given: string) => (isIn(share) ? pick(nothing) : given)
  const html = `<h2>${pick(words)}</h2><p>Hızlı &amp; sade<br>${"Uzun bir açıklama. ".repeat(whole(20))}</p><ul><li>Bir<li>İki</ul>`
  const version = pick(["1.4", "v2.0.1", "1.0.0-beta", "1.2.3.4", "2.1.0", "3"])
  return [
    ...[id, ownerOf(store, id), 1 + whole(5), `${pick(words)} &ndash; ${pick(words)} ${id}`],
    pick([html, html, "Düz metin,\nsatırlarla", null]),
    ...[pick(["Documentation\nFuture updates", ...nothing]), pick(["wordpress, tema,,blog", ""])],
    hasBadVersion(id) ? "final" : version,
    orNothing(0.4, pick([`https://demo.example.com/${id}`, `/demo/${id}`])),
    ...[orNothing(0.05, path("thumb.png")), orNothing(0.05, path("preview.png"))],
    ...[isVideo ? path("video.mp4") : null, isAudio ? path("loop.mp3") : pick(nothing)],
    pick(["[]", ...nothing, `["${path("1.png")}","${path("2.png")}"]`]),
    ...[5 + whole(90), hasBadPrice(id) ? "199,00 TL" : pick(["199.00", "45", "0"])],
    ...[pick(["live", "live", "live", "hidden"]), timeOf(dice), updatedAt],
  ]
}

const itemOf = ({ items, seed }: Marketplace, id: number) => 1 + (mix(id, seed + 5) % items)
const isRefunded = ({ seed }: Marketplace, id: number) => mix(id, seed + 6) % 100 === 0

function printedCodeOf(store: Marketplace, id: number): string {
  const code = codeOf(store, id)
  return id % 5 === 0 ? code.toUpperCase() : code
}

function licenceRow(store: Marketplace, id: number): readonly Value[] {
  const dice = diceOf(store, 4, id)
  const { pick, whole } = dice
  const until = pick([null, "0000-00-00 00:00:00", timeOf(dice)])
  return [
    ...[null, id, itemOf(store, id), printedCodeOf(store, id), 1 + whole(2)],
    ...[pick([19.99, 39, 0.1]), until, whole(5), updatedAt],
  ]
}

/** The answer that the server must give for the purchase of this number. */
export function expectationOf(store: Marketplace, id: number): Expectation {
  const item = itemOf(store, id)
  const author = ownerOf(store, item)
  const code = printedCodeOf(store, id)
  if (isDeleted(author)) return { code, key: null, reason: "unknown_code" }
  const reason = hasBadPrice(item) ? "unknown_code" : isRefunded(store, id) ? "revoked_code" : "ok"
  return { code, key: keyOf(author), reason }
}

const quote = (value: Value) =>
  typeof value === "string" ? `'${value.replace(/[\\']/g, "\\$&")}'` : String(value)
const tuple = (row: readonly Value[]) => `(${row.map(quote).join(",")})`

const rowsAtOnce = 500

function* inserts(table: string, rows: Iterable<readonly Value[]>): Generator<string> {
  let batch: string[] = []
  for (const row of rows) {
    batch.push(tuple(row))
    if (batch.length < rowsAtOnce) continue
    yield `INSERT INTO ${table} VALUES\n${batch.join(",\n")};\n`
    batch = []
  }
  if (batch.length > 0) yield `INSERT INTO ${table} VALUES\n${batch.join(",\n")};\n`
}

function* numbered<T>(count: number, make: (id: number) => readonly T[]): Generator<T> {
  for (let id = 1; id <= count; id += 1) yield* make(id)
}

/** SQL for MySQL and MariaDB, after examples/shop/schema.sql. */
export function* messySql(store: Marketplace): Generator<string> {
  const buyer = store.accounts + 1
  yield "SET NAMES utf8mb4; SET sql_mode = ''; SET time_zone = '+00:00';\n"
  yield "ALTER TABLE licences DROP INDEX code, ADD KEY (code);\n"
  yield "INSERT INTO categories VALUES (1,NULL,'Themes'),(2,1,'WordPress'),(3,NULL,'Audio'),(4,3,'Loops'),(5,NULL,'Graphics');\n"
  yield `INSERT INTO users (id, username, email, created_at) VALUES (${buyer}, 'buyer', 'buyer@example.com', '0000-00-00');\n`
  yield* inserts(
    "users",
    numbered(store.accounts, (id) => (isDeleted(id) ? [] : [userRow(store, id)])),
  )
  yield* inserts(
    "products",
    numbered(store.items, (id) => [productRow(store, id)]),
  )
  yield* inserts(
    "orders (id, user_id, currency, status, created_at)",
    numbered(store.purchases, (id) => [[id, buyer, "USD", "paid", timeOf(diceOf(store, 3, id))]]),
  )
  yield* inserts(
    "licences",
    numbered(store.purchases, (id) => {
      const row = licenceRow(store, id)
      // A double click wrote the licence twice.
      return id % 500 === 0 ? [row, row] : [row]
    }),
  )
  const conditions = numbered(store.purchases, (id) => (isRefunded(store, id) ? [[id]] : []))
  yield "CREATE TEMPORARY TABLE refunded (order_id INT UNSIGNED PRIMARY KEY);\n"
  yield* inserts("refunded", conditions)
  yield "INSERT INTO refunds (licence_id, created_at) SELECT l.id, '2025-06-01' FROM licences l JOIN refunded USING (order_id);\n"
}
