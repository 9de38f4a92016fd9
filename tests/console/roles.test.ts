import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { commandLine, operatorRoles } from "../../src/access/actor.ts"
import { requireAccount } from "../../src/accounts/account-operations.ts"
import { createConsole } from "../../src/console/console.tsx"
import { operatorRoleTexts } from "../../src/people/person.ts"
import { t } from "../../src/platform/t.ts"
import { createEndpoint } from "../../src/webhooks/endpoint-operations.ts"
import { crawl, patternOf } from "../harness/browser/crawl.ts"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import { addSampleWebhooks, startSampleWorkspace } from "../harness/browser/sample-workspace.ts"
import type { Visitor } from "../harness/browser/visitor.ts"
import { textOf } from "../harness/http/page-views.ts"
import type { Program } from "../harness/program.ts"
import { queryStore } from "../harness/stores/stored-rows.ts"
import { addOperator, openOperator, operatorPassword } from "../harness/test-operators.ts"

/** Every route with the least of the roles that may use it: viewer, then support, then admin. */
const routes: Readonly<Record<(typeof operatorRoles)[number], readonly string[]>> = {
  viewer: [
    ...["GET /console", "GET /console/search", "POST /console/search"],
    ...["GET /console/authors", "POST /console/authors"],
    ...["GET /console/authors.csv", "POST /console/authors.csv", "GET /console/authors/:id"],
    ...["GET /console/purchases", "POST /console/purchases"],
    ...["GET /console/purchases.csv", "POST /console/purchases.csv"],
    ...["GET /console/imports", "GET /console/imports.csv", "GET /console/imports/:id"],
    ...["GET /console/traffic", "POST /console/traffic"],
    ...["GET /console/traffic.csv", "POST /console/traffic.csv"],
    ...["GET /console/audit", "GET /console/audit.csv"],
    ...["GET /console/settings", "GET /console/operators", "GET /console/webhooks"],
    ...["GET /console/webhooks/:webhook", "GET /console/webhooks/:webhook/messages/:message"],
    ...["GET /console/security", "POST /console/security/password"],
    ...["GET /console/security/second-factor", "POST /console/security/second-factor"],
    "GET /console/security/second-factor/confirm",
    "POST /console/security/second-factor/confirm",
    "POST /console/security/second-factor/off",
    ...confirmed("/console/security/passkeys/new"),
    ...confirmed("/console/security/passkeys/:id/remove"),
    "POST /console/security/sessions/:id",
    ...["POST /console/security/identities", "POST /console/security/identities/remove"],
    "POST /console/security/alerts",
  ],
  support: [
    ...["GET /console/authors/:id/invite", "POST /console/authors/:id/invite"],
    "POST /console/webhooks/:webhook/messages/:message/resend",
  ],
  admin: [
    ...confirmed("/console/authors/:id/sign-in-link", "/console/authors/:id/remove-factor"),
    ...confirmed("/console/authors/:id/suspend", "/console/authors/:id/resume"),
    ...["turn-on", "turn-off", "test"].map((each) => `POST /console/webhooks/:webhook/${each}`),
    ...["GET /console/webhooks/new", "POST /console/webhooks"],
    ...confirmed("/console/webhooks/:webhook/edit", "/console/webhooks/:webhook/reveal"),
    ...confirmed("/console/webhooks/:webhook/replace", "/console/webhooks/:webhook/remove"),
    ...confirmed("/console/operators/invite", "/console/operators/:id/link"),
    ...confirmed("/console/operators/:id/email", "/console/operators/:id/role"),
    ...confirmed("/console/operators/:id/remove"),
    "POST /console/operators/invitations/:id/withdraw",
    ...confirmed("/console/operators/second-factor/require"),
    ...confirmed("/console/operators/second-factor/drop"),
    ...confirmed("/console/settings/signing-keys/rotate"),
  ],
}

/** A page with a form that is sent to its own path. */
function confirmed(...paths: readonly string[]) {
  return paths.flatMap((path) => [`GET ${path}`, `POST ${path}`])
}

let program: Program
beforeAll(async () => {
  program = await startSampleWorkspace()
  await addSampleWebhooks(program)
  const { endpointServices, store } = program.app
  const form = { url: "https://hooks.example/operators", events: [] }
  const { endpoint } = await createEndpoint(endpointServices(commandLine), null, form)
  await store.messages.insertTest(endpoint.id, "2026-06-22T08:00:00Z")
  const all = { itemIds: null, state: null, range: null }
  const { sales } = await store.sales.list(null, all, {
    after: null,
    rowsMax: 1,
    at: "2026-06-22T08:00:00Z",
  })
  const seen = sales.map(({ code }) => ({ code, site: "shop.example" }))
  await store.sites.recordSeen("2026-06-22T08:00:00Z", seen)
  for (const role of operatorRoles) await addOperator(program, role, operatorPassword, role)
  await addOperator(program, "invited", null)
})
afterAll(() => program.close())

/** Forms that need the password change nothing without it. */
async function openUnconfirmed(role: string): Promise<Visitor> {
  const visitor = await openOperator(program.url, role)
  await queryStore(program, "UPDATE sessions SET confirmed_at = '2020-01-01T00:00:00Z'")
  return visitor
}

