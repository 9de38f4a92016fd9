import { readConfig } from "../../config/config.ts"
import { counted } from "../../domain/values/text.ts"
import { nextPathOf } from "../../secrets/master-key.ts"
import { replaceMasterKey } from "../../secrets/replace-master-key.ts"
import { openStore } from "../../store/open.ts"
import type * as declared from "../declarations/keys.ts"
import type { Run } from "../frame/command.ts"
import { toJson } from "../frame/output.ts"

export const masterKeyReplace: Run<typeof declared.masterKeyReplace> = async (
  { values },
  context,
) => {
  const config = readConfig(context.env)
  const startedAt = performance.now()
  const store = await openStore(config.store, "command")
  try {
    const { metadata, sealedRows, nodes } = store
    const { rows, keptAs, path } = await replaceMasterKey(
      {
        metadata,
        sealedRows,
        nodes,
        now: () => new Date(),
        pause: Bun.sleep,
        onWaiting: ({ url }) =>
          context.tell(`Waiting until the server at ${url} has read the new key …`),
        onProgress: (table, sealed) => context.showProgress(`${table}: ${sealed} sealed anew`),
      },
      config.masterKey,
      new Date().toISOString().replace(/[-:]|\.\d+/g, ""),
    )
    const seconds = Math.round(performance.now() - startedAt) / 1000
    context.showProgress("")
    context.tell(
      `The master key was replaced, in ${seconds} s: ${counted(rows, "row")} sealed anew.`,
    )
    if (keptAs === null) {
      context.tell(
        `${path} cannot be changed from here: put the key of ${nextPathOf(path)} there on every machine.`,
      )
    } else {
      context.tell(
        `The new key is in ${path}: keep a copy of it elsewhere, and put it in place of the old one on every other machine.`,
      )
      context.tell(
        `The old key is in ${keptAs}. It opens nothing here any more; only backups from before need it.`,
      )
    }
    if (values.json) await context.write(toJson({ rows, file: path, old_file: keptAs, seconds }))
  } finally {
    await store.close()
  }
}
