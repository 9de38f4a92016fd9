import { afterAll, beforeAll, expect, test } from "bun:test"
import { requireAccount } from "../../src/accounts/account-operations.ts"
import { startQuietWorkspace } from "../harness/browser/sample-workspace.ts"
import {
  type Fields,
  hiddenField,
  keyIdOn,
  openSignedIn,
  type Visitor,
} from "../harness/browser/visitor.ts"
import type { Program } from "../harness/program.ts"
import { lockStore, storeState } from "../harness/stores/stored-rows.ts"
import { until } from "../harness/until.ts"

const keysPath = "/workspace/elif/settings/keys"
let program: Program
let elif: Visitor
let token: string

beforeAll(async () => {
  program = await startQuietWorkspace()
  elif = await openSignedIn(program.url, "elif")
  token = await elif.formToken()
})
afterAll(() => program.close())

const keyCount = async () => {
  const { id } = await requireAccount(program.app.store.accounts, "elif")
  return (await program.app.store.keys.list(id)).length
}

async function sendTwice(path: string, fields: Fields) {
  const before = await keyCount()
  const first = await elif.post(path, fields)
  const again = await elif.post(path, fields)
  const created = (await keyCount()) - before
  expect(again.location).toBe(`${keysPath}/${keyIdOn(first.text)}`)
  return { first: first.status, again: again.status, created }
}

test("a key is created once", async () => {
  const page = await elif.get(`${keysPath}/new`)
  const form_id = hiddenField(page.text, "form_id") ?? ""
  const fields = { form_token: token, form_id, kind: "sk", name: "Mine" }
  expect(await sendTwice(`${keysPath}/new`, fields)).toEqual({ first: 200, again: 303, created: 1 })
})

test("a key is rotated once, and not again by another form: the new key would inherit the expiry", async () => {
  const { key } = await program.issue("elif")
  const path = `${keysPath}/${key.id}/replace`
  const page = await elif.get(path)
  const form_id = hiddenField(page.text, "form_id") ?? ""
  const fields = { form_token: token, form_id, overlap: "1h" }
  expect(await sendTwice(path, fields)).toEqual({ first: 200, again: 303, created: 1 })
  const before = await storeState(program)
  const other = await elif.post(path, { ...fields, form_id: "another0000000000" })
  expect([other.status, other.location]).toEqual([303, `${keysPath}/${key.id}`])
  expect(await storeState(program)).toEqual(before)
  const form = await elif.get(path)
  expect([form.status, form.location]).toEqual([303, `${keysPath}/${key.id}`])
})

test("a key is created once if both requests arrive while the database is busy", async () => {
  const before = await keyCount()
  const fields = { form_token: token, form_id: "twice00000000000", kind: "sk", name: "Mine" }
  const [one, other] = await until(async () => {
    const letGo = await lockStore(program)
    const sent = [elif.post(`${keysPath}/new`, fields), elif.post(`${keysPath}/new`, fields)]
    await Bun.sleep(100)
    await letGo()
    const responses = await Promise.all(sent)
    // A request waits for at most one second; on a stalled machine the test sends it again.
    return responses.some(({ status }) => status === 503) ? undefined : responses
  })
  expect([one?.status, other?.status].toSorted()).toEqual([200, 303])
  expect((await keyCount()) - before).toBe(1)
})

test("a repeated revocation is recorded once", async () => {
  const { key } = await program.issue("elif")
  const revoke = () => elif.post(`${keysPath}/${key.id}/revoke`, { form_token: token })
  expect([(await revoke()).status, (await revoke()).status]).toEqual([303, 303])
  const events = await program.app.store.audit.list(
    { accountId: key.accountId, kind: "key" },
    null,
    100,
  )
  const traces = events.filter(({ subjectId }) => subjectId === key.id).map(({ action }) => action)
  expect(traces).toEqual(["revoked", "created"])
})
