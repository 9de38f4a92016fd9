import { afterEach, beforeEach, expect, test } from "bun:test"
import { createClock } from "../../tests/harness/clock.ts"
import { overdue } from "../../tests/harness/endpoint-records.ts"
import { type Program, startProgram } from "../../tests/harness/program.ts"
import { account } from "../../tests/harness/records.ts"
import { queryStore } from "../../tests/harness/stores/stored-rows.ts"
import { commandLine } from "../access/actor.ts"
import { requireAccount } from "../accounts/account-operations.ts"
import { UserError } from "../platform/error.ts"
import { deliveriesMax } from "./delivery.ts"
import {
  changeEndpoint,
  createEndpoint,
  disableEndpoint,
  disableFull,
  type EndpointServices,
  enableEndpoint,
  findDelivery,
  findOwnEndpoint,
  redeliverMessage,
  revealEndpointSecret,
  rotateEndpointSecret,
  sendTestEvent,
} from "./endpoint-operations.ts"
import type { ListedEndpoint } from "./webhook.ts"

let program: Program
let services: EndpointServices
let own: ListedEndpoint
let secret = ""
const clock = createClock()
const url = "https://shop.example.com/hook"

beforeEach(async () => {
  program = await startProgram({ LOG_LEVEL: "silent" })
  await program.load([account("ada"), account("bora")])
  services = { ...program.app.endpointServices(commandLine), now: clock.now }
  const created = await createEndpoint(services, await ada(), { url, events: [] })
  own = created.endpoint
  secret = created.secret
})
afterEach(() => program.close())

const ada = () => requireAccount(program.app.store.accounts, "ada")
const find = async () => {
  const found = await program.app.store.endpoints.find(own.id)
  if (found === null) throw new Error("the endpoint is gone")
  return found
}
const audit = async () =>
  (await program.app.store.audit.list({ accountId: null, kind: "webhook" }, null, 10)).map(
    ({ action, subjectName }) => `${action} ${subjectName}`,
  )

test("another owner's endpoint is not found", async () => {
  const { id } = await ada()
  expect(await findOwnEndpoint(services, id, own.id)).toMatchObject({ id: own.id })
  expect(await findOwnEndpoint(services, id + 1, own.id)).toBeNull()
  expect(await findOwnEndpoint(services, null, own.id)).toBeNull()
})

test("a secret can be revealed, and rotated with an overlap period of a day", async () => {
  expect(await revealEndpointSecret(services, own)).toBe(secret)
  const fresh = await rotateEndpointSecret(services, own)
  const replaced = await find()
  expect(await revealEndpointSecret(services, replaced)).toBe(fresh ?? "")
  const { encrypted, until } = replaced.oldSecret ?? { encrypted: new Uint8Array(), until: "" }
  expect(services.endpointCipher.decrypt(encrypted, own.id)).toBe(secret)
  expect(Date.parse(until) - clock.now().getTime()).toBe(86_400_000)
  expect(await audit()).toEqual([`replaced ${url}`, `revealed ${url}`, `created ${url}`])
})

test("URL and events are changed; the audit log contains no query", async () => {
  const changed = { url: `${url}?token=secret`, events: ["key.leaked"] }
  await changeEndpoint(services, own, changed)
  expect(await find()).toMatchObject(changed)
  expect((await audit())[0]).toBe(`changed ${url}`)
  await expect(changeEndpoint(services, own, { url, events: ["pull.overdue"] })).rejects.toThrow(
    UserError,
  )
})

test("nothing is sent to a disabled endpoint until it is enabled", async () => {
  const id = await sendTestEvent(services, own)
  await disableEndpoint(services, own)
  const disabled = await find()
  expect(disabled).toMatchObject({ disabled: { reason: "owner" }, pendingMessages: 1 })
  await expect(sendTestEvent(services, disabled)).rejects.toThrow(UserError)
  await expect(redeliverMessage(services, disabled, id)).rejects.toThrow(UserError)
  await enableEndpoint(services, disabled)
  expect(await find()).toMatchObject({ disabled: null, pendingMessages: 1 })
  expect((await audit()).slice(0, 2)).toEqual([`turned_on ${url}`, `turned_off ${url}`])
})

