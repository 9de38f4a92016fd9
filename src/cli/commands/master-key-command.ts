import { pluralize } from "../../domain/values/text.ts"
import { reencrypt } from "../../secrets/master-key.ts"
import type * as declared from "../definitions/key-definitions.ts"
import { CannotRunError, type CommandAction } from "../framework/command.ts"
import { openApp } from "../framework/open-app.ts"
import { toJson } from "../framework/output.ts"

export const masterKeyReseal: CommandAction<typeof declared.masterKeyReseal> = async (
  { values },
  context,
) => {
  await using app = await openApp(context)
  const { previous, ...keys } = app.masterKeys
  if (previous === null) {
    throw new CannotRunError(
      "the previous master key is not set; set PAZAR_MASTER_KEY_PREVIOUS_FILE to the file with the old key",
    )
  }
  const startedAt = performance.now()
  const { rows, broken } = await reencrypt(app.store, { ...keys, previous }, (table, done) =>
    context.showProgress(`re-encrypting ${table}: ${pluralize(done, "row")}`),
  )
  const seconds = Math.round(performance.now() - startedAt) / 1000
  context.showProgress("")
  context.printStderr(
    rows === 0 && keys.isReencrypted
      ? "no changes: all rows are encrypted with the current master key"
      : `re-encrypted ${pluralize(rows, "row")} in ${seconds} s`,
  )
  for (const row of broken) context.printStderr(`pazar: neither master key decrypts ${row}`)
  if (broken.length > 0) context.printStderr("rotate the keys and secrets of these rows")
  context.printStderr("remove the previous key from the settings of all servers")
  if (values.json) await context.write(toJson({ rows, seconds }))
  return broken.length === 0 ? 0 : 1
}
