import { afterAll, beforeAll, expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { requireAccount } from "../../src/accounts/account-operations.ts"
import { createPasswordHasher } from "../../src/people/password.ts"
import { setPassword } from "../../src/people/security-operations.ts"
import { findOrCreateOwner } from "../../src/people/sign-in-operations.ts"
import { openVisitor } from "../harness/browser/visitor.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, type Line, purchase, toFeed } from "../harness/records.ts"
import { type RunningCommand, runPazar, spawnPazar } from "../harness/run-pazar.ts"
import { until, workMsMax } from "../harness/until.ts"

const token = "operator-token-of-this-test-0123456789"
const password = "three unrelated words"
let program: Program
beforeAll(async () => {
  program = await startProgram({ LOG_LEVEL: "silent", PAZAR_OPERATOR_TOKEN: token })
  await program.load([account("ada"), item("ada", 1)])
  const { store, now } = program.app
  const ada = await findOrCreateOwner(
    { ...store, now },
    await requireAccount(store.accounts, "ada"),
  )
  await setPassword({ ...store, hasher: createPasswordHasher() }, ada, password)
})
afterAll(() => program.close())

let sales = 0
const nextSale = () => purchase(`sale-${++sales}`, 1)

async function push(lines: readonly Line[]) {
  const { status, headers } = await fetch(`${program.url}/operator/feed`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}` },
    body: toFeed(lines),
  })
  return { status, retryAfter: headers.get("retry-after") }
}

async function sendRequest(key: string) {
  const { status, headers } = await fetch(`${program.url}/api/items/all?api_key=${key}`)
  return [status, headers.get("pazar-reason")]
}

/** Expects reads, pushes, sign-ins and revocations to work while `running` is running. */
async function expectLife(running: RunningCommand): Promise<void> {
  const { key, secret } = await program.issue("ada")
  const times = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: 8 }, work))
  const pushing = Promise.all([push([nextSale()]), push([nextSale()])])
  expect(new Set((await times(() => sendRequest(secret))).flat())).toEqual(new Set([200, "ok"]))
  expect(await pushing).toEqual([
    { status: 200, retryAfter: null },
    { status: 200, retryAfter: null },
  ])
  expect((await openVisitor(program.url).signIn("ada", password)).location).toBe("/workspace")
  expect(await runPazar(program.folder, ["key", "revoke", key.id])).toMatchObject({ status: 0 })
  await until(async () => ((await sendRequest(secret))[1] === "revoked_key" ? true : undefined))
  expect(running.child.exitCode).toBeNull()
}

test("during a dry run, which has the same verdicts as an import", async () => {
  const bad = purchase("bad", 2, { currency: "EURO" })
  const [first, second] = [
    [item("ada", 2), bad, purchase("of-2", 2)],
    [purchase("also-of-2", 2), bad],
  ]
  const running = await spawnPazar(program.folder, ["import", "--dry-run", "-"])
  running.child.stdin?.write(toFeed(first))
  await until(() => (running.stderr().includes("line 2:") ? true : undefined), workMsMax)
  await expectLife(running)
  running.child.stdin?.end(toFeed(second))
  const { status, stdout, stderr } = await running.ended
  expect(await program.dump()).not.toContain("of-2")
  const input = toFeed([...first, ...second])
  const real = await runPazar(program.folder, ["import", "-"], { input })
  const { accepted, rejected } = JSON.parse(real.stdout)
  expect([accepted, rejected]).toEqual([3, 2])
  expect([status, JSON.parse(stdout), stderr]).toEqual([
    real.status,
    {
      accepted,
      adjusted: 0,
      waiting: 0,
      rejected,
      removed: 0,
      revoked: 0,
      restored: 0,
      seconds: expect.any(Number),
    },
    `${real.stderr}dry run: no changes were saved\n`,
  ])
})

test("during an import without pauses", async () => {
  const running = await spawnPazar(program.folder, ["import", "-"])
  const { stdin } = running.child
  if (stdin === null) throw new Error("the command has no standard input")
  let isEnough = false
  const feeding = (async () => {
    while (!isEnough) {
      const lines = Array.from({ length: 500 }, nextSale)
      if (!stdin.write(toFeed(lines))) await new Promise((resolve) => stdin.once("drain", resolve))
    }
    stdin.end()
  })()
  await until(async () => ((await lineOf("-")) > 0 ? true : undefined), workMsMax)
  await expectLife(running)
  isEnough = true
  await feeding
  expect((await running.ended).status).toBe(0)
})

const lineOf = async (source: string) =>
  (await program.app.store.feed.findLastRun(source))?.line ?? 0

test("while a strict import is written", async () => {
  // An import that ends before the push proves nothing, so another one is started.
  for (let round = 0, isUnderWay = false; !isUnderWay; round += 1) {
    const path = join(program.folder, `strict-${round}.ndjson`)
    writeFileSync(path, toFeed(Array.from({ length: 20_000 }, nextSale)))
    const running = await spawnPazar(program.folder, ["import", "--strict", path])
    await until(async () => ((await lineOf(path)) > 0 ? true : undefined), workMsMax)
    const { key, secret } = await program.issue("ada")
    const requests = Array.from({ length: 8 }, () => sendRequest(secret))
    expect(await push([nextSale()])).toEqual({ status: 200, retryAfter: null })
    isUnderWay = (await program.app.store.feed.findLastRun(path))?.finishedAt === null
    expect(new Set((await Promise.all(requests)).flat())).toEqual(new Set([200, "ok"]))
    expect(await runPazar(program.folder, ["key", "revoke", key.id])).toMatchObject({ status: 0 })
    await until(async () => ((await sendRequest(secret))[1] === "revoked_key" ? true : undefined))
    expect((await running.ended).status).toBe(0)
  }
})
