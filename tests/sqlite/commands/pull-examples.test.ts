/** The ready-made pull files, each on a real MariaDB with the tables of its shop. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { folderWithStore, runPazar } from "../../harness/command.ts"
import { askMariadb, createMariadbDatabase, hasMariadb } from "../../harness/stores/mariadb.ts"

const examples = join(import.meta.dir, "../../../examples/pull")
const read = (name: string) => readFileSync(join(examples, name), "utf8")

type Example = Readonly<{
  name: string
  tables: readonly string[]
  /** A refund, and nothing else, happens an hour from now. */
  refund: string
}>

const later = "UTC_TIMESTAMP() + INTERVAL 1 HOUR"
const kinds: readonly Example[] = [
  {
    name: "woocommerce",
    tables: ["wordpress-tables.sql", "woocommerce/tables.sql"],
    refund: `
      INSERT INTO wp_wc_orders (id, status, type, date_created_gmt, date_updated_gmt, parent_order_id)
      VALUES (106, 'wc-completed', 'shop_order_refund', ${later}, ${later}, 101);
      INSERT INTO wp_woocommerce_order_items VALUES (10, 'Ege', 'line_item', 106);
      INSERT INTO wp_woocommerce_order_itemmeta (order_item_id, meta_key, meta_value)
      VALUES (10, '_refunded_item_id', '3')`,
  },
  {
    name: "easy-digital-downloads",
    tables: ["wordpress-tables.sql", "easy-digital-downloads/tables.sql"],
    refund: `UPDATE wp_edd_order_items SET status = 'refunded', date_modified = ${later} WHERE id = 1`,
  },
  {
    name: "laravel",
    tables: ["laravel/tables.sql"],
    refund: `UPDATE sales SET status = 'refunded', updated_at = ${later} WHERE id = 1`,
  },
]

describe.skipIf(!hasMariadb).each(kinds)("examples/pull/$name", ({ name, tables, refund }) => {
  let folder: string
  let url: string
  beforeAll(async () => {
    folder = await folderWithStore()
    url = await createMariadbDatabase()
    for (const file of tables) await askMariadb(url, read(file))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const pazar = (...args: readonly string[]) =>
    runPazar(folder, args, { env: { SHOP_DATABASE_URL: url } })
  const pull = () =>
    pazar("pull", join(examples, name, "pull.json"), "--defaults", join(examples, "defaults.json"))
  const countRevoked = (feed: string) => feed.match(/"revoked":true/g)?.length ?? 0

  test("the pull brings what feed.ndjson shows", async () => {
    const { status, stderr } = await pull()
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
    expect((await pazar("export")).stdout).toBe(read(`${name}/feed.ndjson`))
  })

  test("a refund comes with the next pull", async () => {
    await askMariadb(url, refund)
    expect((await pull()).status).toBe(0)
    const { stdout } = await pazar("export")
    expect(countRevoked(stdout)).toBe(countRevoked(read(`${name}/feed.ndjson`)) + 1)
  })
})
