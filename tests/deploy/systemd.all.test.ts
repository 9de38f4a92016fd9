/** The units in deploy/systemd. Tests with systemd's own tools run only if these are installed. */
import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { commands } from "../../src/cli.ts"
import { inFlightMsMax } from "../../src/server/listener.ts"
import { drainMs } from "../../src/server/serve-commands.ts"
import {
  deployFiles,
  deployFolder,
  installGuide,
  problemsOf,
  readDeployFile,
  root,
} from "../harness/deploy-files.ts"
import { pickFreePort } from "../harness/free-port.ts"
import { temporaryFolder } from "../harness/program.ts"
import {
  createStore,
  createStoreFolder,
  launchers,
  plainEnvironment,
  runPazar,
  startServer,
} from "../harness/run-pazar.ts"
import { storeOf } from "../harness/stores/test-stores.ts"
import { until } from "../harness/until.ts"

const faults = join(import.meta.dir, "../harness/faults")
const services = deployFiles.filter((path) => path.startsWith("systemd/"))
const server = readDeployFile("systemd/pazar@.service")
const settingOf = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(server)?.[1]

test("the server is started by an existing command, and has enough time to stop", () => {
  const [, name = ""] = / \/usr\/local\/bin\/pazar (\w+)$/.exec(settingOf("ExecStart") ?? "") ?? []
  expect(commands.map((command) => command.name)).toContain(name)
  const stopSeconds = (drainMs + inFlightMsMax) / 1000
  expect(Number(settingOf("TimeoutStopSec"))).toBeGreaterThanOrEqual(stopSeconds + 5)
})

test("the server is restarted however often it has failed", () => {
  expect(server).toMatch(/^\[Unit\]\n(?:[^[].*\n)*StartLimitIntervalSec=0$/m)
  expect(settingOf("Restart")).toBe("on-failure")
})

test("a server that ends before it is ready fails the start, and its own error is the last line", async () => {
  const [, script = ""] = /^\/bin\/sh -c '(.*)'$/.exec(settingOf("ExecStartPost") ?? "") ?? []
  const ended = Bun.spawn(["true"])
  await ended.exited
  const port = `${pickFreePort()}`
  const child = Bun.spawn(["/bin/sh", "-c", script.replaceAll("$$", "$").replace("808%i", port)], {
    env: { PATH: process.env.PATH, HOST: "127.0.0.1", MAINPID: `${ended.pid}` },
    stderr: "pipe",
  })
  expect([await child.exited, await child.stderr.text()]).toEqual([1, ""])
})

test("each instance listens on the port that nginx uses, whatever PORT the settings have", async () => {
  const line = settingOf("ExecStart") ?? ""
  const [, port = ""] = / PORT=(\S+) /.exec(line) ?? []
  const [, ...listed] =
    /^upstream [^}]*\}/m.exec(readDeployFile("nginx.conf"))?.[0].split("server ") ?? []
  expect(listed.map((text) => text.split(" ")[0])).toEqual(
    ["1", "2"].map((instance) => `127.0.0.1:${port.replace("%i", instance)}`),
  )
  const folder = await createStoreFolder()
  const free = `${pickFreePort()}`
  const [program, ...args] = line.replace(port, free).split(" ")
  const launcher = [program ?? "", ...args.slice(0, -2), ...launchers.bun] as const
  const running = await startServer(folder, { PORT: `${pickFreePort()}` }, "serve", launcher)
  expect(running.url).toBe(`http://127.0.0.1:${free}`)
  await running.stop()
  rmSync(folder, { recursive: true })
})

test("the settings of docs/install.md are accepted, and name the server's writable folder", () => {
  const [, lines = ""] = /^cat > \S+pazar\.env <<'END'\n(.*?)\nEND$/ms.exec(installGuide) ?? []
  const settings = Object.fromEntries(lines.split("\n").map((pair) => pair.split("=", 2)))
  expect(server).toContain(`ReadWritePaths=-${settings.PAZAR_BACKUP_DIR}\n`)
  expect(problemsOf({ ...settings, PAZAR_BACKUP_DIR: deployFolder })).toEqual([])
  expect(settings.DATABASE_URL).toStartWith(`sqlite:/var/lib/${settingOf("StateDirectory")}/`)
})

