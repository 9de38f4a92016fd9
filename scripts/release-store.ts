/**
 * Writes the databases of a release for the upgrade tests: `npx bun scripts/release-store.ts [FOLDER]`, where FOLDER
 * is a checkout of that release with its packages, by default this one. It uses only the commands, the API and the
 * sign-in form. PostgreSQL and its `pg_dump` must be installed from Debian.
 */
import { Database } from "bun:sqlite"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { $ } from "bun"
import { openVisitor } from "../tests/harness/browser/visitor.ts"
import { pickFreePort } from "../tests/harness/free-port.ts"
import { readKeySet } from "../tests/harness/http/key-set.ts"
import { totpCode } from "../tests/harness/test-operators.ts"

export const releases = join(import.meta.dir, "../tests/fixtures/releases")
export const releaseFeed = join(releases, "feed.ndjson")
export const releaseMasterKey = Buffer.alloc(32, 7).toString("base64")
export const releasePassword = "lantern otter gravel"
export const importedKey = "key-of-an-older-shop"
export const soldCode = "0b7d3c1e-5a8f-4f0e-9d2b-6c1a7e4f3b20"
/** The code of a purchase whose item is not in the feed. */
export const pendingCode = "9d0c4b7e-3f25-4a52-8c1d-2b6e7f8a9c10"
export const site = "shop.customer.example.com"

/** The secrets and counts that a test compares with the upgraded database. */
export type ReleasedStore = Readonly<{
  secret: string
  validation: string
  revoked: string
  operatorToken: string
  totpSecret: string
  webhookSecret: string
  /** The sale of the webhook's pending message. */
  newSale: string
  signing: readonly string[]
  /** Validations with the secret key. */
  calls: number
}>

/** Fills an empty database with every kind of data that an upgrade keeps. */
export async function fillStore(folder: string, databaseUrl: string): Promise<ReleasedStore> {
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: databaseUrl,
    PORT: "0",
    PAZAR_MASTER_KEY: releaseMasterKey,
  }
  const program = [process.execPath, "--no-env-file", join(folder, "src/main.ts")]
  const run = (args: readonly string[], input = "") =>
    $`${program} ${args} < ${Buffer.from(input)}`.env(env).text()
  const createKey = async (...args: string[]): Promise<{ id: string; key: string }> =>
    JSON.parse(await run(["key", "create", "ada", "--json", ...args]))
  await run(["migrate"])
  const feed = readFileSync(releaseFeed, "utf8")
  // Standard input, because the path of a file would be stored.
  await run(["import", "-"], feed)
  await run(["account", "password", "ada"], releasePassword)
  await run(["account", "suspend", "cem"])
  await run(["operator", "create", "deniz"], releasePassword)
  const operatorToken = (await run(["token", "create", "shop", "--may", "feed"])).trim()
  const webhookUrl = "https://hooks.example.invalid/pazar"
  const webhookSecret = (await run(["webhook", "create", "ada", "--url", webhookUrl])).trim()
  await run(["item", "limit", "1229", "3"])
  // A pending record, and a sale of today: older ones trigger no webhooks.
  const sale = JSON.parse(feed.split("\n").find((line) => line.includes(soldCode)) ?? "")
  const pending = JSON.stringify({ ...sale, purchase_code: pendingCode, item_id: 999 })
  const newSale = JSON.stringify({
    ...sale,
    purchase_code: "sold-with-a-webhook",
    date: new Date().toISOString(),
  })
  await run(["import", "-"], `${pending}\n${newSale}\n`)
  const secret = await createKey()
  const validation = await createKey("--kind", "vk", "--items", "1229")
  const revoked = await createKey()
  await run(["key", "revoke", revoked.id])
  return {
    secret: secret.key,
    validation: validation.key,
    revoked: revoked.key,
    operatorToken,
    webhookSecret,
    newSale,
    ...(await useServer(program, env, secret.key)),
  }
}

