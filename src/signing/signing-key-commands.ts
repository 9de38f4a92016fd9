import { type Actor, commandLine } from "../access/actor.ts"
import {
  type CommandContext,
  command,
  jsonOnly,
  type OpenContext,
  option,
} from "../platform/cli/command.ts"
import { writeList } from "../platform/cli/output.ts"
import { type SigningKey, type SigningKeyStore, sortByState } from "./signing-key.ts"
import {
  removeCompromisedKey,
  rotateSigningKey,
  type SigningKeyServices,
} from "./signing-key-operations.ts"

type App = Readonly<{
  store: Readonly<{ signingKeys: SigningKeyStore }>
  signingKeyServices(actor: Actor): SigningKeyServices
}>

type Context = OpenContext<App>

export const commands = {
  "signing-key list": command({
    options: jsonOnly,
    help: `The current key signs responses. Products pin the current key and the next key, which replaces it at
the next rotation. Retired keys stay published, so that a product that pins one can follow its
endorsement.`,
    async run({ values }, context: Context) {
      await using app = await context.openApp()
      await writeKeys(context, values.json, sortByState(await app.store.signingKeys.list()))
    },
  }),
  "signing-key rotate": command({
    options: {
      compromised: option(
        "=KEY_ID",
        "delete this key immediately, with every endorsement it gave. If it is the current key, the next key replaces it. Products that pin it accept its signatures until they are updated. The = is required, because an id can begin with a dash",
      ),
      ...jsonOnly,
    },
    help: `The next key becomes the current key, which endorses a new next key. The old key is retired and stays
published.`,
    async run({ values: { compromised, json } }, context: Context) {
      await using app = await context.openApp()
      const services = app.signingKeyServices(commandLine)
      const keys =
        compromised === undefined
          ? await rotateSigningKey(services)
          : await removeCompromisedKey(services, compromised)
      await writeKeys(context, json, keys)
    },
  }),
}

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
