import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { createStoreFolder, runPazar } from "../harness/run-pazar.ts"
import { createMariadbDatabase, queryMariadb } from "../harness/stores/mariadb-server.ts"

const examples = join(import.meta.dir, "../../examples/pull")
const read = (name: string) => readFileSync(join(examples, name), "utf8")

type Example = Readonly<{
  name: string
  file: string
  tables: readonly string[]
  before?: string
  refund: string
  /** Statements that put an order with one valid code on hold, or null if the shop has no such state. */
  hold: string | null
  /** Statements that renew an order, and the text in the export afterwards. */
  renewal?: Readonly<{ sql: string; shows: string }>
}>

const later = "UTC_TIMESTAMP() + INTERVAL 1 HOUR"
const refundedLine = `
  INSERT INTO wp_woocommerce_order_items VALUES (20, 'Ege', 'line_item', 106);
  INSERT INTO wp_woocommerce_order_itemmeta (order_item_id, meta_key, meta_value)
  VALUES (20, '_refunded_item_id', '3'), (20, '_qty', '-1'), (20, '_line_total', '-39')`

/** The same orders as WooCommerce stores them in the tables of WordPress. */
const meta = (key: string, value: string, from: string) =>
  `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT o.id, '${key}', ${value} FROM ${from};`
const orders = "wp_wc_orders o JOIN wp_wc_order_operational_data d ON d.order_id = o.id"
const ordersToPosts = `
  INSERT INTO wp_posts (ID, post_content, post_title, post_excerpt, post_status, post_type, post_date_gmt, post_modified_gmt, post_parent)
  SELECT id, '', '', '', status, type, date_created_gmt, date_updated_gmt, parent_order_id FROM wp_wc_orders;
  ${meta("_order_key", "d.order_key", orders)}
  ${meta("_order_currency", "o.currency", orders)}
  ${meta("_customer_user", "o.customer_id", orders)}
  ${meta("_date_completed", "UNIX_TIMESTAMP(d.date_completed_gmt)", orders)}
  INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT order_id, meta_key, meta_value FROM wp_wc_orders_meta;
  DROP TABLE wp_wc_orders, wp_wc_orders_meta, wp_wc_order_operational_data`

const kinds: readonly Example[] = [
  {
    name: "woocommerce",
    file: "pull.json",
    tables: ["wordpress-tables.sql", "woocommerce/tables.sql"],
    refund: `
      INSERT INTO wp_wc_orders (id, status, type, date_created_gmt, date_updated_gmt, parent_order_id)
      VALUES (106, 'wc-completed', 'shop_order_refund', ${later}, ${later}, 101);
      ${refundedLine}`,
    hold: `UPDATE wp_wc_orders SET status = 'wc-on-hold', date_updated_gmt = ${later} WHERE id = 104`,
    renewal: {
      sql: `
        UPDATE wp_wc_orders_meta SET meta_value = '2030-01-01 00:00:00' WHERE meta_key = '_schedule_end';
        UPDATE wp_wc_orders SET date_updated_gmt = ${later} WHERE id = 109`,
      shows: '"valid_until":"2030-01-01T00:00:00Z"',
    },
  },
  {
    name: "woocommerce",
    file: "pull-posts.json",
    tables: ["wordpress-tables.sql", "woocommerce/tables.sql"],
    before: ordersToPosts,
    refund: `
      INSERT INTO wp_posts (ID, post_content, post_title, post_excerpt, post_status, post_type, post_date_gmt, post_modified_gmt, post_parent)
      VALUES (106, '', '', '', 'wc-completed', 'shop_order_refund', ${later}, ${later}, 101);
      ${refundedLine}`,
    hold: `UPDATE wp_posts SET post_status = 'wc-on-hold', post_modified_gmt = ${later} WHERE ID = 104`,
    renewal: {
      sql: `
        UPDATE wp_postmeta SET meta_value = '2030-01-01 00:00:00' WHERE meta_key = '_schedule_end';
        UPDATE wp_posts SET post_modified_gmt = ${later} WHERE ID = 109`,
      shows: '"valid_until":"2030-01-01T00:00:00Z"',
    },
  },
  {
    name: "easy-digital-downloads",
    file: "pull.json",
    tables: ["wordpress-tables.sql", "easy-digital-downloads/tables.sql"],
    refund: `UPDATE wp_edd_order_items SET status = 'refunded', date_modified = ${later} WHERE id = 1`,
    hold: `UPDATE wp_edd_orders SET status = 'on_hold', date_modified = ${later} WHERE id = 6`,
    renewal: {
      sql: `
        INSERT INTO wp_edd_orders (id, status, type, currency, total, date_created, date_modified)
        VALUES (7, 'complete', 'sale', 'USD', 29, ${later}, ${later});
        INSERT INTO wp_edd_licensemeta (license_id, meta_key, meta_value) VALUES (2, '_edd_sl_payment_id', '7');
        UPDATE wp_edd_licenses SET expiration = 1893456000 WHERE id = 2`,
      shows: '"valid_until":"2030-01-01T00:00:00Z"',
    },
  },
  {
    name: "laravel",
    file: "pull.json",
    tables: ["laravel/tables.sql"],
    refund: `UPDATE sales SET status = 2, updated_at = ${later} WHERE id = 1`,
    hold: null,
  },
]

