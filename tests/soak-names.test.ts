import { expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { proofs } from "../scripts/soak.ts"
import { areas } from "./soak/mutation-areas.ts"

const root = new URL("../", import.meta.url)

test("`npm run soak` has every name in CONTRIBUTING.md and no other, and their files exist", () => {
  const text = readFileSync(new URL("CONTRIBUTING.md", root), "utf8")
  const table = text.slice(text.indexOf("npm run soak"), text.indexOf("docs/architecture.md"))
  const described = [...table.matchAll(/^\| `([\w-]+)`/gm)].map(([, name]) => name)
  // `full` stands in the row of `import`.
  expect([...described, "full"].toSorted()).toEqual(Object.keys(proofs))
  const files = Object.values(proofs)
    .flat()
    .filter((argument) => argument.endsWith(".ts"))
  expect(files.filter((file) => !existsSync(new URL(file, root)))).toEqual([])
})

test("an unknown name lists the names", async () => {
  const child = Bun.spawn([process.execPath, "scripts/soak.ts", "toString"], {
    cwd: root.pathname,
    stderr: "pipe",
  })
  const told = await child.stderr.text()
  expect(await child.exited).toBe(2)
  expect(told).toContain(Object.keys(proofs).join(" "))
})

test.each(Object.entries(areas))("mutate: the files and tests of %s exist", (_, area) => {
  const isThere = (path: string) => existsSync(new URL(path, root))
  const paths = [...area.files, ...area.tests.flat()]
  expect(paths.length).toBeGreaterThan(3)
  expect(paths.filter((path) => !isThere(path))).toEqual([])
})
