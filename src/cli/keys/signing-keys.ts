/** `pazar signing-key`: the keys that sign answers. */
import { listPublished, type SigningKey } from "../../domain/keys/signing-key.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import { removeCompromisedKey, rotateSigningKey } from "../../operations/keys/signing-keys.ts"
import type { signingKeys } from "../declarations/keys.ts"
import type { CommandContext, Runs } from "../frame/command.ts"
import { openApp } from "../frame/open-app.ts"
import { writeList } from "../frame/output.ts"

const writeKeys = (context: CommandContext, isJson: boolean, keys: readonly SigningKey[]) =>
  writeList(context, isJson, [keys], {
    toObject({ id, state, createdAt, retiredUntil, endorsements }) {
      return { id, state, createdAt, retiredUntil, endorsedBy: endorsements.map(({ by }) => by) }
    },
    header: ["ID", "STATE", "CREATED", "RETIRED UNTIL", "ENDORSED BY"],
    toCells({ id, state, createdAt, retiredUntil, endorsements }) {
      const endorsers = endorsements.map(({ by }) => by).join(", ") || "-"
      return [id, state, createdAt, retiredUntil ?? "-", endorsers]
    },
  })

export const commands: Runs<typeof signingKeys> = {
  async list({ values }, context) {
    await using app = await openApp(context)
    const keys = listPublished(await app.store.signingKeys.list(), formatTimestamp(app.now()))
    await writeKeys(context, values.json, keys)
  },
  async rotate({ values: { compromised, json } }, context) {
    await using app = await openApp(context)
    const services = app.signingKeyServices
    const keys =
      compromised === undefined
        ? await rotateSigningKey(services)
        : await removeCompromisedKey(services, compromised)
    await writeKeys(context, json, keys)
  },
}
