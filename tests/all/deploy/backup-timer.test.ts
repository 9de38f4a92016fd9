/** The timer in deploy/systemd, whose command is run as it stands there. */
import { afterAll, expect, test } from "bun:test"
import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createStore, plainEnvironment } from "../../harness/command.ts"
import { readDeployFile, root } from "../../harness/deploy-files.ts"
import { temporaryFolder } from "../../harness/program.ts"

const unit = readDeployFile("systemd/pazar-backup.service")
const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true }))

/** With the folders of a server replaced by those of the test; systemd writes %% for % and $$ for $. */
function commandOf(name: string): string {
  const [, command = ""] = new RegExp(`^${name}=(.*)$`, "m").exec(unit) ?? []
  return command
    .replaceAll("%%", "%")
    .replaceAll("$$", () => "$")
    .replaceAll("/var/backups/pazar", join(folder, "backups"))
    .replaceAll("/usr/local/bin/pazar", join(root, "bin/pazar.mjs"))
}

async function run(command: string): Promise<number> {
  const settings = {
    DATABASE_URL: `sqlite:${join(folder, "data/pazar.db")}`,
    PAZAR_MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
  }
  await createStore(folder, settings)
  const env = { ...plainEnvironment, ...settings }
  return Bun.spawn(["sh", "-c", command], { cwd: root, env, stderr: "ignore" }).exited
}

test("makes a backup with the day in its name, twice a day too, and removes old ones", async () => {
  const place = join(folder, "backups")
  mkdirSync(place)
  const longAgo = new Date(Date.now() - 16 * 86_400_000)
  for (const name of ["pazar-2020-01-01.db", "other.txt"]) {
    writeFileSync(join(place, name), "")
    utimesSync(join(place, name), longAgo, longAgo)
  }
  expect(await run(commandOf("ExecStart"))).toBe(0)
  expect(await run(commandOf("ExecStart"))).toBe(0)
  expect(await run(commandOf("ExecStartPost"))).toBe(0)
  const [other, ...made] = readdirSync(place).toSorted()
  expect(other).toBe("other.txt")
  expect(made.every((name) => /^pazar-\d{4}-\d\d-\d\d\.db$/.test(name))).toBe(true)
  expect(made.length).toBeGreaterThan(0)
})
