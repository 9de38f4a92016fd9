import { type IssuedKind, issuedKinds } from "../../domain/keys/api-key.ts"
import { commandLine } from "../../domain/sign-in/audit-event.ts"
import { normaliseTimestamp, type Timestamp } from "../../domain/values/time/timestamp.ts"
import { requireAccount } from "../../operations/catalogue/require-account.ts"
import { issueKey } from "../../operations/keys/issue-key.ts"
import { createCommand, UsageError } from "../frame/command.ts"
import { withApp } from "../frame/with-app.ts"
import { renderIssuedKey } from "./key-json.ts"

const defaultNames: Readonly<Record<IssuedKind, string>> = {
  sk: "Secret key",
  vk: "Validation key",
  tk: "Test key",
}

export const keyCreate = createCommand({
  name: "key create",
  positionals: ["USERNAME"],
  options: {
    kind: { type: "string", value: "sk|vk|tk", default: "sk" },
    name: { type: "string", value: "NAME" },
    items: { type: "string", value: "1,2" },
    expires: { type: "string", value: "TIME" },
    json: { type: "boolean" },
  },
  summary: "make an API key and print it",
  help: `  --kind     sk: all four operations (the default)
             vk: validates purchases only, safe to ship inside a product
             tk: all four operations over sample data, for trying an integration
  --name     what to call it
  --items    vk only: the items it answers for; without it, all of the account
  --expires  an ISO 8601 time with a zone, as in 2027-01-01T00:00:00Z`,
  async run({ positionals: [username], values }, context) {
    const kind = parseKind(values.kind)
    const name = values.name?.trim() || defaultNames[kind]
    const itemIds = values.items === undefined ? null : parseItemIds(values.items)
    const expiresAt = values.expires === undefined ? null : parseExpiry(values.expires)
    await withApp(context, async ({ store, keyServices }) => {
      const account = await requireAccount(store.accounts, username)
      const options = { kind, name, itemIds, expiresAt }
      const issued = await issueKey(keyServices(commandLine), account, options)
      await context.write(`${values.json ? renderIssuedKey(issued) : issued.secret}\n`)
    })
    return 0
  },
})

function parseKind(text: string): IssuedKind {
  const kind = issuedKinds.find((known) => known === text)
  if (kind === undefined) throw new UsageError(`--kind must be one of ${issuedKinds.join(", ")}`)
  return kind
}

function parseItemIds(text: string): readonly number[] {
  const ids = text.split(",").map((id) => (/^\s*\d+\s*$/.test(id) ? Number(id) : Number.NaN))
  if (ids.every((id) => Number.isSafeInteger(id) && id > 0)) return [...new Set(ids)]
  throw new UsageError("--items must be item ids with commas between them, as in 1,2")
}

function parseExpiry(text: string): Timestamp {
  const at = normaliseTimestamp(text)
  if (at === null) {
    throw new UsageError(
      "--expires must be an ISO 8601 time with a zone, as in 2027-01-01T00:00:00Z",
    )
  }
  return at
}
