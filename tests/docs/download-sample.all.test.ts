/** The shop's script in examples/downloads sends a file only for a URL that Pazar has signed. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pickFreePort } from "../harness/free-port.ts"
import { type Program, startProgram, temporaryFolder } from "../harness/program.ts"
import { account, item, purchase } from "../harness/records.ts"
import { plainEnvironment } from "../harness/run-pazar.ts"
import { until, workMsMax } from "../harness/until.ts"

const secret = "a-secret-that-the-shop-shares-with-pazar"
const folder = temporaryFolder()
let program: Program
let shop: ChildProcess
let origin = ""

beforeAll(async () => {
  origin = `http://127.0.0.1:${pickFreePort()}`
  for (const id of ["1", "2"]) mkdirSync(join(folder, id))
  writeFileSync(join(folder, "1/theme.zip"), "PK theme")
  writeFileSync(join(folder, "2/other.zip"), "PK other")
  shop = spawn("php", ["-S", new URL(origin).host, "download.php"], {
    cwd: join(import.meta.dir, "../../examples/downloads"),
    env: {
      ...plainEnvironment,
      PAZAR_DOWNLOAD_SECRET: secret,
      SHOP_ORIGIN: origin,
      SHOP_FILES: folder,
    },
    stdio: "ignore",
  })
  await until(async () => fetch(origin).catch(() => undefined), workMsMax)
  program = await startProgram({ PAZAR_DOWNLOAD_SECRET: secret })
  const url = `${origin}/download.php?file=theme.zip`
  await program.load([account("ada"), item("ada", 1, { download_url: url }), purchase("theme", 1)])
  const claims = `${origin}/download.php?pazar_item=2&file=other.zip`
  await program.load([item("ada", 3, { download_url: claims }), purchase("claims", 3)])
})
afterAll(async () => {
  shop.kill()
  await program.close()
  rmSync(folder, { recursive: true })
})

async function createSignedUrl(code = "theme"): Promise<URL> {
  const { secret: key } = await program.issue("ada", "vk")
  const created = await fetch(`${program.url}/api/purchases/download`, {
    method: "POST",
    headers: { "X-Api-Key": key },
    body: new URLSearchParams({ purchase_code: code }),
  })
  const { data } = JSON.parse(await created.text())
  const redirect = await fetch(data.url, { redirect: "manual" })
  return new URL(redirect.headers.get("location") ?? "")
}

test("sends the file for the URL of a redirect", async () => {
  const response = await fetch(await createSignedUrl())
  expect([response.status, await response.text()]).toEqual([200, "PK theme"])
})

test("sends no file of another item, whatever the author of an item writes into its URL", async () => {
  expect((await fetch(await createSignedUrl("claims"))).status).toBe(404)
})

test("rejects every change of the URL, and a URL without a signature", async () => {
  const statusOf = async (change: (url: URL) => void) => {
    const url = await createSignedUrl()
    change(url)
    return (await fetch(url)).status
  }
  const changes: ((url: URL) => void)[] = [
    ({ searchParams }) => searchParams.set("file", "other.zip"),
    ({ searchParams }) => searchParams.set("pazar_item", "2"),
    ({ searchParams }) => searchParams.delete("pazar_item"),
    ({ searchParams }) => searchParams.set("expires", `${Number(searchParams.get("expires")) + 1}`),
    ({ searchParams }) => searchParams.set("signature", "A".repeat(43)),
    ({ searchParams }) => searchParams.delete("signature"),
    ({ searchParams }) => searchParams.append("file", "other.zip"),
    (url) => {
      url.search = "?file=theme.zip"
    },
  ]
  for (const change of changes) expect(await statusOf(change)).toBe(403)
})
