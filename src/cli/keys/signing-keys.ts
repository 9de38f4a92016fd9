/** `pazar signing-key`: the keys that sign answers. */
import { listPublished, type SigningKey } from "../../domain/keys/signing-key.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import {
  exportSigningKeys,
  importSigningKeys,
  removeCompromisedKey,
  rotateSigningKey,
} from "../../operations/keys/signing-keys.ts"
import { type CommandContext, createCommand, flag, jsonOnly, openApp } from "../frame/command.ts"
import { readFirstLine } from "../frame/input.ts"
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

const list = createCommand({
  name: "signing-key list",
  options: jsonOnly,
  summary: "list the keys that sign answers, as they are published",
  help: `The current key signs. Products pin it and the next one, which takes its place at the next rotation.
A retired key is published until its last receipt has expired.`,
  async run({ values }, context) {
    await using app = await openApp(context)
    const keys = listPublished(await app.store.signingKeys.list(), formatTimestamp(app.now()))
    await writeKeys(context, values.json, keys)
  },
})

const rotate = createCommand({
  name: "signing-key rotate",
  options: { compromised: { type: "string", value: "=KEY_ID" }, json: flag },
  summary: "sign answers with the next key from now on, and list the keys",
  help: `The next key becomes the current one, and a new next key is made, which the current one
endorses. The old one is published until its last receipt has expired. Run it with the
PAZAR_RECEIPT_DAYS of the server.

  --compromised=KEY_ID  remove this key at once, with every endorsement it gave. If it is the
                        current one, the next key takes its place. Receipts that it signed are
                        no longer good. The = is needed: an id may begin with a dash.`,
  async run({ values: { compromised, json } }, context) {
    await using app = await openApp(context)
    const services = app.signingKeyServices
    const keys =
      compromised === undefined
        ? await rotateSigningKey(services)
        : await removeCompromisedKey(services, compromised)
    await writeKeys(context, json, keys)
  },
})

const exportAll = createCommand({
  name: "signing-key export",
  summary: "print the signing keys, to move them to another store",
  help: `They are sealed: only a store with the same master key can import them.`,
  async run(_, context) {
    await using app = await openApp(context)
    await context.write(`${await exportSigningKeys(app.signingKeyServices)}\n`)
  },
})

const importAll = createCommand({
  name: "signing-key import",
  options: jsonOnly,
  summary: "use the signing keys of another store, read from standard input, and list them",
  help: `They take the place of all signing keys that this store has:

  pazar signing-key import < signing-keys.txt`,
  async run({ values }, context) {
    const exported = await readFirstLine(context)
    await using app = await openApp(context)
    const keys = await importSigningKeys(app.signingKeyServices, exported)
    await writeKeys(context, values.json, keys)
  },
})

export const signingKeyCommands = [list, rotate, exportAll, importAll]
