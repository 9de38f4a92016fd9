/** The sub-key of the key digests, which other servers need to look up API keys. */
import { hkdfSync } from "node:crypto"
import { readFileSync } from "node:fs"
import { type Store, storePath } from "../stores/bench-stores.ts"

export function lookUpKeyOf(store: Store): string {
  const master = Buffer.from(readFileSync(`${storePath(store)}.master-key`, "utf8"), "base64")
  const key = hkdfSync("sha256", master, new Uint8Array(0), "pazar key look-up v1", 32)
  return Buffer.from(key).toString("hex")
}
