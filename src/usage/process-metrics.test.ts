import { expect, test } from "bun:test"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../tests/harness/program.ts"
import { readProcessMetrics } from "./metrics.ts"

test("CPU time and memory are read from /proc, for any program name", () => {
  const folder = temporaryFolder()
  const rest = "S 1 1 1 0 -1 4194304 85 0 0 0 1250 250 0 0 20 0 1 0 2321386"
  writeFileSync(join(folder, "stat"), `42 (a) b (c)) ${rest}\n`)
  writeFileSync(join(folder, "status"), "Name:\ta\nVmRSS:\t   2048 kB\nThreads:\t4\n")
  expect(readProcessMetrics(folder)).toEqual({
    cpuSeconds: 15,
    residentBytes: 2_097_152,
  })
  rmSync(folder, { recursive: true })
})

test("without /proc the result is null", () => {
  expect(readProcessMetrics("/no/such/folder")).toBeNull()
})
