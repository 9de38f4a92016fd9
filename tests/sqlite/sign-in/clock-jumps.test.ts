/** The machine's clock is set back by an hour or ahead by two: nothing lives longer, nothing is refused for it. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { createSteadyClock, type SteadyClock } from "../../../src/domain/running/steady-clock.ts"
import { commandLine } from "../../../src/domain/sign-in/audit-event.ts"
import { secondsAfter } from "../../../src/domain/values/time/timestamp.ts"
import { requireAccount } from "../../../src/operations/catalogue/accounts.ts"
import { issueKey } from "../../../src/operations/keys/issue-key.ts"
import { account, item } from "../../contracts/records.ts"
import { givePassword, samplePassword } from "../../harness/browser/sample-workspace.ts"
import { openVisitor, type Visitor } from "../../harness/browser/visitor.ts"
import { createMachine, type Machine } from "../../harness/machine-clocks.ts"
import { type Program, startProgram } from "../../harness/program.ts"

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const token = "operator-token-of-32-characters-or-more"

let machine: Machine
let clock: SteadyClock
let program: Program
let author: Visitor
beforeEach(async () => {
  machine = createMachine(Date.parse("2026-06-15T12:00:00Z"))
  clock = createSteadyClock(machine.clocks)
  const env = { LOG_LEVEL: "silent", PAZAR_OPERATOR_TOKEN: token }
  program = await startProgram(env, {}, undefined, clock.now)
  await program.load([account("ada"), item("ada", 1)])
  await givePassword(program, "ada")
  author = openVisitor(program.url)
  await author.signIn("ada")
})
afterEach(() => program.close())

const isSignedIn = async () => (await author.get("/workspace")).status === 200

/** A key that expires `minutes` from now. */
async function issueFor(minutes: number): Promise<string> {
  const owner = await requireAccount(program.app.store.accounts, "ada")
  const expiresAt = secondsAfter(clock.now(), minutes * 60)
  const options = { kind: "sk", name: "Test", itemIds: null, expiresAt } as const
  return (await issueKey(program.app.keyServices(commandLine), owner, options)).secret
}
async function reasonOf(secret: string): Promise<string | null> {
  const response = await fetch(`${program.url}/api/account/details?api_key=${secret}`)
  return response.headers.get("pazar-reason")
}
/** The path of a new link. */
async function makeLink(): Promise<string> {
  const headers = { Authorization: `Bearer ${token}` }
  const init = { method: "POST", headers, body: '{"username":"ada"}' }
  const text = await (await fetch(`${program.url}/operator/links`, init)).text()
  return new URL(JSON.parse(text).url).pathname
}
const isLinkGood = async (path: string) => (await openVisitor(program.url).get(path)).status === 200
const guess = async () => (await openVisitor(program.url).signIn("ada", "a wrong one")).status

describe("an hour back", () => {
  test("a session ends after 12 hours without use, and not before", async () => {
    machine.jump(-hourMs)
    machine.pass(11 * hourMs)
    expect(await isSignedIn()).toBe(true)
    machine.jump(-hourMs)
    machine.pass(12 * hourMs + minuteMs)
    expect(await isSignedIn()).toBe(false)
  })

  test("a key and a link expire on time, and those that were expired stay so", async () => {
    const [expired, short, long] = [await issueFor(1), await issueFor(20), await issueFor(40)]
    const oldLink = await makeLink()
    machine.pass(3 * minuteMs)
    machine.jump(-hourMs)
    expect(await Promise.all([expired, short, long].map(reasonOf))).toEqual([
      "expired_key",
      "ok",
      "ok",
    ])
    const newLink = await makeLink()
    expect([await isLinkGood(oldLink), await isLinkGood(newLink)]).toEqual([false, true])
    machine.pass(30 * minuteMs)
    expect([await reasonOf(short), await reasonOf(long)]).toEqual(["expired_key", "ok"])
    expect(await isLinkGood(newLink)).toBe(false)
  })

  test("a password counts for five minutes, and wrong ones for ten", async () => {
    for (let tries = 0; tries < 30; tries += 1) await guess()
    machine.jump(-hourMs)
    expect(await guess()).toBe(429)
    machine.pass(6 * minuteMs)
    const asked = await author.submit("/workspace/settings/keys", {
      form_id: "made-after-the-jump",
      kind: "sk",
      name: "New",
    })
    expect(asked.status).toBe(422)
    expect(asked.text).toContain('type="password"')
    machine.pass(5 * minuteMs)
    expect((await openVisitor(program.url).signIn("ada", samplePassword)).status).toBe(303)
  })
})

describe("two hours ahead", () => {
  test("ends what has expired by the new time, and nothing else", async () => {
    const [short, long] = [await issueFor(60), await issueFor(180)]
    machine.jump(2 * hourMs)
    expect([await reasonOf(short), await reasonOf(long)]).toEqual(["expired_key", "ok"])
    expect(await isSignedIn()).toBe(true)
    expect(await isLinkGood(await makeLink())).toBe(true)
  })
})
