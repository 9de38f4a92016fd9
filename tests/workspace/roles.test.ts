import { afterAll, beforeAll, expect, test } from "bun:test"
import { commandLine, type MemberRole, memberRoles, operatorRoles } from "../../src/access/actor.ts"
import { requireAccount } from "../../src/accounts/account-operations.ts"
import { setPassword } from "../../src/people/security-operations.ts"
import { formatTimestamp } from "../../src/platform/time.ts"
import { createEndpoint } from "../../src/webhooks/endpoint-operations.ts"
import { createWorkspace } from "../../src/workspace/workspace.tsx"
import { crawl } from "../harness/browser/crawl.ts"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import {
  addSampleWebhooks,
  givePassword,
  samplePassword,
  startSampleWorkspace,
} from "../harness/browser/sample-workspace.ts"
import {
  openVisitor,
  type PageResponse,
  type Visitor,
  withoutFormTokens,
} from "../harness/browser/visitor.ts"
import { textOf } from "../harness/http/page-views.ts"
import { openTestProvider, type TestProvider } from "../harness/identity-provider.ts"
import type { Program } from "../harness/program.ts"
import { item } from "../harness/records.ts"
import { queryStore } from "../harness/stores/stored-rows.ts"
import { addOperator, openOperator, operatorPassword } from "../harness/test-operators.ts"

/** Members of the account first, then operators who visit it. */
const roles = [
  ...memberRoles.map((role) => `member ${role}` as const),
  ...operatorRoles.map((role) => `operator ${role}` as const),
]
type Role = (typeof roles)[number]

const members: readonly Role[] = ["member owner", "member developer", "member support"]
const setup: readonly Role[] = ["member owner", "member developer"]
const managers: readonly Role[] = [...setup, "operator admin"]
const redelivering: readonly Role[] = [...managers, "operator support"]

/** Every route of a workspace, below /workspace/:username, with the roles that may use it. */
const table: readonly Readonly<{ mayUse: readonly Role[]; routes: readonly string[] }>[] = [
  {
    mayUse: roles,
    routes: [
      ...["GET ", "GET /usage.csv", "GET /search", "POST /search"],
      ...["GET /log", "POST /log", "GET /log.csv", "POST /log.csv"],
      ...["GET /items", "GET /items.csv", "GET /items/:id{[0-9]+}"],
      ...["GET /sales", "POST /sales", "GET /sales.csv", "POST /sales.csv"],
      ...["GET /check", "POST /check", "GET /check/:id"],
      ...["GET /settings", "POST /settings/language"],
    ],
  },
  {
    // The marketplace refunds, not the author.
    mayUse: ["operator admin"],
    routes: ["refund", "take-back"].flatMap((change) =>
      ["GET", "POST"].map((method) => `${method} /check/:id/${change}`),
    ),
  },
  {
    mayUse: members,
    routes: [
      ...["GET /settings/security", "POST /settings/security/password"],
      "POST /settings/security/sessions/:id",
      ...["GET /settings/security/second-factor", "POST /settings/security/second-factor"],
      ...["GET", "POST"].map((method) => `${method} /settings/security/second-factor/confirm`),
      "POST /settings/security/second-factor/off",
      ...["", "/remove"].map((end) => `POST /settings/security/identities${end}`),
      ...["new", ":id/remove"].flatMap((end) =>
        ["GET", "POST"].map((method) => `${method} /settings/security/passkeys/${end}`),
      ),
    ],
  },
  {
    mayUse: [...redelivering, "member support"],
    routes: ["POST /check/:id/release", "POST /check/:id/restore"],
  },
  {
    mayUse: [...redelivering, "operator viewer"],
    routes: [
      ...["GET /settings/keys", "POST /settings/keys"],
      ...["GET /settings/keys.csv", "POST /settings/keys.csv"],
      ...["", "/usage.csv", "/first-call"].map((page) => `GET /settings/keys/:id${page}`),
      ...["", "/:webhook", "/:webhook/messages/:message"].map(
        (page) => `GET /settings/webhooks${page}`,
      ),
      "GET /settings/people",
    ],
  },
  {
    mayUse: redelivering,
    routes: ["POST /settings/webhooks/:webhook/messages/:message/resend"],
  },
  {
    mayUse: managers,
    routes: [
      ...["GET", "POST"].map((method) => `${method} /settings/keys/:id/revoke`),
      "POST /settings/keys/:id/rename",
      ...["POST /items/:id{[0-9]+}/sites", "POST /items/:id{[0-9]+}/keys/:key"],
      "POST /check/:id/limit",
      ...["turn-on", "turn-off", "test", "remove"].map(
        (action) => `POST /settings/webhooks/:webhook/${action}`,
      ),
      "GET /settings/webhooks/:webhook/remove",
    ],
  },
  {
    mayUse: ["member owner", "operator admin"],
    routes: [
      ...["invite", "invitations/:id/withdraw"].map((page) => `POST /settings/people/${page}`),
      ...["GET", "POST"].flatMap((method) =>
        ["role", "remove"].map((page) => `${method} /settings/people/:id/${page}`),
      ),
    ],
  },
  {
    mayUse: setup,
    routes: [
      ...["GET", "POST"].flatMap((method) => [
        ...["/new", "/:id/replace", "/:id/reveal"].map((page) => `${method} /settings/keys${page}`),
        ...["edit", "reveal", "replace"].map(
          (page) => `${method} /settings/webhooks/:webhook/${page}`,
        ),
      ]),
      ...["GET /settings/keys/:id/leak", "GET /settings/webhooks/new", "POST /settings/webhooks"],
    ],
  },
]

