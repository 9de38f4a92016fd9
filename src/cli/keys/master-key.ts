import { counted } from "../../domain/values/text.ts"
import { reseal } from "../../secrets/reseal.ts"
import type * as declared from "../declarations/keys.ts"
import { CannotRun, type Run } from "../frame/command.ts"
import { openApp } from "../frame/open-app.ts"
import { toJson } from "../frame/output.ts"

export const masterKeyReseal: Run<typeof declared.masterKeyReseal> = async (given, context) => {
  await using app = await openApp(context)
  const { previous, ...keys } = app.masterKeys
  if (previous === null) {
    throw new CannotRun(
      "there is no previous master key; set PAZAR_MASTER_KEY_PREVIOUS_FILE to the file with the old key",
    )
  }
  const startedAt = performance.now()
  const { rows, broken } = await reseal(app.store, { ...keys, previous }, (table, done) =>
    context.showProgress(`re-encrypting ${table}: ${counted(done, "row")}`),
  )
  const seconds = Math.round(performance.now() - startedAt) / 1000
  context.showProgress("")
  context.tell(
    rows === 0 && keys.isResealed
      ? "Nothing to do: everything is encrypted with the current master key."
      : `Re-encrypted ${counted(rows, "row")} in ${seconds} s.`,
  )
  for (const row of broken) context.tell(`pazar: neither master key decrypts ${row}`)
  if (broken.length > 0) context.tell("Rotate what cannot be decrypted.")
  context.tell("Remove the previous key from the settings of all servers.")
  if (given.values.json) await context.write(toJson({ rows, seconds }))
  return broken.length === 0 ? 0 : 1
}