test("the runtime can compile code, and nothing runs as root", () => {
  expect(services.length).toBeGreaterThan(1)
  for (const path of services) {
    expect(readDeployFile(path)).not.toMatch(/^MemoryDenyWriteExecute=/m)
    expect(readDeployFile(path)).toMatch(/^User=pazar$/m)
  }
})

test("the pull runs as its unit says, and exits in time when it is stopped", async () => {
  const unit = readDeployFile("systemd/pazar-pull.service")
  const [, command = ""] = /^ExecStart=(.*)$/m.exec(unit) ?? []
  const [, options = ""] = /^PULL_OPTIONS='(.*)'$/m.exec(installGuide) ?? []
  expect([command.endsWith(" $PULL_OPTIONS"), options]).toEqual([true, "--max-refused 100"])
  const folder = await createStoreFolder()
  const settings = (await storeOf(folder)) ?? { DATABASE_URL: `sqlite:${folder}/data/pazar.db` }
  const store = new Database(join(folder, "store.db"))
  store.run("CREATE TABLE users (username)")
  store.close()
  const accounts = "SELECT username FROM users WHERE '2026-01-01' >= :since"
  writeFileSync(
    join(folder, "pull.json"),
    JSON.stringify({ connection: { url_env: "SHOP_DATABASE_URL" }, accounts }),
  )
  const child = Bun.spawn(
    command
      .replace("/usr/local/bin/pazar", join(root, "bin/pazar.mjs"))
      .replaceAll("/etc/pazar/", `${folder}/`)
      .replace("$PULL_OPTIONS", options)
      .split(" "),
    {
      env: { ...plainEnvironment, ...settings, SHOP_DATABASE_URL: "sqlite:store.db" },
      cwd: folder,
      stderr: "ignore",
    },
  )
  const { value } = await child.stdout.getReader().read()
  expect(new TextDecoder().decode(value)).toStartWith('{"accepted":0,')
  child.kill("SIGTERM")
  expect(await child.exited).toBe(0)
  rmSync(folder, { recursive: true })
})

test("the server and a command create a backup although the unit forbids a lower priority", async () => {
  expect(server).toMatch(/^SystemCallFilter=~.*@resources/m)
  const folder = temporaryFolder()
  const env = { DATABASE_URL: `sqlite:${join(folder, "data/pazar.db")}` }
  await createStore(folder, env)
  const backups = join(folder, "backups")
  mkdirSync(backups)
  const filtered = ["python3", join(faults, "without-setpriority.py"), ...launchers.bun] as const
  const byCommand = await runPazar(folder, ["backup", join(folder, "copy.db")], {
    env,
    launcher: filtered,
  })
  expect(byCommand).toMatchObject({ status: 0 })
  const settings = { ...env, PAZAR_BACKUP_DIR: backups }
  const running = await startServer(folder, settings, "serve", filtered)
  await until(() => readdirSync(backups).find((name) => name.endsWith(".db")))
  await running.stop()
  rmSync(folder, { recursive: true })
})

describe("systemd", () => {
  const analyze = async (...args: string[]) => {
    const child = Bun.spawn(["systemd-analyze", ...args], { stdout: "ignore", stderr: "pipe" })
    return { stderr: await child.stderr.text(), status: await child.exited }
  }

  test("can parse all units", async () => {
    const { stderr } = await analyze("verify", ...services.map((path) => join(deployFolder, path)))
    const complaints = stderr
      .split("\n")
      .filter((line) => line.includes("pazar") && !line.includes("pazar is not executable"))
    expect(complaints).toEqual([])
  })

  test.each(services)("rates the exposure of %s below 2.0", async (path) => {
    const { status } = await analyze(
      ...["security", "--offline=true", "--threshold=20", join(deployFolder, path)],
    )
    expect(status).toBe(0)
  })
})
