/** The glossary has our words in order, and only words that are used. */
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dir, "../..")
const read = (file: string) => readFileSync(join(root, file), "utf8")
const [, ...words] = [...read("docs/glossary.md").matchAll(/^\| ([a-z][a-z -]*?) +\| \S/gm)].map(
  ([, word = ""]) => word,
)
const texts = ["docs/**/*.md", "src/**/*.{ts,tsx,md}", "SECURITY.md"]
  .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(root)])
  .filter((file) => file !== "docs/glossary.md")
  .map((file) => read(file).toLowerCase())

test("its words are in order, each once", () => {
  expect(words.length).toBeGreaterThan(50)
  expect(words).toEqual([...new Set(words)].toSorted((a, b) => (a < b ? -1 : 1)))
})

test.each(words)("%s is used", (word) => {
  const form = new RegExp(`\\b${word.replaceAll(/[ -]/g, "[\\s-]+")}`)
  expect(texts.some((text) => form.test(text))).toBe(true)
})
