import { afterAll, beforeAll, expect, test } from "bun:test"
import { commandLine } from "../../src/access/actor.ts"
import { requireAccount } from "../../src/accounts/account-operations.ts"
import { t } from "../../src/platform/t.ts"
import { createEndpoint } from "../../src/webhooks/endpoint-operations.ts"
import { givePassword, samplePassword } from "../harness/browser/sample-workspace.ts"
import { hiddenField, openSignedIn, type Visitor } from "../harness/browser/visitor.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item } from "../harness/records.ts"
import { openNewOperator } from "../harness/test-operators.ts"
import { until } from "../harness/until.ts"
import { loopbackIpRanges, openReceiver } from "../harness/webhook-receiver.ts"

const path = "/workspace/ada/settings/webhooks"
const receiver = openReceiver()
let program: Program
let ada: Visitor

beforeAll(async () => {
  program = await startProgram(loopbackIpRanges, { webhookReceiver: receiver.url })
  await program.load([account("ada"), account("bora"), item("ada", 1)])
  await givePassword(program, "ada")
  ada = await openSignedIn(program.url, "ada")
  program.startHousekeeping()
})
afterAll(async () => {
  await program.close()
  await receiver.close()
})

const submit = (to: string, fields: Readonly<Record<string, string>> = {}) =>
  ada.submit(to, fields, `${path}/new`)
async function add(visitor: Visitor, to: string, fields: Readonly<Record<string, string>>) {
  const { text } = await visitor.get(`${to}/new`)
  const hidden = (name: string) => hiddenField(text, name) ?? ""
  const [form_token, form_id] = [hidden("form_token"), hidden("form_id")]
  return visitor.post(to, { form_token, form_id, ...fields })
}
const secretIn = (html: string) => /whsec_[\w+/=]+/.exec(html)?.[0] ?? null
const findOwn = async () => {
  const { id } = await requireAccount(program.app.store.accounts, "ada")
  const [endpoint] = await program.app.store.endpoints.list(id)
  if (endpoint === undefined) throw new Error("ada has no endpoint")
  return { endpoint, own: `${path}/${endpoint.id}` }
}

test("an invalid URL is reported beside its field, and the selected values are kept", async () => {
  const { status, text } = await add(ada, path, {
    url: "ftp://a.example",
    events: "key.leaked",
  })
  expect(status).toBe(422)
  expect(text).toContain(`id="url-error">The URL must begin with https://`)
  expect(text).toMatch(/value="key.leaked" checked/)
})

test("422: authors cannot use IP ranges that are allowed for operators", async () => {
  const inside = receiver.url.replace("/hook", "/inside")
  for (const url of [inside, inside.replace("127.0.0.1", "localhost"), "https://127.0.0.1/"]) {
    const { status, text } = await add(ada, path, { url })
    expect([url, status, text.includes('id="url-error"')]).toEqual([url, 422, true])
  }
})

test("an endpoint is created, tested, redelivered to, revealed, rotated, disabled, enabled and removed", async () => {
  const created = await add(ada, path, { url: receiver.url })
  const { endpoint, own } = await findOwn()
  const first = secretIn(created.text)
  receiver.trust(first ?? "")

  await submit(`${own}/test`)
  const event = await until(() => receiver.events()[0])
  expect(event).toMatchObject({ type: "endpoint.test", data: { endpoint_id: endpoint.id } })
  const message = `${own}/messages/${event.id}`
  const delivered = await until(async () => {
    const { text } = await ada.get(message)
    return text.includes("Delivered") ? text : undefined
  })
  expect(delivered).toContain("thanks")

  expect((await submit(`${message}/resend`)).location).toBe(message)
  await until(async () =>
    (await program.app.store.messages.find(event.id))?.delivery.attempts === 2 ? true : undefined,
  )
  expect([receiver.events().length, receiver.problems()]).toEqual([1, []])

  expect(secretIn((await ada.get(own)).text)).toBeNull()
  expect(secretIn((await submit(`${own}/reveal`)).text)).toBe(first)

  const replaces = hiddenField((await ada.get(`${own}/replace`)).text, "replaces") ?? ""
  const { text } = await submit(`${own}/replace`, { replaces })
  const second = secretIn(text)
  expect([null, first]).not.toContain(second)
  expect(text).toContain(
    t("Messages are also signed with the previous secret until {when}.", { when: "" }).slice(0, 20),
  )
  expect((await submit(`${own}/replace`, { replaces })).location).toBe(own)
  expect(secretIn((await submit(`${own}/reveal`)).text)).toBe(second)

  await submit(`${own}/turn-off`)
  expect((await submit(`${own}/test`)).location).toBe(own)
  expect((await ada.get(own)).text).toContain(
    "Disabled manually. Pending messages are sent when you enable it. Events that occur until then are not delivered.",
  )
  await submit(`${own}/turn-on`)
  expect((await findOwn()).endpoint.disabled).toBeNull()

  expect((await ada.get(`${own}/remove`)).text).toContain("Delete the webhook?")
  await submit(`${own}/remove`)
  expect((await ada.get(own)).status).toBe(404)
})

