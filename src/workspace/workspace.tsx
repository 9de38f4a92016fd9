/** Routes of the workspace and of the public pages, with their access rules. */
import { matchedRoutes } from "hono/route"
import type { Actor } from "../access/actor.ts"
import { recordRejected } from "../access/audit-operations.ts"
import { may } from "../access/page-view.ts"
import { activatePath, licensePath, routes, workspaceOf, workspacePath } from "../access/paths.ts"
import { type AccountStore, accountBodyOf } from "../accounts/account.ts"
import { addItemPages } from "../items/item-pages.tsx"
import type { KeyPageServices } from "../keys/key-facts.tsx"
import { addKeyPages } from "../keys/key-list-pages.tsx"
import {
  createPageApp,
  type Pages,
  type PeoplePageServices,
  readVisit,
  redirectToSignIn,
} from "../people/page-app.tsx"
import { addPeoplePages } from "../people/people-pages.ts"
import { lacksRequiredFactor, mustUsePasskey } from "../people/person-operations.ts"
import type { FoundSession } from "../people/sign-in-operations.ts"
import { DomainError } from "../platform/error.ts"
import { findCurrentTag } from "../platform/http/compression.ts"
import { withQuery } from "../platform/http/parameters.ts"
import { asset, assets } from "../platform/pages/assets.ts"
import {
  currentView,
  inView,
  Page,
  type PageApp,
  type PageContext,
} from "../platform/pages/context.ts"
import { displayName, NamedLink } from "../platform/pages/elements.tsx"
import { type ErrorStatus, Notice, PublicPage, SupportLink } from "../platform/pages/layout.tsx"
import { t } from "../platform/t.ts"
import { createItemPanels } from "../purchases/item-panels.tsx"
import { addPurchasePages } from "../purchases/purchase-pages.tsx"
import type { PurchasePageServices } from "../purchases/sale-pages.tsx"
import type { Catalog } from "../purchases/test-catalog.ts"
import { addRequestPages } from "../usage/request-pages.tsx"
import { addWebhookPages, type WebhookPageServices } from "../webhooks/endpoint-pages.tsx"
import { isOwnPage, rightFor } from "./access.ts"
import { ErrorPage, WorkspacePage } from "./frame.tsx"
import { addLandingPages } from "./landing-pages.tsx"
import { addOverviewPages } from "./overview-pages.tsx"
import { addWorkspaceSearch } from "./search-pages.tsx"
import { addSettingsPages } from "./settings-pages.tsx"

type WorkspaceServices = PeoplePageServices &
  KeyPageServices &
  PurchasePageServices &
  WebhookPageServices &
  Readonly<{
    testCatalog: Catalog
    /** Pictures that this server hosts, as SVG by path. */
    pictures: Readonly<Record<string, string>>
  }>

/** `addPublicPages` adds pages without access rules, in the layout of the author who is signed in. */
export function createWorkspace(
  services: WorkspaceServices,
  addPublicPages: (app: PageApp, services: WorkspaceServices) => void,
): Pages & Pick<PageApp, "routes"> {
  const app = createPageApp(services, {
    Frame: WorkspacePage,
    showError,
    openFor: (c, found) => openWorkspace(c, found, services.accounts),
    hasPublicForm: (path) => /^\/(?:login|invite|license)(?:\/|$)/.test(path),
    isForBuyers: (path) => path === licensePath || path === activatePath,
    signInPathOf(path) {
      if (path === "/logout") return "/login"
      return path.startsWith(`${workspacePath}/`) ? "/login?done=session_ended" : null
    },
    showExpectedError: (c, error) =>
      error.reason === "account_suspended" ? c.html(<SuspendedPage />, 403) : null,
  })

  app.use(`${workspacePath}/*`, (c, next) => {
    // PostgreSQL rejects NUL in texts, and no ID contains it.
    if (c.req.path.includes("%00")) return Promise.resolve(showError(c, 404))
    return c.var.isSignedIn ? next() : Promise.resolve(redirectToSignIn(c, workspacePath))
  })
  app.get(workspacePath, (c) => chooseWorkspace(c))
  app.use(`${routes.home}/*`, async (c, next) => (await rejectVisit(c, services)) ?? next())

  addAssetRoutes(app, services)
  addLandingPages(app, services)
  addPublicPages(app, services)
  addPeoplePages(app, services)
  addOverviewPages(app, services)
  addRequestPages(app, services)
  addWorkspaceSearch(app, services)
  const showItem = addItemPages(app, services, createItemPanels(services))
  addPurchasePages(app, services, showItem)
  addKeyPages(app, services)
  addSettingsPages(app, services)
  addWebhookPages(app, services, routes.webhooks, (c) => c.var.account)

  return {
    routes: app.routes,
    fetch: async (request, visit) => app.fetch(request, visit),
  }
}