test("each route of the console has one entry in the table", () => {
  // `as never`: the services are read when a request arrives.
  const services = { publicUrl: program.url, operators: {}, twoFactorPolicy: {} } as never
  const { routes: registered } = createConsole(services, { fetch: () => Promise.reject() })
  const names = registered
    .filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => `${method} ${path}`)
  expect(Object.values(routes).flat().toSorted()).toEqual([...new Set(names)].toSorted())
})

/** Unknown ids: roles are checked first, and nothing changes. */
const pathOf = (route: string) => route.replaceAll(/:[a-z]+/g, "999999")

/** Admins last: they disable a webhook, which hides buttons. */
describe.each(operatorRoles.toReversed())("%s", (role) => {
  const isAllowed = (least: (typeof operatorRoles)[number]) =>
    operatorRoles.indexOf(role) <= operatorRoles.indexOf(least)

  test("403 in plain words for each route that is not allowed, otherwise not 403", async () => {
    const visitor = await openUnconfirmed(role)
    const form_token = await visitor.formToken("/console/search")
    const before = await countEvents()
    for (const least of operatorRoles) {
      for (const route of routes[least]) {
        const [method = "", path = ""] = pathOf(route).split(" ")
        const { status, text } =
          method === "GET" ? await visitor.get(path) : await visitor.post(path, { form_token })
        expect([route, status === 403]).toEqual([route, !isAllowed(least)])
        expect(status).toBeLessThan(500)
        const says = unescapeHtml(textOf(text)).includes(
          t(
            "Your role, {role}, does not allow this. Ask an admin to do it or to change your role.",
            { role: t(operatorRoleTexts[role].name) },
          ),
        )
        expect([route, says]).toEqual([route, !isAllowed(least)])
      }
    }
    expect(await countEvents()).toBe(before)
    const rejected = operatorRoles.flatMap((least) => (isAllowed(least) ? [] : routes[least]))
    expect((await listRejected(role)).toSorted()).toEqual([...new Set(rejected)].toSorted())
    expect((await visitor.get("/console/none")).status).toBe(404)
  })

  test("no page shows a link or a form that is not allowed", async () => {
    const visitor = await openUnconfirmed(role)
    const form_token = await visitor.formToken("/console/search")
    const { pages, forms } = await crawl(visitor, "/console")
    expect(pages.filter(({ status }) => status >= 400)).toEqual([])
    const actions = forms.map(({ action }) => action)
    for (const action of actions.filter((each) => !endsSession.test(each))) {
      const { status } = await visitor.post(action, { form_token })
      expect([action, status === 403]).toEqual([action, false])
    }
    const shown = new Set([...pages.map(({ path }) => path), ...actions].map(patternOf))
    for (const least of operatorRoles) {
      const actions = samples[least]
      expect(actions.map((each) => [each, shown.has(each)])).toEqual(
        actions.map((each) => [each, isAllowed(least)]),
      )
    }
  })
})

async function countEvents(): Promise<number> {
  const rows = await queryStore<{ id: number }>(
    program,
    "SELECT id FROM audit_events WHERE actor_kind = 'operator' AND subject_id <> actor_name AND actor_name <> '' AND action <> 'rejected'",
  )
  return rows.length
}

/** The routes that the audit shows, without the ids of the requests. */
async function listRejected(name: string): Promise<readonly string[]> {
  const filter = { accountId: null, kind: "operator", actor: { kind: "operator", name } } as const
  const events = await program.app.store.audit.list(filter, null, 1_000)
  return events.flatMap(({ action, subjectId }) => (action === "rejected" ? [subjectId] : []))
}

test("what a role does not allow is in the audit: once per hour and route, with a count", async () => {
  const visitor = await openOperator(program.url, "viewer")
  await queryStore(program, "DELETE FROM audit_events")
  const form_token = await visitor.formToken("/console/search")
  const { id } = await requireAccount(program.app.store.accounts, "elif")
  for (const each of [id, 999_999, id])
    await visitor.post(`/console/authors/${each}/suspend`, { form_token })
  const events = await program.app.store.audit.list({ accountId: null, kind: null }, null, 9)
  // The sign-in is recorded after its response.
  expect(events.filter(({ action }) => action !== "signed_in")).toEqual([
    expect.objectContaining({
      ...{ kind: "operator", action: "rejected", count: 3, account: null },
      actor: { kind: "operator", name: "viewer", ipRange: "127.0.0.0/24" },
      subjectId: "POST /console/authors/:id/suspend",
    }),
  ])
  const { text } = await (await openOperator(program.url, "admin")).get("/console/audit")
  const shown = textOf(text)
  expect(shown).toContain("Rejected: not allowed")
  expect(shown).toContain("POST /console/authors/:id/suspend 3 times")
})

const endsSession = /^\/logout$|^\/console\/security\/sessions\//

/** Links and forms that the pages show to this role and to those above it, so that the crawl is known to reach them. */
const samples = {
  viewer: ["/console/authors", "/console/purchases", "/console/security/password"],
  support: ["/console/authors/*/invite", "/console/webhooks/*/messages/*/resend"],
  admin: [
    ...["/console/authors/*/suspend", "/console/authors/*/sign-in-link"],
    ...["/console/webhooks/new", "/console/webhooks/*/reveal"],
    "/console/webhooks/*/test",
    ...["/console/operators/invite", "/console/operators/*/link", "/console/operators/*/role"],
    "/console/operators/*/email",
    ...["/console/operators/*/remove", "/console/operators/second-factor/require"],
    "/console/settings/signing-keys/rotate",
  ],
}
