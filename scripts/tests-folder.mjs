// The folder for all that a run of the tests writes: in memory where there is room. A store waits for its disk
// at every commit, and with it the tests would.
import { spawn } from "node:child_process"
import { chmodSync, existsSync, mkdtempSync, readFileSync, statfsSync } from "node:fs"
import { freemem, tmpdir } from "node:os"
import { join } from "node:path"

const memory = "/dev/shm"
/** Twice what the tests keep there at a time. */
const bytesNeeded = 6e9

/** It is removed after this process has ended. */
export function createTestsFolder() {
  const folder = mkdtempSync(join(hasMemory() ? memory : tmpdir(), "pazar-tests-"))
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o755)
  removeAfterThisProcess(folder)
  return folder
}

/** In a container there may be little, and no program may run there; the tests make some. */
function hasMemory() {
  if (!existsSync(memory)) return false
  const { bavail, bsize } = statfsSync(memory)
  const [, options = "noexec"] =
    / \/dev\/shm \S+ (\S+)/.exec(readFileSync("/proc/mounts", "utf8")) ?? []
  const bytes = Math.min(bavail * bsize, freemem())
  return bytes > bytesNeeded && !options.split(",").includes("noexec")
}

/** A shell waits for the end of the pipe, which comes with a kill too. */
function removeAfterThisProcess(folder) {
  // The PostgreSQL servers of the tests end after a second.
  const shell = spawn("sh", ["-c", `read -r _; sleep 2; rm -rf "$0"`, folder], {
    // Its own process group, so that Ctrl+C does not end it.
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  })
  shell.unref()
}
