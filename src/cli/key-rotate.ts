import { requireKey } from "../operations/require-key.ts"
import { type Overlap, overlapSeconds, rotateKey } from "../operations/rotate-key.ts"
import { type Command, parseCommandLine, UsageError } from "./command.ts"
import { renderIssuedKey } from "./key-json.ts"
import { withApp } from "./with-app.ts"

export const keyRotate: Command = {
  name: "key rotate",
  usage: "KEY_ID [--overlap 0|1h|1d|7d] [--json]",
  summary: "replace a key and print the new one",
  help: `The new key has the old one's name, rights and expiry. The old one goes on working for the
overlap (1d unless said otherwise; 0 ends it at once), never past its own expiry.`,
  async run(args, context) {
    const { values, positionals } = parseCommandLine(
      args,
      { overlap: { type: "string", default: "1d" }, json: { type: "boolean" } },
      { min: 1, max: 1 },
    )
    const [keyId = ""] = positionals
    const overlap = parseOverlap(values.overlap)
    await withApp(context, async ({ store, keyServices }) => {
      const key = await requireKey(store.keys, keyId)
      const issued = await rotateKey(keyServices("operator"), key, overlap)
      await context.write(`${values.json ? renderIssuedKey(issued) : issued.secret}\n`)
    })
    return 0
  },
}

function parseOverlap(text: string): Overlap {
  if (Object.hasOwn(overlapSeconds, text)) return text as Overlap // just found among its names
  throw new UsageError(`--overlap must be one of ${Object.keys(overlapSeconds).join(", ")}`)
}
