/** No secret is compared by `===`, whose time tells how much of it was right. */
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { type Node, visitNodes } from "./harness/syntax.ts"

const root = join(import.meta.dir, "..")
const secretName = /(?:secret|token|password|hash|hmac|digest|checksum|lookup|cookie|seal)$/i
/** Files without such a word beside such an operator need not be parsed. */
const isSuspect = (source: string) =>
  /[!=]==/.test(source) &&
  /secret|token|password|hash|hmac|digest|checksum|lookup|cookie|seal/i.test(source)

/** Comparisons of such names that tell nothing, and why. */
const harmless: Readonly<Record<string, string>> = {
  "checksum(secret.slice(0, -checksumLength)) === secret.slice(-checksumLength)":
    "anyone can compute the checksum of a key",
  "digestOfCode(code) === digest": "the codes are the author's own, and the digest is in the URL",
  "secret === publicTestSecret": "the key of the samples is public",
  "secretIn(pasted) === publicTestSecret": "the same",
  "secretIn(text) === publicTestSecret": "the same",
  "trimBlank(secret) !== secret": "both are the operator's own line",
  'password === c.get("form").exact("repeat")': "the same person typed both",
}

function nameOf(node: Node): string {
  if (node.type === "Identifier") return String(node.name)
  if (node.type === "MemberExpression") return nameOf(node.property as Node) // has one
  if (node.type === "CallExpression") return nameOf(node.callee as Node) // has one
  return ""
}

function isSecretComparison(node: Node): boolean {
  if (node.type !== "BinaryExpression" || !/^[!=]==?$/.test(String(node.operator))) return false
  const sides = [node.left as Node, node.right as Node] // has both
  // A comparison with null, a number or a text of the program asks whether there is one.
  if (sides.some(({ type, name }) => type === "Literal" || name === "undefined")) return false
  return sides.some((side) => secretName.test(nameOf(side)))
}

test("every comparison of a secret is by digest or in constant time", () => {
  const found = new Set<string>()
  for (const file of new Bun.Glob("src/**/*.{ts,tsx}").scanSync(root)) {
    if (/\.(?:test|contract)\.tsx?$/.test(file)) continue
    const source = readFileSync(join(root, file), "utf8")
    if (!isSuspect(source)) continue
    visitNodes(file, source, (node) => {
      if (isSecretComparison(node)) found.add(source.slice(node.start, node.end))
      return true
    })
  }
  expect([...found].toSorted()).toEqual(Object.keys(harmless).toSorted())
})
