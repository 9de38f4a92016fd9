import { overlapOption, parseOverlap } from "../access/rotation-overlap.ts"
import { type AccountStore, describeAuthor } from "../accounts/account.ts"
import { requireAccount } from "../accounts/account-operations.ts"
import { type IssuedKind, issuedKinds, keyScopes, publicTestSecret } from "../contract/operation.ts"
import {
  command,
  flag,
  jsonOnly,
  type OpenContext,
  option,
  UsageError,
} from "../platform/cli/command.ts"
import { toJson, writeList, writeRecord } from "../platform/cli/output.ts"
import { checkUsernameOrAll, parseChoice, readFirstLine } from "../platform/cli/parse-options.ts"
import { UserError } from "../platform/error.ts"
import { trimWhitespace } from "../platform/text.ts"
import { formatTimestamp, normalizeTimestamp, type Timestamp } from "../platform/time.ts"
import type { UsageStore } from "../usage/usage.ts"
import {
  type ApiKeyStore,
  extractSecret,
  type KeyCipher,
  maskOf,
  type StoredKey,
  stateOf,
} from "./key.ts"
import {
  findPastedKey,
  type IssuedKey,
  type Issuing,
  issueKey,
  requireKey,
  revokeKey,
  rotateKey,
} from "./key-operations.ts"

export const keyKindNames: Readonly<Record<IssuedKind, string>> = {
  sk: "Secret key",
  vk: "Validation key",
  tk: "Test key",
}

type App = Readonly<{
  store: Readonly<{
    accounts: Pick<AccountStore, "findByUsername">
    keys: ApiKeyStore
    usage: UsageStore
    feed: Readonly<{ openSnapshot(): Promise<KeySnapshot> }>
  }>
  services: Issuing
  keyCipher: KeyCipher
  now: () => Date
}>

type KeySnapshot = Readonly<{
  readKeys(): AsyncIterable<readonly StoredKey[]>
  close(): Promise<void>
}>

type Context = OpenContext<App>

export const commands = {
  "key create": command({
    positionals: ["USERNAME"],
    options: {
      kind: {
        ...option(
          "sk|vk|tk",
          "sk: secret key, all operations (default)\nvk: validation key, validates purchases and releases sites; safe to ship in a product\ntk: test key, all operations on test data",
        ),
        default: "sk",
      },
      name: option("NAME", "name of the key"),
      items: option(
        "1,2",
        "vk only: item ids the key is valid for. Default: all items of the account",
      ),
      scope: option(
        "help_desk|catalog",
        "sk only: help_desk validates codes, lists purchases and sites, releases sites; catalog reads items. Default: everything",
      ),
      "requires-site": flag("vk only: reject validations without a site"),
      expires: option(
        "TIME",
        "expiry as an ISO 8601 timestamp with a zone, such as 2027-01-01T00:00:00Z",
      ),
      json: flag('print {"id","key","kind","name","items","expires_at"}'),
    },
    async run({ positionals: [username], values }, context: Context) {
      const kind = parseChoice("kind", issuedKinds, values.kind)
      const name = values.name?.trim() || keyKindNames[kind]
      const itemIds = values.items === undefined ? null : parseItemIds(values.items)
      if (itemIds !== null && kind !== "vk") throw new UsageError("--items requires --kind vk")
      const isSiteRequired = values["requires-site"]
      if (isSiteRequired && kind !== "vk")
        throw new UsageError("--requires-site requires --kind vk")
      const scope =
        values.scope === undefined ? null : parseChoice("scope", keyScopes, values.scope)
      if (scope !== null && kind !== "sk") throw new UsageError("--scope requires --kind sk")
      const expiresAt = values.expires === undefined ? null : parseExpiry(values.expires)
      await using app = await context.openApp()
      const account = await requireAccount(app.store.accounts, username)
      const options = { kind, name, itemIds, isSiteRequired, scope, expiresAt }
      const issued = await issueKey(app.services, account, options)
      await context.write(renderIssued(issued, values.json))
    },
  }),
  "key list": command({
    positionals: ["[USERNAME]"],
    options: { all: flag("list the keys of all accounts"), ...jsonOnly },
    help: `LAST USED lags a few seconds behind a running server. All keys of a suspended account are rejected,
whatever their STATE.`,
    async run({ positionals: [username], values }, context: Context) {
      checkUsernameOrAll(username, values.all)
      await using app = await context.openApp()
      const at = formatTimestamp(app.now())
      const isAll = username === undefined
      const times = ["CREATED", "EXPIRES", "LAST USED"]
      const header = ["ID", "KIND", "KEY", "STATE", ...times, "ITEMS", "NAME"]
      await writeList(context, values.json, isAll ? readAll(app) : readOfAccount(app, username), {
        toObject: keyObject,
        header: isAll ? ["USERNAME", ...header] : header,
        toCells(key) {
          const { id, kind, masked, name, createdAt, expiresAt, lastUsedAt } = key
          const times = [createdAt, expiresAt ?? "never", lastUsedAt ?? "never"]
          const cells = [id, kind, masked, stateOf(key, at), ...times, showItems(key), name]
          return isAll ? [key.username, ...cells] : cells
        },
        none: isAll
          ? "no keys; create one with `pazar key create USERNAME`"
          : `${username} has no keys; create one with \`pazar key create ${username}\``,
      })
    },
  }),
  "key find": command({
    options: jsonOnly,
    help: `The command reads the first line of standard input, which contains the key alone or within a line of
code:

  printf '%s' "$KEY" | pazar key find

The key is neither printed nor stored.`,
    async run({ values }, context: Context) {
      const pasted = await readFirstLine(context)
      if (trimWhitespace(pasted) === "")
        throw new UsageError("standard input does not contain a key")
      if (extractSecret(pasted) === publicTestSecret)
        throw new UserError(
          "this public test key of the documentation does not belong to an account",
        )
      await using app = await context.openApp()
      const { store, keyCipher, now } = app
      const found = await findPastedKey({ keys: store.keys, keyCipher }, null, pasted)
      const [key] = found === null ? [] : await describeKeys(app, [found])
      if (key === undefined) throw new UserError("this key does not exist")
      const state = stateOf(key, formatTimestamp(now()))
      const { isSuspended } = await requireAccount(store.accounts, key.username)
      const object = { ...keyObject(key), state, accountSuspended: isSuspended }
      await writeRecord(context, values.json, object, [
        ["Key", key.id],
        ["Account", describeAuthor({ username: key.username, isSuspended })],
        ["Kind", key.scope === null ? key.kind : `${key.kind}, ${key.scope}`],
        ["Name", key.name],
        ["State", state],
        ["Items", showItems(key)],
        ["Created", key.createdAt],
        ["Expires", key.expiresAt ?? "never"],
        ["Last used", key.lastUsedAt ?? "never"],
      ])
    },
  }),
  "key revoke": command({
    positionals: ["KEY_ID"],
    help: "Running servers reject the key within a second. `pazar key list USERNAME` prints the ids.",
    async run({ positionals: [keyId] }, context: Context) {
      await using app = await context.openApp()
      await revokeKey(app.services, await requireKey(app.store.keys, keyId))
      context.printStderr(`revoked key ${keyId}`)
    },
  }),
  "key rotate": command({
    positionals: ["KEY_ID"],
    options: { overlap: overlapOption, ...jsonOnly },
    help: `The new key has the same name, permissions and expiry. The old key stays valid for the overlap
period, but not past its own expiry.`,
    async run({ positionals: [keyId], values }, context: Context) {
      const overlap = parseOverlap(values.overlap)
      await using app = await context.openApp()
      const key = await requireKey(app.store.keys, keyId)
      await context.write(renderIssued(await rotateKey(app.services, key, overlap), values.json))
    },
  }),
}

