import { expect, test } from "bun:test"
import { existsSync, readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"

const root = join(import.meta.dir, "../..")
const documents = [
  "*.md",
  "{bench,clients,deploy,docs,examples,sdk}/**/*.md",
  "src/docs/text/**/*.md",
]
  .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(root)])
  .filter((file) => !file.includes("node_modules/"))

/** The anchors that GitHub generates from headings. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  )

test.each(documents)("%s", (document) => {
  const text = readFileSync(join(root, document), "utf8").replaceAll(/^```.*?^```$/gms, "")
  const links = [...text.matchAll(/\]\((?!https?:|mailto:|\/)([^)#\s]*)(?:#([^)\s]*))?\)/g)]
  const broken = links.filter(([, path = "", anchor]) => {
    const target = path === "" ? join(root, document) : join(root, dirname(document), path)
    if (!existsSync(target)) return true
    if (anchor === undefined || statSync(target).isDirectory()) return false
    return !anchorsOf(readFileSync(target, "utf8")).includes(anchor)
  })
  expect(broken.map(([link]) => link)).toEqual([])
})
