/** Files and folders of the repository that the documents name in backticks. */
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"

const root = join(import.meta.dir, "../..")
const scan = (pattern: string) => [
  ...new Bun.Glob(pattern).scanSync({ cwd: root, onlyFiles: false }),
]
const path =
  /^(?:(?:bench|bin|clients|deploy|docs|examples|man|scripts|sdk|src|tests)\/[\w./*-]*|[\w./*-]+\.(?:tsx?|mjs))$/
/** `x.test.ts` and `*.contract.ts` are names of any file. */
const isAnyFile = (word: string) => /^[x*]\./.test(word)

test.each(["CONTRIBUTING.md", "SECURITY.md", "README.md", ...scan("docs/**/*.md")])(
  "%s names only files and folders that are there",
  (document) => {
    const words = [...readFileSync(join(root, document), "utf8").matchAll(/`([^`\n]+)`/g)]
      .flatMap(([, quoted = ""]) => quoted.split(" "))
      .filter((word) => path.test(word) && !isAnyFile(word))
    let folder = "."
    const missing = words.filter((word) => {
      // A file without a folder is in that of the path before it, or below.
      if (!word.includes("/")) return scan(`${folder}/**/${word}`).length === 0
      folder = word.endsWith("/") ? word : dirname(word)
      return scan(word.replace(/\/$/, "")).length === 0
    })
    expect(missing).toEqual([])
  },
)
