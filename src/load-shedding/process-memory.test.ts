import { afterEach, beforeEach, expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { readMemoryLimit, readUsedBytes } from "./process-memory.ts"

const machine = 64 * 1024 ** 3
let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "pazar-test-"))
})
afterEach(() => rmSync(root, { recursive: true }))

const limitWith = (files: Readonly<Record<string, string>>) => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  return readMemoryLimit(root, machine)
}

const groups = "sys/fs/cgroup"

test.each([
  ["no control groups", {}, machine],
  [
    "a container, version 2",
    { "proc/self/cgroup": "0::/\n", [`${groups}/memory.max`]: "536870912\n" },
    512 * 1024 ** 2,
  ],
  [
    "no limit, version 2",
    { "proc/self/cgroup": "0::/\n", [`${groups}/memory.max`]: "max\n" },
    machine,
  ],
  [
    "a service whose slice has the smaller limit",
    {
      "proc/self/cgroup": "0::/system.slice/pazar.service\n",
      [`${groups}/system.slice/memory.max`]: "1000000\n",
      [`${groups}/system.slice/pazar.service/memory.max`]: "2000000\n",
    },
    1_000_000,
  ],
  [
    "a container, version 1, that sees the path of its host",
    {
      "proc/self/cgroup": "5:cpu,cpuacct:/docker/abc\n4:memory:/docker/abc\n",
      [`${groups}/memory/memory.limit_in_bytes`]: "3000000\n",
      [`${groups}/cpu,cpuacct/memory.limit_in_bytes`]: "1\n",
    },
    3_000_000,
  ],
  [
    "no limit, version 1",
    {
      "proc/self/cgroup": "4:memory:/\n",
      [`${groups}/memory/memory.limit_in_bytes`]: "9223372036854771712\n",
    },
    machine,
  ],
  [
    "a file that holds something else",
    { "proc/self/cgroup": "0::/\n", [`${groups}/memory.max`]: "-1\n" },
    machine,
  ],
] as const)("the limit with %s", (_, files, limit) => {
  expect(limitWith(files)).toBe(limit)
})

test("the pages of mapped files do not count as used", () => {
  limitWith({ "proc/self/status": "VmRSS:\t  900 kB\nRssAnon:\t  300 kB\nRssFile:\t  600 kB\n" })
  expect(readUsedBytes(root)).toBe(300 * 1024)
  expect(readUsedBytes(join(root, "nothing"))).toBe(0)
})