describe.each(kinds)("examples/pull/$name/$file", (example) => {
  const { name, file, tables, before, refund, hold, renewal } = example
  let folder: string
  let url: string
  beforeAll(async () => {
    folder = await createStoreFolder()
    url = await createMariadbDatabase()
    for (const file of tables) await queryMariadb(url, read(file))
    if (before !== undefined) await queryMariadb(url, before)
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const pazar = (...args: readonly string[]) =>
    runPazar(folder, args, { env: { SHOP_DATABASE_URL: url } })
  const pull = () => pazar("pull", join(examples, name, file))
  const countRevoked = (feed: string) => feed.match(/"revoked":true/g)?.length ?? 0

  test("the pull imports the records of feed.ndjson", async () => {
    const { status, stderr } = await pull()
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
    expect((await pazar("export")).stdout).toBe(read(`${name}/feed.ndjson`))
  })

  test("the next pull imports a refund", async () => {
    await queryMariadb(url, refund)
    expect((await pull()).status).toBe(0)
    const { stdout } = await pazar("export")
    expect(countRevoked(stdout)).toBe(countRevoked(read(`${name}/feed.ndjson`)) + 1)
  })

  if (hold !== null) {
    test("an order that is put on hold revokes its codes with the next pull", async () => {
      const revoked = countRevoked((await pazar("export")).stdout)
      await queryMariadb(url, hold)
      expect((await pull()).status).toBe(0)
      expect(countRevoked((await pazar("export")).stdout)).toBe(revoked + 1)
    })
  }

  if (renewal !== undefined) {
    test("the next pull imports a renewal", async () => {
      await queryMariadb(url, renewal.sql)
      expect((await pull()).status).toBe(0)
      expect((await pazar("export")).stdout).toContain(renewal.shows)
    })
  }
})

describe("examples/pull/laravel", () => {
  let folder: string
  let url: string
  beforeAll(async () => {
    folder = await createStoreFolder()
    url = await createMariadbDatabase()
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const pazar = (...args: readonly string[]) =>
    runPazar(folder, args, { env: { SHOP_DATABASE_URL: url } })
  const pull = () => pazar("pull", join(examples, "laravel/pull.json"))

  test("a server in another time zone than Laravel shifts no time, and hides no refund", async () => {
    await queryMariadb(url, "SET GLOBAL time_zone = '+03:00'")
    try {
      await queryMariadb(url, read("laravel/tables.sql"))
      expect((await pull()).status).toBe(0)
      expect((await pazar("export")).stdout).toBe(read("laravel/feed.ndjson"))
      await queryMariadb(
        url,
        "UPDATE sales SET status = 2, updated_at = UTC_TIMESTAMP() WHERE id = 1",
      )
      expect((await pull()).stdout).toContain('"accepted":1,')
    } finally {
      await queryMariadb(url, "SET GLOBAL time_zone = 'SYSTEM'")
    }
  })

  test("rows without a date of their last change are read, and prices have two decimals", async () => {
    await queryMariadb(
      url,
      `UPDATE users SET updated_at = NULL, balance = 0.1e0 + 0.2e0;
       UPDATE categories SET regular_buyer_fee = 4.2;
       UPDATE items SET updated_at = '0000-00-00 00:00:00', regular_price = 35.1;
       UPDATE sales SET updated_at = NULL, price = 0.1e0 + 0.2e0;
       UPDATE purchases SET updated_at = NULL`,
    )
    expect((await pull()).stdout).toContain('"accepted":7,')
    const { stdout } = await pazar("export")
    expect(stdout).toContain('"balance":0.3,')
    expect(stdout).toContain('"price":{"regular":39.3,')
    expect(stdout).toContain('"price":0.3,')
  })
})