test("a failed endpoint is shown on the overview", async () => {
  await add(ada, path, { url: "https://hooks.example/shop?token=hidden" })
  const { endpoint } = await findOwn()
  await program.app.store.endpoints.disable(endpoint.id, "2026-01-01T00:00:00Z", "failing")
  const { text } = await ada.get("/workspace/ada")
  expect(text).toContain(`href="${path}/${endpoint.id}"`)
  expect(text).not.toContain("token=hidden")
})

test("a form that is submitted twice creates one endpoint, and none without its id", async () => {
  const { endpoint } = await findOwn()
  const list = async () => program.app.store.endpoints.list(endpoint.accountId)
  const before = (await list()).length
  const { text } = await ada.get(`${path}/new`)
  const [form_token = "", form_id = ""] = ["form_token", "form_id"].map(
    (name) => hiddenField(text, name) ?? "",
  )
  const fields = { form_token, form_id, url: "https://twice.example/" }
  const responses = await Promise.all([ada.post(path, fields), ada.post(path, fields)])
  responses.push(await ada.post(path, fields))
  expect(responses.filter(({ text }) => secretIn(text) !== null)).toHaveLength(1)
  const locations = new Set(responses.flatMap(({ location }) => location ?? []))
  expect([...locations]).toEqual([expect.stringMatching(/ep_\w{16}$/)])
  expect((await list()).length).toBe(before + 1)
  const without = await ada.post(path, { form_token, url: fields.url })
  expect([without.status, without.location]).toEqual([303, `${path}/new`])
  const [created = ""] = locations
  await submit(`${created}/remove`)
  expect((await ada.post(path, fields)).status).toBe(303)
  expect((await list()).length).toBe(before)
})

test("404: another author's endpoint and message are indistinguishable from unknown ones", async () => {
  const owner = await requireAccount(program.app.store.accounts, "bora")
  const recording = program.app.endpointServices(commandLine)
  const { endpoint } = await createEndpoint(recording, owner, { url: receiver.url, events: [] })
  const operators = await createEndpoint(recording, null, { url: receiver.url, events: [] })
  const { endpoints, messages } = program.app.store
  await messages.insertTest(endpoint.id, "2026-01-01T00:00:00Z")
  const [message] = (await messages.list(endpoint.id, null, 1)).map(({ id }) => id)
  const { own } = await findOwn()
  const before = await endpoints.find(endpoint.id)
  const theirs = [endpoint.id, operators.endpoint.id].map((id) => `${path}/${id}`)
  for (const page of ["", "/edit", "/reveal", "/replace", "/remove", `/messages/${message}`]) {
    for (const each of theirs) expect((await ada.get(`${each}${page}`)).status).toBe(404)
  }
  expect((await ada.get(`${own}/messages/${message}`)).status).toBe(404)
  const acts = ["reveal", "replace", "remove", "turn-off", "turn-on", "test", "edit"]
  for (const act of [...acts, `messages/${message}/resend`]) {
    const fields = { url: "https://mine.example", password: samplePassword }
    for (const each of theirs) expect((await submit(`${each}/${act}`, fields)).status).toBe(404)
  }
  expect((await submit(`${own}/messages/${message}/resend`)).status).toBe(404)
  // The message may have been delivered since.
  const delivered = { pendingMessages: 0, attemptedAt: null }
  expect({ ...(await endpoints.find(endpoint.id)), ...delivered }).toEqual({
    ...before,
    ...delivered,
  })
})