async function useServer(
  program: readonly string[],
  env: Record<string, string | undefined>,
  key: string,
) {
  const server = Bun.spawn([...program, "serve"], { env, stdout: "pipe", stderr: "ignore" })
  try {
    const reader = server.stdout.pipeThrough(new TextDecoderStream()).getReader()
    let printed = ""
    while (!printed.includes("\n")) printed += (await reader.read()).value ?? "\n"
    const url = printed.slice("listening on ".length).trim()
    const validate = (fields: Readonly<Record<string, string>>) =>
      fetch(`${url}/api/purchases/validation`, {
        method: "POST",
        headers: { "X-Api-Key": key },
        body: new URLSearchParams({
          purchase_code: soldCode,
          nonce: "0123456789abcdef",
          ...fields,
        }),
      })
    const responses = [await validate({}), await validate({}), await validate({ site })]
    if (responses.some(({ status }) => status !== 200)) throw new Error("a validation failed")
    const totpSecret = await enableTwoFactor(url)
    const keys = await readKeySet(url)
    return { totpSecret, signing: keys.map(({ kid }) => kid), calls: responses.length }
  } finally {
    server.kill("SIGINT")
    await server.exited
  }
}

async function enableTwoFactor(url: string): Promise<string> {
  const path = "/workspace/ada/settings/security/second-factor"
  const ada = openVisitor(url)
  await ada.signIn("ada", releasePassword)
  const { text } = await ada.get(path)
  const secret = /<code>([A-Z2-7 ]+)<\/code>/.exec(text)?.[1]?.replaceAll(" ", "") ?? ""
  const typed = { secret, code: totpCode(secret), password: releasePassword }
  const { status } = await ada.submit(path, typed, path)
  if (status !== 200) throw new Error(`two-factor authentication: ${status}`)
  return secret
}

/** Runs `work` with the URL of an empty database and a function that dumps it as SQL. */
async function withPostgres(
  scratch: string,
  work: (url: string, dump: () => Promise<string>) => Promise<void>,
): Promise<void> {
  const [bin] = [...new Bun.Glob("/usr/lib/postgresql/*/bin/pg_dump").scanSync("/")]
    .toSorted()
    .slice(-1)
  if (bin === undefined) throw new Error("PostgreSQL is missing: apt-get install postgresql")
  const tools = bin.slice(0, -"/pg_dump".length)
  // PostgreSQL refuses to run as root.
  const as = process.getuid?.() === 0 ? ["runuser", "-u", "postgres", "--"] : []
  const data = join(scratch, "postgres")
  mkdirSync(data)
  await $`chmod 777 ${scratch} ${data}`
  const cluster = join(data, "cluster")
  await $`${as} ${tools}/initdb --auth=trust --encoding=UTF8 --locale=C.UTF-8 --no-sync --username=pazar ${cluster}`.quiet()
  const port = pickFreePort()
  const options = `-c listen_addresses=127.0.0.1 -c port=${port} -c unix_socket_directories=`
  await $`${as} ${tools}/pg_ctl start --wait --pgdata=${cluster} --log=${join(data, "log")} --options=${options}`.quiet()
  const url = `postgres://pazar@127.0.0.1:${port}/postgres`
  try {
    await work(url, () =>
      $`${tools}/pg_dump --no-owner --no-privileges --rows-per-insert=100 ${url}`.text(),
    )
  } finally {
    await $`${as} ${tools}/pg_ctl stop --wait --mode=fast --pgdata=${cluster}`.quiet()
  }
}

export async function writeReleaseStores(folder: string, into = releases): Promise<void> {
  const { version }: { version: string } = await Bun.file(join(folder, "package.json")).json()
  const scratch = mkdtempSync(join(tmpdir(), "pazar-release-"))
  const target = join(into, version)
  mkdirSync(target, { recursive: true })
  const write = (name: string, bytes: Uint8Array<ArrayBuffer>) =>
    writeFileSync(join(target, name), Bun.gzipSync(bytes, { level: 9 }))
  const stores: { sqlite?: ReleasedStore; postgres?: ReleasedStore } = {}
  try {
    const file = join(scratch, "pazar.db")
    stores.sqlite = await fillStore(folder, `sqlite:${file}`)
    // Without deleted rows, which contain the name of this machine.
    const copy = join(scratch, "copy.db")
    using db = new Database(file)
    db.query("VACUUM INTO ?").run(copy)
    write("sqlite.db.gz", readFileSync(copy))
    await withPostgres(scratch, async (url, dump) => {
      stores.postgres = await fillStore(folder, url)
      write("postgres.sql.gz", new TextEncoder().encode(await dump()))
    })
    writeFileSync(join(target, "stores.json"), `${JSON.stringify(stores, null, 2)}\n`)
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

if (import.meta.main) await writeReleaseStores(resolve(process.argv[2] ?? "."))
