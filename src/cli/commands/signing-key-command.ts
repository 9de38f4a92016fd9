import { type SigningKey, sortByState } from "../../domain/keys/signing-key.ts"
import { commandLine } from "../../domain/sign-in/audit-event.ts"
import {
  removeCompromisedKey,
  rotateSigningKey,
} from "../../operations/keys/signing-key-operations.ts"
import type { signingKeys } from "../definitions/server-commands.ts"
import type { CommandActions, CommandContext } from "../framework/command.ts"
import { openApp } from "../framework/open-app.ts"
import { writeList } from "../framework/output.ts"

const writeKeys = (context: CommandContext, isJson: boolean, keys: readonly SigningKey[]) =>
  writeList(context, isJson, [keys], {
    toObject({ id, state, createdAt, endorsements }) {
      return { id, state, createdAt, endorsedBy: endorsements.map(({ by }) => by) }
    },
    header: ["ID", "STATE", "CREATED", "ENDORSED BY"],
    toCells({ id, state, createdAt, endorsements }) {
      const endorsers = endorsements.map(({ by }) => by).join(", ") || "-"
      return [id, state, createdAt, endorsers]
    },
  })

export const commands: CommandActions<typeof signingKeys> = {
  async "signing-key list"({ values }, context) {
    await using app = await openApp(context)
    await writeKeys(context, values.json, sortByState(await app.store.signingKeys.list()))
  },
  async "signing-key rotate"({ values: { compromised, json } }, context) {
    await using app = await openApp(context)
    const services = app.signingKeyServices(commandLine)
    const keys =
      compromised === undefined
        ? await rotateSigningKey(services)
        : await removeCompromisedKey(services, compromised)
    await writeKeys(context, json, keys)
  },
}