let program: Program
let provider: TestProvider
let visitors: Readonly<Record<Role, Visitor>>
let ids: Readonly<Record<"sale" | "movedKey" | "key" | "webhook" | "message" | "member", string>>
const home = "/workspace/elif"
const soldCode = "8f14e45f-ceea-467f-9b2c-1d6f0a7c3e21"

beforeAll(async () => {
  provider = await openTestProvider()
  program = await startSampleWorkspace(provider.env)
  provider.serve(program.url)
  await addSampleWebhooks(program)
  for (const role of ["developer", "support"] as const) await addMember(`member ${role}`, role)
  for (const role of operatorRoles)
    await addOperator(program, `operator ${role}`, operatorPassword, role)
  const opened = roles.map(async (role) => [role, await open(role)] as const)
  // `as`: the list has all roles.
  visitors = Object.fromEntries(await Promise.all(opened)) as typeof visitors

  await program.load([item("marcus", 7_001)])
  const moved = await program.issue("marcus", "vk", [7_001])
  await program.load([item("elif", 7_001, { was_author: "marcus" })])
  const { location } = await visitors["member owner"].submit(`${home}/search`, { q: soldCode })
  const webhook = await addWebhook()
  const { messages } = program.app.store
  await messages.insertTest(webhook, formatTimestamp(program.app.now()))
  const [message] = await messages.list(webhook, null, 1)
  ids = {
    sale: location?.split("/").at(-1) ?? "",
    movedKey: moved.key.id,
    key: (await program.issue("elif")).key.id,
    webhook,
    message: `${webhook}/messages/${message?.id}`,
    member: await addMember("somebody", "support"),
  }
})
afterAll(async () => {
  await program.close()
  await provider.close()
})

async function addMember(name: string, role: MemberRole): Promise<string> {
  const { store, now } = program.app
  const at = now().toISOString()
  const { id } = await requireAccount(store.accounts, "elif")
  await store.people.insert({ name, email: null, createdAt: at })
  const person = await store.people.findByName(name)
  if (person === null) throw new Error(`no ${name}`)
  await setPassword({ ...store, hasher: program.hasher }, person, samplePassword)
  await store.people.putMember(id, person.id, role, at)
  return String(person.id)
}

async function open(role: Role): Promise<Visitor> {
  if (role.startsWith("operator")) return openOperator(program.url, role)
  const visitor = openVisitor(program.url)
  const { status } = await visitor.signIn(role === "member owner" ? "elif" : role)
  if (status !== 303) throw new Error(`${role} was not let in: ${status}`)
  return visitor
}

async function addWebhook(): Promise<string> {
  const { store, endpointServices } = program.app
  const elif = await requireAccount(store.accounts, "elif")
  const form = { url: "https://hooks.example/roles", events: [] }
  const { endpoint } = await createEndpoint(endpointServices(commandLine), elif, form)
  return endpoint.id
}

async function addInvitation(): Promise<string> {
  const owner = visitors["member owner"]
  await owner.submit(`${home}/settings/people/invite`, { email: "guest@example.com" })
  const { text } = await owner.get(`${home}/settings/people`)
  return /invitations\/([^/]+)\/withdraw/.exec(text)?.[1] ?? ""
}

