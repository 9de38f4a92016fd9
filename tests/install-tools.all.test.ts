import { beforeAll, expect, test } from "bun:test"
import { mkdtempSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const scripts = fileURLToPath(new URL("../scripts", import.meta.url))

/** A PATH without curl. */
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pazar-path-"))
  for (const name of ["node", "rm", "sh", "sleep"])
    symlinkSync(Bun.which(name) ?? "", join(folder, name))
})

async function runNode(...args: readonly string[]) {
  const child = Bun.spawn([join(folder, "node"), ...args], {
    env: { PATH: folder },
    stdout: "ignore",
    stderr: "pipe",
  })
  const stderr = await child.stderr.text()
  return { status: await child.exited, stderr }
}

test("`npm test` names a program that it needs and cannot install", async () => {
  const code = `(await import("${scripts}/install-tools.mjs")).installTools({ isAll: false })`
  expect(await runNode("--input-type=module", "--eval", code)).toEqual({
    status: 2,
    stderr: expect.stringContaining("the tests need curl;"),
  })
})

test("`npm test NAME` installs no programs", async () => {
  const { status, stderr } = await runNode(`${scripts}/test.mjs`, "src/platform/text.test.ts")
  expect([status, stderr]).toEqual([0, ""])
})
