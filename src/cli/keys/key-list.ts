import type { SnapshotKey } from "../../domain/feed/feed.ts"
import { stateOf } from "../../domain/keys/api-key.ts"
import { formatTimestamp, type Timestamp } from "../../domain/values/time/timestamp.ts"
import { requireAccount } from "../../operations/catalogue/require-account.ts"
import type { App } from "../../server/app.ts"
import { type CommandContext, createCommand, UsageError } from "../frame/command.ts"
import { writeJsonList } from "../frame/json-list.ts"
import { createTable } from "../frame/table.ts"
import { withApp } from "../frame/with-app.ts"
import { keyObject, type ListedKey, showItems } from "./key-json.ts"

type KeyPages = AsyncIterable<readonly ListedKey[]>

export const keyList = createCommand({
  name: "key list",
  positionals: ["[USERNAME]"],
  options: { all: { type: "boolean" }, json: { type: "boolean" } },
  summary: "list the keys of an account, or of all, without their secrets",
  help: `  --all   the keys of every account, by its name

LAST USED is at most a few seconds behind a running server.`,
  async run({ positionals: [username], values }, context) {
    if (username === undefined && !values.all) {
      throw new UsageError("Missing USERNAME, or --all for every account.")
    }
    if (username !== undefined && values.all) {
      throw new UsageError("Give USERNAME or --all, not both.")
    }
    await withApp(context, async (app) => {
      const pages = username === undefined ? readAll(app) : readOfAccount(app, username)
      if (values.json) return writeJsonList(context, pages, renderKeyJson)
      const table = username === undefined ? tableOfAll : tableOfOne
      const isAny = await writeTables(table, pages, formatTimestamp(app.now()), context)
      if (!isAny) context.tell(explainNone(username))
    })
    return 0
  },
})

const renderKeyJson = (key: ListedKey) => JSON.stringify(keyObject(key))

/** False when there is no key. */
async function writeTables(
  { header, cellsOf }: KeyTable,
  pages: KeyPages,
  at: Timestamp,
  { write, terminal }: CommandContext,
): Promise<boolean> {
  const render = createTable(terminal, header)
  let isAny = false
  for await (const page of pages) {
    if (page.length === 0) continue
    isAny = true
    await write(render(page.map((key) => cellsOf(key, at))))
  }
  return isAny
}

const explainNone = (username: string | undefined) =>
  username === undefined
    ? "There are no keys yet: `pazar key create USERNAME` makes one."
    : `${username} has no keys yet: \`pazar key create ${username}\` makes one.`

type KeyTable = Readonly<{
  header: readonly string[]
  cellsOf(key: ListedKey, at: Timestamp): readonly string[]
}>

const tableOfOne: KeyTable = {
  header: ["ID", "KIND", "STATE", "CREATED", "EXPIRES", "LAST USED", "ITEMS", "NAME"],
  cellsOf(key, at) {
    const { id, kind, name, createdAt, expiresAt, lastUsedAt } = key
    const times = [createdAt, expiresAt ?? "never", lastUsedAt ?? "never"]
    return [id, kind, stateOf(key, at), ...times, showItems(key), name]
  },
}

const tableOfAll: KeyTable = {
  header: ["USERNAME", ...tableOfOne.header],
  cellsOf: (key, at) => [key.username, ...tableOfOne.cellsOf(key, at)],
}

async function* readOfAccount({ store }: App, username: string) {
  const account = await requireAccount(store.accounts, username)
  yield withLastUse(store.usage, await store.keys.list(account.id))
}

async function* readAll({ store }: App) {
  const snapshot = await store.feed.openSnapshot()
  try {
    for await (const page of snapshot.readKeys()) yield withLastUse(store.usage, page)
  } finally {
    await snapshot.close()
  }
}

export async function withLastUse(
  usage: Pick<App["store"]["usage"], "listLastUses">,
  keys: readonly SnapshotKey[],
): Promise<readonly ListedKey[]> {
  const uses = await usage.listLastUses(keys.map(({ id }) => id))
  const lastUses = new Map(uses.map(({ keyId, lastUsedAt }) => [keyId, lastUsedAt]))
  return keys.map((key) => ({ ...key, lastUsedAt: lastUses.get(key.id) ?? null }))
}