/** The existing record of each id, and another one for a form, which may change it. */
const records: readonly (readonly [name: string, id: () => string, add: () => Promise<string>])[] =
  [
    ["/keys/:id", () => ids.key, async () => (await program.issue("elif")).key.id],
    ["/check/:id", () => ids.sale, async () => ids.sale],
    ["/items/:id{[0-9]+}", () => "7001", async () => "7001"],
    ["/keys/:key", () => ids.movedKey, async () => ids.movedKey],
    ["/:webhook/messages/:message", () => ids.message, async () => ids.message],
    ["/:webhook", () => ids.webhook, addWebhook],
    ["/sessions/:id", () => "session_none", async () => "session_none"],
    ["/invitations/:id", () => "none", addInvitation],
    ["/people/:id", () => ids.member, () => addMember(`guest ${Bun.nanoseconds()}`, "support")],
  ]

async function pathOf(route: string, isChanged: boolean): Promise<string> {
  let path = home + route
  for (const [name, id, add] of records) {
    if (!path.includes(name)) continue
    path = path.replace(name, name.replace(/:.*/, "") + (isChanged ? await add() : id()))
  }
  return path
}

/** In the order of registration, in which the first match is taken. */
function listRoutes(): readonly string[] {
  // `as never`: the services are read when a request arrives.
  const services = { publicUrl: program.url, pictures: {}, throttle: {}, mailing: null } as never
  const { routes: registered } = createWorkspace(services, () => {})
  const names = registered
    .filter(({ method, path }) => method !== "ALL" && path.startsWith("/workspace/"))
    .map(({ method, path }) => `${method} ${path.replace("/workspace/:username", "")}`)
  return [...new Set(names)]
}

const rows = table.flatMap(({ mayUse, routes }) =>
  routes.map((route) => {
    const [method = "", path = ""] = route.split(" ")
    return { route, method, path, mayUse }
  }),
)

const send = async (visitor: Visitor, method: string, path: string) =>
  method === "POST"
    ? visitor.submit(path, { form_id: crypto.randomUUID() })
    : visitor.sendRequest(path, { method })

/** What was done, and what was rejected as the audit shows it. */
const countEvents = async () => {
  const rows = await queryStore<{ isRejected: number; count: number }>(
    program,
    `SELECT action = 'rejected' AS "isRejected", sum(count) AS count FROM audit_events
     WHERE actor_kind <> 'command' GROUP BY 1`,
  )
  const countOf = (rejected: boolean) =>
    rows.find(({ isRejected }) => Boolean(isRejected) === rejected)?.count ?? 0
  return { done: countOf(false), rejected: countOf(true) }
}

/** The pages of the person are of no use to an operator: they do not exist. */
const outcomeFor = (role: Role, { path, mayUse }: (typeof rows)[number]) =>
  mayUse.includes(role) ? "allowed" : path.startsWith("/settings/security") ? 404 : 403

test("each route of the workspace has one row in the table", () => {
  expect(rows.map(({ route }) => route).toSorted()).toEqual(listRoutes().toSorted())
})

test.each(roles.toReversed())(
  "%s: each route is allowed, or rejected in plain words",
  async (role) => {
    const visitor = visitors[role]
    for (const row of rows) {
      const expected = outcomeFor(role, row)
      const isChanged = row.method === "POST" && expected === "allowed"
      const path = await pathOf(row.path, isChanged)
      const before = await countEvents()
      const { status, location, text } = await send(visitor, row.method, path)
      const outcome = [200, 301, 303, 422].includes(status) ? "allowed" : status
      expect([row.route, outcome]).toEqual([row.route, expected])
      expect(location ?? "").not.toStartWith("/login")
      expect(
        unescapeHtml(textOf(text)).includes(
          "Your role does not allow this. Ask an owner of the account.",
        ),
      ).toBe(expected === 403)
      const after = await countEvents()
      if (expected !== "allowed") expect([row.route, after.done]).toEqual([row.route, before.done])
      const rejections = after.rejected - before.rejected
      expect([row.route, rejections]).toEqual([row.route, expected === 403 ? 1 : 0])
      if (row.method === "GET") expect((await send(visitor, "HEAD", path)).status).toBe(status)
    }
  },
)

