import { afterEach, beforeEach, expect, test } from "bun:test"
import { overdue } from "../../../tests/contracts/events/endpoint-records.ts"
import { account } from "../../../tests/contracts/records.ts"
import { createClock } from "../../../tests/harness/clock.ts"
import { type Program, startProgram } from "../../../tests/harness/program.ts"
import { queryStore } from "../../../tests/harness/stores/stored-rows.ts"
import { type ListedEndpoint, waitingMessagesMax } from "../../domain/events/endpoint.ts"
import { deliveriesMax } from "../../domain/events/message.ts"
import { commandLine } from "../../domain/sign-in/audit-event.ts"
import { RefusedError } from "../../domain/values/error.ts"
import { requireAccount } from "../catalogue/accounts.ts"
import { thinDeliveries } from "../running/forget-expired.ts"
import {
  changeEndpoint,
  createEndpoint,
  type EndpointServices,
  findDelivery,
  findOwnEndpoint,
  replaceEndpointSecret,
  resendMessage,
  revealEndpointSecret,
  sendTestEvent,
  turnEndpointOff,
  turnEndpointOn,
} from "./endpoints.ts"

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
  const made = await createEndpoint(services, await ada(), { url, events: [] })
  own = made.endpoint
  secret = made.secret
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

test("a secret is shown again, and replaced with an overlap of a day", async () => {
  expect(await revealEndpointSecret(services, own)).toBe(secret)
  const fresh = await replaceEndpointSecret(services, own)
  const replaced = await find()
  expect(await revealEndpointSecret(services, replaced)).toBe(fresh ?? "")
  const { sealed, until } = replaced.oldSecret ?? { sealed: new Uint8Array(), until: "" }
  expect(services.endpointVault.unseal(sealed, own.id)).toBe(secret)
  expect(Date.parse(until) - clock.now().getTime()).toBe(86_400_000)
  expect(await audit()).toEqual([`replaced ${url}`, `revealed ${url}`, `created ${url}`])
})

test("address and events are changed; the audit shows no query", async () => {
  const changed = { url: `${url}?token=secret`, events: ["key.leaked"] }
  await changeEndpoint(services, own, changed)
  expect(await find()).toMatchObject(changed)
  expect((await audit())[0]).toBe(`changed ${url}`)
  await expect(changeEndpoint(services, own, { url, events: ["pull.overdue"] })).rejects.toThrow(
    RefusedError,
  )
})

test("to an endpoint that is off nothing is sent until it is turned on", async () => {
  const id = await sendTestEvent(services, own)
  await turnEndpointOff(services, own)
  const off = await find()
  expect(off).toMatchObject({ off: { reason: "owner" }, waiting: 1 })
  await expect(sendTestEvent(services, off)).rejects.toThrow(RefusedError)
  await expect(resendMessage(services, off, id)).rejects.toThrow(RefusedError)
  await turnEndpointOn(services, off)
  expect(await find()).toMatchObject({ off: null, waiting: 1 })
  expect((await audit()).slice(0, 2)).toEqual([`turned_on ${url}`, `turned_off ${url}`])
})

test("what is repeated within a minute is one entry of the audit", async () => {
  for (let nth = 0; nth < 3; nth += 1) {
    await turnEndpointOff(services, await find())
    await turnEndpointOn(services, await find())
  }
  const entries = [`turned_on ${url}`, `turned_off ${url}`]
  expect(await audit()).toEqual([...entries, `created ${url}`])
  clock.forward(61)
  await turnEndpointOff(services, await find())
  await turnEndpointOn(services, await find())
  expect(await audit()).toEqual([...entries, ...entries, `created ${url}`])
})

test("deliveries that are no longer kept leave no event behind", async () => {
  const owner = { id: (await ada()).id, username: "ada" }
  const { messages } = program.app.store
  for (let nth = 0; nth < deliveriesMax + 5; nth += 1) {
    await messages.announce(overdue(`${nth}`, { account: owner }))
  }
  while ((await messages.giveUp(own.id, 500)) > 0);
  await thinDeliveries(messages, { pause: async () => {} })
  expect((await messages.list(own.id, null, 2_000)).length).toBe(deliveriesMax)
  const [row] = await queryStore<{ events: number }>(
    program,
    "SELECT count(*) AS events FROM webhook_events",
  )
  expect(Number(row?.events)).toBe(deliveriesMax)
})

test("to one that is full or gone nothing is sent", async () => {
  const { endpoints } = program.app.store
  const id = "ep_full"
  await endpoints.insert({ ...own, id, waiting: waitingMessagesMax })
  const full = { ...own, id }
  await expect(sendTestEvent(services, full)).rejects.toThrow(RefusedError)
  expect((await endpoints.find(id))?.waiting).toBe(waitingMessagesMax)
  await endpoints.remove(id, "2026-06-03T08:00:00Z")
  await expect(sendTestEvent(services, full)).rejects.toThrow(RefusedError)
  await expect(resendMessage(services, own, "msg_none")).rejects.toThrow(RefusedError)
})

test("one that was full gives up what waited when it is turned on", async () => {
  const owner = { id: (await ada()).id, username: "ada" }
  for (const name of ["a", "b"]) {
    await program.app.store.messages.announce(overdue(name, { account: owner }))
  }
  await program.app.store.endpoints.turnOff(own.id, "2026-06-03T08:00:00Z", "full")
  await turnEndpointOn(services, await find())
  expect(await find()).toMatchObject({ off: null, waiting: 0 })
  const states = (await program.app.store.messages.list(own.id, null, 10)).map(({ state }) => state)
  expect(states).toEqual(["failed", "failed"])
})

test("a delivery is shown with its body, and only to its own endpoint", async () => {
  const id = await sendTestEvent(services, own)
  const reading = { ...services, eventVault: program.app.eventVault }
  const found = await findDelivery(reading, own, id)
  expect(found?.delivery).toMatchObject({ id, state: "waiting", type: "endpoint.test" })
  expect(JSON.parse(found?.body ?? "")).toMatchObject({ data: { endpoint_id: own.id } })
  const other = await createEndpoint(services, null, { url, events: [] })
  expect(await findDelivery(reading, other.endpoint, id)).toBeNull()
})
