import { pluralize } from "../../domain/values/text.ts"
import { reencrypt } from "../../secrets/reencrypt.ts"
import type * as declared from "../definitions/key-definitions.ts"
import { CannotRunError, type CommandAction } from "../framework/command.ts"
import { openApp } from "../framework/open-app.ts"
import { toJson } from "../framework/output.ts"

export const masterKeyReseal: CommandAction<typeof declared.masterKeyReseal> = async (
  given,
  context,
) => {
  await using app = await openApp(context)
  const { previous, ...keys } = app.masterKeys
  if (previous === null) {
    throw new CannotRunError(
      "there is no previous master key; set PAZAR_MASTER_KEY_PREVIOUS_FILE to the file with the old key",
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
      ? "Nothing to do: everything is encrypted with the current master key."
      : `Re-encrypted ${pluralize(rows, "row")} in ${seconds} s.`,
  )
  for (const row of broken) context.printStderr(`pazar: neither master key decrypts ${row}`)
  if (broken.length > 0) context.printStderr("Rotate what cannot be decrypted.")
  context.printStderr("Remove the previous key from the settings of all servers.")
  if (given.values.json) await context.write(toJson({ rows, seconds }))
  return broken.length === 0 ? 0 : 1
}