function parseItemIds(text: string): readonly number[] {
  const ids = text.split(",").map((id) => (/^\s*\d+\s*$/.test(id) ? Number(id) : Number.NaN))
  if (ids.every((id) => Number.isSafeInteger(id) && id > 0)) return [...new Set(ids)]
  throw new UsageError("--items must be item ids separated by commas, as in 1,2")
}

function parseExpiry(text: string): Timestamp {
  const at = normalizeTimestamp(text)
  if (at !== null) return at
  throw new UsageError("--expires must be an ISO 8601 time with a zone, as in 2027-01-01T00:00:00Z")
}

function renderIssued({ key, secret }: IssuedKey, isJson: boolean): string {
  const { id, kind, name, itemIds, expiresAt } = key
  return isJson ? toJson({ id, key: secret, kind, name, items: itemIds, expiresAt }) : `${secret}\n`
}

type ListedKey = StoredKey & Readonly<{ masked: string; lastUsedAt: Timestamp | null }>

function keyObject({ itemIds: items, ...key }: ListedKey) {
  const { id, username, kind, scope, masked, name, createdAt, expiresAt, revokedAt } = key
  return {
    ...{ id, username, kind, ...(scope !== null && { scope }), masked, name, items },
    ...{ createdAt, expiresAt, revokedAt, lastUsedAt: key.lastUsedAt },
  }
}

const showItems = ({ itemIds }: ListedKey) => (itemIds === null ? "all" : itemIds.join(","))

async function* readOfAccount(app: App, username: string) {
  const { id } = await requireAccount(app.store.accounts, username)
  yield describeKeys(app, await app.store.keys.list(id))
}

async function* readAll(app: App) {
  const snapshot = await app.store.feed.openSnapshot()
  try {
    for await (const page of snapshot.readKeys()) yield describeKeys(app, page)
  } finally {
    await snapshot.close()
  }
}

async function describeKeys({ store: { usage }, keyCipher }: App, keys: readonly StoredKey[]) {
  const uses = await usage.listLastUses(keys.map(({ id }) => id))
  const lastUses = new Map(uses.map(({ keyId, lastUsedAt }) => [keyId, lastUsedAt]))
  return keys.map((key) => {
    const lastUsedAt = lastUses.get(key.id) ?? null
    return { ...key, masked: maskOf(keyCipher, key), lastUsedAt }
  })
}
