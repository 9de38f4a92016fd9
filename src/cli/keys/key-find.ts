import { secretIn, stateOf } from "../../domain/keys/api-key.ts"
import { publicTestSecret } from "../../domain/keys/public-test-key.ts"
import { trimBlank } from "../../domain/values/blank.ts"
import { RefusedError } from "../../domain/values/error.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import { requireAccount } from "../../operations/catalogue/require-account.ts"
import { findPastedKeyOfAny } from "../../operations/keys/find-pasted-key.ts"
import { describeAuthor } from "../catalogue/describe-author.ts"
import { createCommand, UsageError } from "../frame/command.ts"
import { readFirstLine } from "../frame/first-line.ts"
import { renderTable } from "../frame/table.ts"
import { withApp } from "../frame/with-app.ts"
import { keyObject, showItems } from "./key-json.ts"
import { withLastUse } from "./key-list.ts"

export const keyFind = createCommand({
  name: "key find",
  positionals: [],
  options: { json: { type: "boolean" } },
  summary: "say whose key this is; the key is read from standard input",
  help: `The key is in the first line of standard input, alone or in a line of a program:

  printf '%s' "$KEY" | pazar key find

It is neither printed nor stored.`,
  async run({ values }, context) {
    const pasted = await readFirstLine(context.readStandardInput())
    if (trimBlank(pasted) === "") throw new UsageError("Standard input holds no key.")
    if (secretIn(pasted) === publicTestSecret) {
      throw new RefusedError("this is the test key of the documentation; it belongs to no account")
    }
    await withApp(context, async ({ store, vault, now }) => {
      const found = await findPastedKeyOfAny({ keys: store.keys, vault }, pasted)
      const [key] = found === null ? [] : await withLastUse(store.usage, [found])
      if (key === undefined) throw new RefusedError("no account has this key")
      const state = stateOf(key, formatTimestamp(now()))
      const { isSuspended } = await requireAccount(store.accounts, key.username)
      if (values.json) {
        const object = { ...keyObject(key), state, account_suspended: isSuspended }
        return context.write(`${JSON.stringify(object)}\n`)
      }
      const rows = [
        ["Account", describeAuthor({ author: key.username, isAuthorSuspended: isSuspended })],
        ["Kind", key.kind],
        ["Name", key.name],
        ["State", state],
        ["Items", showItems(key)],
        ["Created", key.createdAt],
        ["Expires", key.expiresAt ?? "never"],
        ["Last used", key.lastUsedAt ?? "never"],
      ]
      return context.write(renderTable(context.terminal, ["Key", key.id], rows))
    })
    return 0
  },
})
