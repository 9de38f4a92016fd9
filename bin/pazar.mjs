#!/usr/bin/env node
// The `pazar` command: runs the program with the Bun that npm installed.
import { spawn } from "node:child_process"
import { closeSync } from "node:fs"
import { findBun, runOptions } from "./bun.mjs"

const bun = findBun()
if (bun === null) {
  console.error("pazar: Bun is not installed; run `npm install` in the folder of package.json")
  process.exit(2)
}
const child = spawn(bun, [...runOptions, ...process.argv.slice(2)], { stdio: "inherit" })
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal))
// npm and npx send a signal to the shell between them and this process, and the shell exits without forwarding it.
// Under npm, a lost parent therefore means stop, except after SIGHUP: a server outlives its terminal.
const parent = process.ppid
if (process.env.npm_command !== undefined) {
  // Stops only on the second check, because a SIGHUP may have arrived and not be handled yet.
  let isParentLost = false
  const watch = setInterval(() => {
    if (isParentLost) child.kill("SIGTERM")
    isParentLost = process.ppid !== parent
  }, 250).unref()
  process.on("SIGHUP", () => clearInterval(watch))
}
child.on("error", (error) => {
  console.error(`pazar: cannot start Bun: ${error.message}`)
  process.exit(2)
})
child.on("exit", (code, signal) => {
  // Node 20 aborts when it resets a closed terminal, unless its descriptors are closed.
  for (const descriptor of [0, 1, 2]) closeSync(descriptor)
  if (signal === null) process.exit(code ?? 2)
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.removeAllListeners(name)
  process.kill(process.pid, signal)
})
