import { commandLine } from "../../domain/sign-in/audit-event.ts"
import { requireKey } from "../../operations/keys/require-key.ts"
import { type Overlap, overlapSeconds, rotateKey } from "../../operations/keys/rotate-key.ts"
import { createCommand, UsageError } from "../frame/command.ts"
import { withApp } from "../frame/with-app.ts"
import { renderIssuedKey } from "./key-json.ts"

export const keyRotate = createCommand({
  name: "key rotate",
  positionals: ["KEY_ID"],
  options: {
    overlap: { type: "string", value: "0|1h|1d|7d", default: "1d" },
    json: { type: "boolean" },
  },
  summary: "replace a key and print the new one",
  help: `The new key has the old one's name, rights and expiry. The old one goes on working for the
overlap (1d unless said otherwise; 0 ends it at once), never past its own expiry.`,
  async run({ positionals: [keyId], values }, context) {
    const overlap = parseOverlap(values.overlap)
    await withApp(context, async ({ store, keyServices }) => {
      const key = await requireKey(store.keys, keyId)
      const issued = await rotateKey(keyServices(commandLine), key, overlap)
      await context.write(`${values.json ? renderIssuedKey(issued) : issued.secret}\n`)
    })
    return 0
  },
})

export function parseOverlap(text: string): Overlap {
  if (Object.hasOwn(overlapSeconds, text)) return text as Overlap // hasOwn checked it
  throw new UsageError(`--overlap must be one of ${Object.keys(overlapSeconds).join(", ")}`)
}
