import { expect, test } from "bun:test"
import { mkdtempSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const script = new URL("../../scripts/install-tools.mjs", import.meta.url).href

test("`npm test` names a program that it needs and cannot install", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pazar-path-"))
  symlinkSync(Bun.which("node") ?? "", join(folder, "node"))
  const code = `(await import("${script}")).installTools({ isAll: false })`
  const child = Bun.spawn([join(folder, "node"), "--input-type=module", "--eval", code], {
    env: { PATH: folder },
    stderr: "pipe",
  })
  const stderr = await child.stderr.text()
  expect(await child.exited).toBe(2)
  expect(stderr).toContain("the tests need curl;")
})
