#!/usr/bin/env node
// The `pazar` command: finds the Bun that npm installed and hands everything over to it.
import { spawn } from "node:child_process"
import { closeSync } from "node:fs"
import { findBun, runOptions } from "./bun.mjs"

const bun = findBun()
if (bun === null) {
  console.error("pazar: its runtime, Bun, is not installed. Run `npm install` beside package.json.")
  process.exit(2)
}
const child = spawn(bun, [...runOptions, ...process.argv.slice(2)], { stdio: "inherit" })
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal))
// npm and npx send a signal to the shell between us, which ends without passing it on. Under npm, a lost
// parent therefore means stop. After SIGHUP it does not: the terminal closed, and a server goes on.
const parent = process.ppid
if (process.env.npm_command !== undefined) {
  // Only at the second look: a SIGHUP may have arrived and not be handled yet.
  let isParentLost = false
  const watch = setInterval(() => {
    if (isParentLost) child.kill("SIGTERM")
    isParentLost = process.ppid !== parent
  }, 250).unref()
  process.on("SIGHUP", () => clearInterval(watch))
}
child.on("error", (error) => {
  console.error(`pazar: could not start Bun: ${error.message}`)
  process.exit(2)
})
child.on("exit", (code, signal) => {
  // Node 20 aborts when it resets a terminal that has gone. It leaves closed descriptors alone.
  for (const descriptor of [0, 1, 2]) closeSync(descriptor)
  if (signal === null) process.exit(code ?? 2)
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.removeAllListeners(name)
  process.kill(process.pid, signal)
})
