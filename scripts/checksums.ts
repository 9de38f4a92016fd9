import { createHash } from "node:crypto"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** Writes SHA256SUMS for all files of a folder in the format of `sha256sum --check`, and returns its text. */
export function writeChecksums(folder: string): string {
  const names = readdirSync(folder).filter((name) => name !== "SHA256SUMS")
  const sums = names.toSorted().map((name) => {
    const digest = createHash("sha256")
      .update(readFileSync(join(folder, name)))
      .digest("hex")
    return `${digest}  ${name}\n`
  })
  const text = sums.join("")
  writeFileSync(join(folder, "SHA256SUMS"), text)
  return text
}
