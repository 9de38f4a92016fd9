import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { createStoreFolder, readPazar, runPazar } from "../harness/run-pazar.ts"
import { createMariadbDatabase, queryMariadb } from "../harness/stores/mariadb-server.ts"

const shop = join(import.meta.dir, "../../examples/shop")
const read = (name: string) => readFileSync(join(shop, name), "utf8")

describe("examples/shop", () => {
  let folder: string
  let url: string
  beforeAll(async () => {
    folder = await createStoreFolder()
    url = await createMariadbDatabase()
    await queryMariadb(url, read("schema.sql"))
    await queryMariadb(url, read("sample-data.sql"))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const pazar = (...args: readonly string[]) =>
    runPazar(folder, args, { env: { SHOP_DATABASE_URL: url } })
  const pull = (...args: readonly string[]) => pazar("pull", join(shop, "pull.json"), ...args)
  const acceptedOf = (stdout: string) => JSON.parse(stdout).accepted

  test("a dry run shows three records; the pull imports the records of feed.ndjson", async () => {
    const dry = await pull("--dry-run")
    expect(dry.status).toBe(0)
    expect(dry.stderr.match(/: \{"type":"(account|item|purchase)",.*\}$/gm)).toHaveLength(3)
    expect(dry.stderr).not.toContain("old-key-of-elif")
    const { status, stdout, stderr } = await pull()
    expect({ status, accepted: acceptedOf(stdout), stderr }).toEqual({
      status: 0,
      accepted: 8,
      stderr: "",
    })
    expect((await pazar("export")).stdout).toBe(read("feed.ndjson"))
  })

  test("the next pull imports refunds, and nothing else", async () => {
    await queryMariadb(
      url,
      `UPDATE refunds SET created_at = NOW() + INTERVAL 1 HOUR;
       UPDATE licenses SET updated_at = NOW() - INTERVAL 1 DAY;
       UPDATE orders SET updated_at = NOW() - INTERVAL 1 DAY;
       UPDATE products SET updated_at = NOW() - INTERVAL 1 DAY;
       UPDATE users SET updated_at = NOW() - INTERVAL 1 DAY;
       INSERT INTO refunds (license_id, created_at)
       SELECT id, NOW() + INTERVAL 1 HOUR FROM licenses WHERE code LIKE 'B5A0%'`,
    )
    expect(acceptedOf((await pull()).stdout)).toBe(2)
    const { stdout } = await pazar("export")
    expect(stdout.match(/"revoked":true/g)).toHaveLength(2)
  })
  test("the next pull imports an order that was paid later", async () => {
    await queryMariadb(
      url,
      `DELETE FROM refunds;
       UPDATE orders SET status = 'paid', updated_at = NOW() + INTERVAL 1 HOUR WHERE id = 503`,
    )
    expect(acceptedOf((await pull()).stdout)).toBe(1)
    const { stdout } = await pazar("purchase", "show", "e8d3e4f5-4444-4555-8666-977788889999")
    expect(stdout).toContain("valid")
  })
  test("an order that is canceled after its payment revokes its purchases", async () => {
    await queryMariadb(
      url,
      "UPDATE orders SET status = 'cancelled', updated_at = NOW() + INTERVAL 2 HOUR WHERE id = 503",
    )
    expect(acceptedOf((await pull()).stdout)).toBe(1)
    expect((await pazar("export")).stdout.match(/"revoked":true/g)).toHaveLength(3)
  })

  test("the records are as of the database's clock: a later state replaces them", async () => {
    const input = '{"type":"account","username":"tom","patch":true,"balance":80}'
    const dayMs = 86_400_000
    const balanceAsOf = async (ageMs: number) => {
      const at = new Date(Date.now() - ageMs).toISOString()
      await readPazar(folder, ["import", "-", "--as-of", at], { input })
      return (await pazar("export")).stdout.includes('"balance":80,')
    }
    expect([await balanceAsOf(dayMs), await balanceAsOf(0)]).toEqual([false, true])
  })
})
