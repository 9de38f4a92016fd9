// The folder for all files of a test run, in memory if there is enough. On a disk, databases and tests would wait for
// every commit.
import { spawn } from "node:child_process"
import { chmodSync, existsSync, mkdtempSync, readFileSync, statfsSync } from "node:fs"
import { freemem, tmpdir } from "node:os"
import { join } from "node:path"

const memory = "/dev/shm"
/** Twice the maximum size of the tests' files. */
const bytesNeeded = 6e9

/** The folder is removed after this process has ended. */
export function createTestsFolder() {
  const folder = mkdtempSync(join(hasMemory() ? memory : tmpdir(), "pazar-tests-"))
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o755)
  removeAfterThisProcess(folder)
  return folder
}

/** A container may have little shared memory, or allow no programs there; the tests create some. */
function hasMemory() {
  if (!existsSync(memory)) return false
  const { bavail, bsize } = statfsSync(memory)
  const [, options = "noexec"] =
    / \/dev\/shm \S+ (\S+)/.exec(readFileSync("/proc/mounts", "utf8")) ?? []
  const bytes = Math.min(bavail * bsize, freemem())
  return bytes > bytesNeeded && !options.split(",").includes("noexec")
}

/** A shell waits for the end of the pipe, which closes on a kill too. */
function removeAfterThisProcess(folder) {
  // The PostgreSQL servers of the tests end after a second.
  const shell = spawn("sh", ["-c", `read -r _; sleep 2; rm -rf "$0"`, folder], {
    // A separate process group, so that Ctrl+C does not end it.
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  })
  shell.unref()
}