test("a member of another account gets the page of an unknown account, nobody the sign-in", async () => {
  await givePassword(program, "marcus")
  const [marcus, nobody] = [openVisitor(program.url), openVisitor(program.url)]
  await marcus.signIn("marcus")
  const before = await countEvents()
  const rejectedTwice = 2 * rows.length
  const bare = ({ status, text }: PageResponse, path: string) =>
    `${status} ${withoutFormTokens(text).replaceAll(path, "PATH")}`
  for (const { route, method, path } of rows) {
    const there = await pathOf(path, false)
    const nowhere = there.replace(home, "/workspace/none")
    const [response, unknown] = [
      await send(marcus, method, there),
      await send(marcus, method, nowhere),
    ]
    expect([route, response.status]).toEqual([route, 404])
    expect(bare(response, there)).toBe(bare(unknown, nowhere))
    const { status, location } = await send(nobody, method, there)
    expect([route, status]).toEqual([route, 303])
    expect(location).toStartWith("/login?")
  }
  expect((await marcus.get(`${home}/nowhere`)).status).toBe(404)
  expect(await countEvents()).toEqual({ ...before, rejected: before.rejected + rejectedTwice })
  const rejected = await queryStore<{ route: string }>(
    program,
    `SELECT DISTINCT subject_id AS route FROM audit_events WHERE action = 'rejected'`,
  )
  expect(rejected.map(({ route }) => route).toSorted()).toEqual(
    rows.map(({ method, path }) => `${method} /workspace/:username${path}`).toSorted(),
  )
})

/** The row of the first route that matches, as in the server. Null for paths outside of the workspace. */
function findRow(method: string, href: string): (typeof rows)[number] | null | undefined {
  const path = href.replace(/[?#].*/, "")
  if (path !== home && !path.startsWith(`${home}/`)) return null
  const route = listRoutes().find((each) => {
    const [registered = "", pattern = ""] = each.split(" ")
    const expression = pattern
      .replaceAll(".", "\\.")
      .replaceAll(/:\w+\{([^}]*)\}/g, "$1")
      .replaceAll(/:\w+/g, "[^/]+")
    return registered === method && new RegExp(`^${home}${expression}$`).test(path)
  })
  return rows.find((row) => row.route === route)
}

/** Reached by a redirect, by a script, or after a change. */
const unlinked = [
  ...["GET", "POST"].map((method) => `${method} /check/:id/take-back`),
  ...["GET", "POST"].map((method) => `${method} /settings/security/passkeys/:id/remove`),
  ...["GET /search", "GET /log.csv", "GET /settings/keys.csv"],
  ...["GET /settings/keys/:id/first-call", "POST /check/:id/restore"],
  ...["GET /settings/keys/:id/reveal", "GET /settings/webhooks/:webhook/reveal"],
  ...["GET", "POST"].map((method) => `${method} /settings/security/second-factor/confirm`),
  ...["second-factor/off", "identities/remove"].map((end) => `POST /settings/security/${end}`),
]

test.each(roles)(
  "%s: the pages lead to what the role may use, and to nothing else",
  async (role) => {
    await addInvitation()
    const { pages, forms } = await crawl(visitors[role], home)
    const failed = pages.filter(({ status }) => status >= 400)
    expect(failed.map(({ path, from, status }) => `${from} links to ${path}: ${status}`)).toEqual(
      [],
    )
    const sent = forms.map((form) => ({ ...form, row: findRow("POST", form.action) }))
    const wrong = sent.filter(({ row }) => row !== null && !row?.mayUse.includes(role))
    expect(wrong.map(({ action, from }) => `${from} has a form for ${action}`)).toEqual([])
    const opened = pages.map(({ path }) => findRow("GET", path))
    const shown = new Set([...sent.map(({ row }) => row), ...opened].map((row) => row?.route))
    const usable = rows.filter(
      ({ mayUse, route }) => mayUse.includes(role) && !unlinked.includes(route),
    )
    expect(usable.filter(({ route }) => !shown.has(route)).map(({ route }) => route)).toEqual([])
  },
)

test.each(roles)("%s: a search finds keys only for who may see them", async (role) => {
  const { key, secret } = await program.issue("elif")
  await program.app.store.keys.rename(key.id, "Searched for")
  const mayRead = rows.some(
    ({ route, mayUse }) => route === "GET /settings/keys/:id" && mayUse.includes(role),
  )
  for (const q of [key.id, secret, secret.slice(-4), "searched for"]) {
    const { location, text } = await visitors[role].submit(`${home}/search`, { q })
    const isFound = `${location} ${text}`.includes(`/settings/keys/${key.id}`)
    expect([q, isFound]).toEqual([q, mayRead])
  }
})
