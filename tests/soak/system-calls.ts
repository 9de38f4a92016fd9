/**
 * `npm run soak -- system-calls`: runs the executable under strace and compares its system calls with those
 * that deploy/systemd/pazar@.service allows. For a new version of the runtime, before the unit is shipped
 * with it. Needs strace and systemd-analyze.
 */
import { readFileSync, rmSync } from "node:fs"
import { arch, platform } from "node:os"
import { join } from "node:path"
import { $ } from "bun"
import { until } from "../contracts/until.ts"
import { startServer } from "../harness/command.ts"
import { readDeployFile, root } from "../harness/deploy-files.ts"
import { temporaryFolder } from "../harness/program.ts"

/** The calls in a group such as `@system-service`, and in the groups inside it. */
async function callsIn(group: string): Promise<readonly string[]> {
  const listed = (await $`systemd-analyze syscall-filter ${group}`.text()).split("\n").slice(1)
  const names = listed.map((line) => line.trim()).filter((line) => /^[@\w]/.test(line))
  return (
    await Promise.all(names.map((name) => (name.startsWith("@") ? callsIn(name) : [name])))
  ).flat()
}

/** As systemd reads the lines: later ones with a tilde take calls away. */
async function allowedCalls(): Promise<ReadonlySet<string>> {
  const allowed = new Set(await callsIn("@default"))
  for (const [, tilde, groups = ""] of readDeployFile("systemd/pazar@.service").matchAll(
    /^SystemCallFilter=(~?)(.*)$/gm,
  )) {
    const calls = (await Promise.all(groups.split(" ").map(callsIn))).flat()
    for (const call of calls) tilde === "~" ? allowed.delete(call) : allowed.add(call)
  }
  return allowed
}

/** Everything that the demo does: a store, a feed, passwords, threads, pages and the calls that it prints. */
async function usedCalls(folder: string): Promise<readonly string[]> {
  const executable = join(folder, `pazar-${platform()}-${arch()}`)
  await $`${process.execPath} scripts/build.ts --out ${folder} ${platform()}-${arch()}`
    .cwd(root)
    .quiet()
  const summary = join(folder, "calls")
  const strace = ["strace", "-f", "-c", "-o", summary, executable] as const
  const server = await startServer(folder, { PAZAR_THREADS: "2" }, "demo", strace)
  const screen = await until(() =>
    server.stdout().includes("Ctrl+C") ? server.stdout() : undefined,
  )
  for (const line of screen.match(/^curl .*$/gm) ?? []) await $`sh -c ${`${line} -sf`}`.quiet()
  for (const path of ["/", "/docs", "/login"]) await fetch(server.url + path)
  // strace passes no signal on.
  await $`pkill -TERM -P ${server.child.pid}`
  await server.ended
  const rows = readFileSync(summary, "utf8").matchAll(/^ *[\d.]+ +[\d.]+ .* (\w+)$/gm)
  return [...rows].map(([, call = ""]) => call).filter((call) => call !== "total")
}

/** SQLite calls it as root only, and goes on where it is refused; the unit's user is not root. */
const calledByRoot = ["fchown"]

const folder = temporaryFolder()
const [allowed, used] = await Promise.all([allowedCalls(), usedCalls(folder)])
rmSync(folder, { recursive: true })
const refused = used.filter((call) => !allowed.has(call) && !calledByRoot.includes(call))
console.log(
  `${used.length} system calls used, ${allowed.size} allowed, refused: ${refused.join(", ") || "none"}`,
)
process.exit(used.length > 0 && refused.length === 0 ? 0 : 1)