test("operators have their own endpoints and events, recorded in the audit log", async () => {
  const deniz = await openNewOperator(program, "deniz")
  const created = await add(deniz, "/console/webhooks", { url: receiver.url })
  expect((await deniz.get("/console/webhooks/new")).text).toContain('value="account.invited"')
  expect((await ada.get(`${path}/new`)).text).not.toContain("account.invited")
  expect(secretIn(created.text)).not.toBeNull()
  expect((await deniz.get("/console/audit")).text).toContain("Webhook created")
  const { endpoint } = await findOwn()
  expect((await deniz.get(`/console/webhooks/${endpoint.id}`)).status).toBe(404)
})

test("an admin tests, disables and enables an author's endpoint, without its secret and whole URL", async () => {
  const ceren = await openNewOperator(program, "ceren")
  const { own } = await findOwn()
  const act = (action: string) => ceren.submit(`${own}/${action}`, {}, "/console/webhooks/new")
  await act("turn-on")
  expect((await findOwn()).endpoint.disabled).toBeNull()
  const { location } = await act("test")
  expect(location).toStartWith(`${own}/messages/msg_`)
  expect((await ceren.get(location ?? "")).text).toContain(`action="${location}/resend"`)
  await act("turn-off")
  expect((await findOwn()).endpoint.disabled).toMatchObject({ reason: "owner" })
  const { text } = await ceren.get(own)
  expect(text).toContain('id="deliveries-title"')
  expect(text).not.toMatch(/whsec_|token=/)
  for (const action of ["reveal", "replace", "edit"]) {
    expect((await ceren.get(`${own}/${action}`)).status).toBe(403)
    expect((await act(action)).status).toBe(403)
  }
  for (const other of ["bora", "nobody"])
    expect((await ceren.get(own.replace("/ada/", `/${other}/`))).status).toBe(404)
  const operators = await program.app.store.endpoints.list(null)
  expect(operators.length).toBeGreaterThan(0)
  for (const { id } of operators)
    expect((await ceren.get(`/workspace/ada/settings/webhooks/${id}`)).status).toBe(404)
})

test("deliveries are filtered by state and event type", async () => {
  const { own } = await findOwn()
  await submit(`${own}/turn-on`)
  await submit(`${own}/test`)
  const rows = async (query: string) =>
    [...(await ada.get(`${own}?${query}`)).text.matchAll(/row-link/g)].length
  const all = await rows("")
  expect(all).toBeGreaterThan(0)
  expect(await rows("type=endpoint.test")).toBe(all)
  expect(await rows("type=key.leaked")).toBe(0)
  expect(await rows("state=delivered")).toBe(0)
})

test("429: after ten test events per minute the page reports the limit, and stores nothing", async () => {
  await add(ada, path, { url: "https://hooks.example/many" })
  const { endpoint: first } = await findOwn()
  const all = await program.app.store.endpoints.list(first.accountId)
  const endpoint = all.find(({ url }) => url.endsWith("/many")) ?? first
  const own = `${path}/${endpoint.id}`
  const responses = []
  for (let nth = 0; nth < 12; nth += 1) responses.push(await submit(`${own}/test`))
  const limited = responses.filter(({ status }) => status === 429)
  expect(limited.length).toBeGreaterThanOrEqual(2)
  expect(limited[0]?.text).toContain(
    t("The limit is {max test event|test events} per minute. Wait a minute, then try again.", {
      max: 10,
    }),
  )
  const stored = await program.app.store.messages.list(endpoint.id, null, 100)
  expect(stored.length).toBe(responses.length - limited.length)
  await submit(`${own}/remove`)
})

test("422: an hour later the secret requires the password", async () => {
  const { own } = await findOwn()
  const { people, sessions } = program.app.store
  const owner = await people.findOwner((await findOwn()).endpoint.accountId ?? 0)
  for (const { id } of await sessions.list(owner?.id ?? 0)) {
    await sessions.confirm(id, "2026-01-01T00:00:00Z")
  }
  const confirmation = await submit(`${own}/reveal`)
  expect(confirmation.status).toBe(422)
  expect(confirmation.text).toContain('name="password"')
  expect(secretIn(confirmation.text)).toBeNull()
  const revealed = await submit(`${own}/reveal`, { password: samplePassword })
  expect(secretIn(revealed.text)).not.toBeNull()
})