/** Operators may also open the workspace of others, and that of a suspended account. */
async function openWorkspace(
  c: PageContext,
  { person: { name }, operator, memberships }: FoundSession,
  accounts: AccountStore,
) {
  const username = findUsername(c)
  const own = memberships.find((each) => username === null || each.username === username)
  const isVisiting = username !== null && operator !== null && (!own || own.isSuspended)
  if (own?.isSuspended && !isVisiting) throw new DomainError("account_suspended")
  const account = isVisiting
    ? await accounts.findByUsername(username)
    : own && (await accounts.find(own.accountId))
  const actor: Actor = isVisiting
    ? { kind: "operator", name, role: operator.role, ...readVisit(c) }
    : { kind: "author", name, ...readVisit(c), ...(own && { role: own.role }) }
  if (!account) return { actor, author: null }
  c.set("account", account)
  const { full_name } = accountBodyOf(account).name
  return { actor, author: { username: account.username, name: full_name } }
}

/** Null if the visitor may see this page of the workspace. */
async function rejectVisit(c: PageContext, services: WorkspaceServices): Promise<Response | null> {
  const route = matchedRoutes(c).find(({ method }) => method !== "ALL")
  if (route === undefined) return null
  const { actor, account, session } = c.var
  const { author, isVisiting, operator } = currentView()
  const isOwn = isOwnPage(route.path)
  if (actor.kind === "operator" && (await lacksRequiredFactor(services, session)))
    return c.redirect("/console", 303)
  if (operator !== null && isOwn && (await mustUsePasskey(services, session)))
    return c.redirect("/console", 303)
  const name = `${route.method} ${route.path}`
  if (author === null) {
    await recordRejected({ ...services, actor }, name)
    return showError(c, 404)
  }
  if (isVisiting && isOwn) return showError(c, 404)
  if (may(rightFor(route.method, route.path))) return null
  await recordRejected({ ...services, actor }, name, account)
  const page = (
    <Page title={t("Not allowed")}>
      <p class="hint">403</p>
      <p>{t("Your role does not allow this. Ask an owner of the account.")}</p>
    </Page>
  )
  return c.html(page, 403)
}

/** Null for pages outside of a workspace. */
function findUsername(c: PageContext): string | null {
  const [, start, username] = c.req.path.split("/")
  if (`/${start}` !== workspacePath || !username) return null
  try {
    return decodeURIComponent(username)
  } catch {
    return ""
  }
}

/** `to` is a page of the workspace, as in the links of the documentation. */
function chooseWorkspace(c: PageContext): Response | Promise<Response> {
  const { operator, teams } = currentView()
  const { to = "", done = "" } = c.req.query()
  const page = /^[a-z/]+$/.test(to) ? `/${to}` : ""
  const pathIn = (username: string) => withQuery(`${workspaceOf(username).home}${page}`, { done })
  const [team, other] = teams
  if (team === undefined) return c.redirect("/console", 303)
  if (other === undefined && (operator === null || to !== ""))
    return c.redirect(pathIn(team.username), 303)
  return c.html(
    <PublicPage title={t("Workspaces")}>
      <h1>{t("Workspaces")}</h1>
      <Notice />
      <ul class="plain-list">
        {teams.map(({ username, fullName }) => (
          <li>
            <NamedLink href={pathIn(username)} name={displayName(fullName, username)} />
          </li>
        ))}
        {operator !== null && (
          <li>
            <a href="/console">{t("Console")}</a>
          </li>
        )}
      </ul>
    </PublicPage>,
  )
}

function showError(c: PageContext, status: ErrorStatus): Response | Promise<Response> {
  return inView({ ...currentView(), path: "" }, () => c.html(<ErrorPage status={status} />, status))
}

/** Shown only after the correct password or a valid link: others must not learn about the suspension. */
const SuspendedPage = () => (
  <PublicPage title={t("Account suspended")}>
    <h1>{t("Account suspended")}</h1>
    <p class="notice warning">
      {t(
        "Your marketplace suspended this account. You cannot sign in and your API keys are rejected. No data was deleted.",
      )}{" "}
      <SupportLink />
    </p>
  </PublicPage>
)

function addAssetRoutes(app: PageApp, { pictures }: WorkspaceServices): void {
  app.get("/favicon.ico", (c) => c.redirect(asset.icon.path, 302))
  for (const { path, type, content } of assets) {
    // The path contains a hash of the content, so it serves as the entity tag.
    const tag = `"${path}"`
    const headers = { "Cache-Control": "public, max-age=31536000, immutable" }
    const length = String(Buffer.byteLength(content))
    app.get(path, (c) => {
      const currentTag = findCurrentTag(c.req.raw.headers, tag)
      return currentTag === null
        ? c.body(content, 200, {
            ...headers,
            "Content-Type": type,
            "Content-Length": length,
            ETag: tag,
          })
        : c.body(null, 304, { ...headers, ETag: currentTag })
    })
  }
  for (const [path, svg] of Object.entries(pictures)) {
    const headers = { "Content-Type": "image/svg+xml", "Cache-Control": "public, max-age=3600" }
    app.get(path, (c) => c.body(svg, 200, headers))
  }
}