test("repetitions within a minute are one audit event", async () => {
  for (let nth = 0; nth < 3; nth += 1) {
    await disableEndpoint(services, await find())
    await enableEndpoint(services, await find())
  }
  const entries = [`turned_on ${url}`, `turned_off ${url}`]
  expect(await audit()).toEqual([...entries, `created ${url}`])
  clock.forward(61)
  await disableEndpoint(services, await find())
  await enableEndpoint(services, await find())
  expect(await audit()).toEqual([...entries, ...entries, `created ${url}`])
})

test("expired deliveries are deleted with their events", async () => {
  const owner = { id: (await ada()).id, username: "ada" }
  const { messages } = program.app.store
  for (let nth = 0; nth < deliveriesMax + 5; nth += 1) {
    await messages.enqueue(overdue(`${nth}`, { account: owner }))
  }
  while ((await messages.failPending(own.id, 500)) > 0);
  for (let after: string | null = ""; after !== null; ) after = await messages.prune(after, 300)
  expect((await messages.list(own.id, null, 2_000)).length).toBe(deliveriesMax)
  const [row] = await queryStore<{ events: number }>(
    program,
    "SELECT count(*) AS events FROM webhook_events",
  )
  expect(Number(row?.events)).toBe(deliveriesMax)
})

test("nothing is sent to a removed endpoint", async () => {
  await program.app.store.endpoints.remove(own.id, "2026-06-03T08:00:00Z")
  await expect(sendTestEvent(services, own)).rejects.toThrow(UserError)
  await expect(redeliverMessage(services, own, "msg_none")).rejects.toThrow(UserError)
})

test.each([
  ["a burst", 999_999, null, false],
  ["too many messages", 1_000_000, null, true],
  ["an endpoint that failed for less than an hour", 100_000, 59, false],
  ["an endpoint that failed for an hour", 100_000, 60, true],
  ["a few messages of such an endpoint", 99_999, 60, false],
])("full endpoints are disabled: %s", async (_, pendingMessages, failingMinutes, isFull) => {
  const failingSinceMs =
    failingMinutes === null ? null : services.now().getTime() - failingMinutes * 60_000
  const count = { endpointId: own.id, isSuspended: false, pendingMessages, failingSinceMs }
  const messages = { ...program.app.store.messages, countPending: async () => [count] }
  expect(await disableFull({ ...services, messages })).toBe(isFull ? 0 : pendingMessages)
  expect((await find()).disabled?.reason).toBe(isFull ? "full" : undefined)
})

test("pending messages of a full endpoint fail when it is enabled", async () => {
  const owner = { id: (await ada()).id, username: "ada" }
  for (const name of ["a", "b"]) {
    await program.app.store.messages.enqueue(overdue(name, { account: owner }))
  }
  await program.app.store.endpoints.disable(own.id, "2026-06-03T08:00:00Z", "full")
  await enableEndpoint(services, await find())
  expect(await find()).toMatchObject({ disabled: null, pendingMessages: 0 })
  const states = (await program.app.store.messages.list(own.id, null, 10)).map(({ state }) => state)
  expect(states).toEqual(["failed", "failed"])
})

test("a delivery is shown with its body, and only to its own endpoint", async () => {
  const id = await sendTestEvent(services, own)
  const reading = { ...services, eventCipher: program.app.eventCipher }
  const found = await findDelivery(reading, own, id)
  expect(found?.delivery).toMatchObject({ id, state: "waiting", type: "endpoint.test" })
  expect(JSON.parse(found?.body ?? "")).toMatchObject({ data: { endpoint_id: own.id } })
  const other = await createEndpoint(services, null, { url, events: [] })
  expect(await findDelivery(reading, other.endpoint, id)).toBeNull()
})
