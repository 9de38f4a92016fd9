/**
 * Writes the stores of a release for tests/both-stores/program/upgrade.test.ts: `npx bun scripts/release-store.ts [FOLDER]`, where
 * FOLDER is a checkout of that release with its packages, and this one by default. Works through the commands and the
 * API alone, so that it can make the stores of every version. PostgreSQL and its `pg_dump` must be
 * installed as Debian does it.
 */
import { Database } from "bun:sqlite"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { $ } from "bun"
import { pickFreePort } from "../tests/harness/free-port.ts"
import { readKeySet } from "../tests/harness/http/key-set.ts"

const releases = join(import.meta.dir, "../tests/fixtures/releases")
export const releaseMasterKey = Buffer.alloc(32, 7).toString("base64")
export const releasePassword = "lantern otter gravel"
/** Both are in the feed. */
export const importedKey = "key-of-an-older-shop"
export const soldCode = "0b7d3c1e-5a8f-4f0e-9d2b-6c1a7e4f3b20"

/** The facts that a test needs to ask the store of a release. */
export type ReleasedStore = Readonly<{
  secret: string
  /** For item 1229 only. */
  validation: string
  revoked: string
  /** The ids of the keys that sign answers; none before 0.5.0. */
  signing: readonly string[]
  /** How many calls it has counted, all by the secret key. */
  calls: number
}>

type Checkout = Readonly<{ folder: string; version: string }>

/** PostgreSQL, passwords and counts of calls came with 0.2.0. */
const isFirst = (version: string) => version === "0.1.0"

async function fillStore(
  { folder, version }: Checkout,
  databaseUrl: string,
): Promise<ReleasedStore> {
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: databaseUrl,
    PORT: "0",
    PAZAR_MASTER_KEY: releaseMasterKey,
  }
  const program = [process.execPath, "--no-env-file", join(folder, "src/main.ts")]
  const pazar = (...args: string[]) => $`${program} ${args}`.env(env).text()
  const createKey = async (...args: string[]): Promise<{ id: string; key: string }> =>
    JSON.parse(await pazar("key", "create", "ada", "--json", ...args))
  await pazar("migrate")
  // Not by its path, which later versions store.
  await $`${program} import - < ${join(releases, "feed.ndjson")}`.env(env).quiet()
  const secret = await createKey()
  const validation = await createKey("--kind", "vk", "--items", "1229")
  const revoked = await createKey()
  await pazar("key", "revoke", revoked.id)
  const keys = { secret: secret.key, validation: validation.key, revoked: revoked.key }
  if (isFirst(version)) return { ...keys, signing: [], calls: 0 }
  await $`printf %s ${releasePassword} | ${program} account password ada`.env(env).quiet()
  return { ...keys, ...(await callApi(program, env, secret.key)) }
}

/** Starts a server and calls it, so that there is something to count. */
async function callApi(
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
    const call = () =>
      fetch(`${url}/api/purchases/validation`, {
        method: "POST",
        headers: { "X-Api-Key": key },
        body: new URLSearchParams({ purchase_code: soldCode, nonce: "0123456789abcdef" }),
      })
    const answers = [await call(), await call(), await call()]
    if (answers.some(({ status }) => status !== 200)) throw new Error("a call was not answered")
    const { ok: isSigning } = await fetch(`${url}/.well-known/pazar-keys.json`)
    const keys = isSigning ? await readKeySet(url) : []
    return { signing: keys.map(({ kid }) => kid), calls: answers.length }
  } finally {
    server.kill("SIGTERM")
    await server.exited
  }
}

/** Runs `work` with the address of an empty database and a way to dump it as SQL. */
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
    stores.sqlite = await fillStore({ folder, version }, `sqlite:${file}`)
    // Without deleted rows, which hold the name of this machine.
    const copy = join(scratch, "copy.db")
    using db = new Database(file)
    db.query("VACUUM INTO ?").run(copy)
    write("sqlite.db.gz", readFileSync(copy))
    if (!isFirst(version)) {
      await withPostgres(scratch, async (url, dump) => {
        stores.postgres = await fillStore({ folder, version }, url)
        write("postgres.sql.gz", new TextEncoder().encode(await dump()))
      })
    }
    writeFileSync(join(target, "stores.json"), `${JSON.stringify(stores, null, 2)}\n`)
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

if (import.meta.main) await writeReleaseStores(resolve(process.argv[2] ?? "."))
