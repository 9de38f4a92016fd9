import { accountBodyOf } from "../../../domain/catalogue/account.ts"
import { findLinked, signInByLink } from "../../../operations/sign-in/sign-in-by-link.ts"
import { type AuthorApp, type AuthorContext, viewOf } from "../../pages/author-context.ts"
import { visitOf } from "../../pages/page-context.ts"
import { shownName } from "../../pages/parts/name.ts"
import type { WorkspaceServices } from "../frame/services.ts"
import { LinkGonePage, LinkPage } from "../pages/sign-in/link-page.tsx"
import { enterWorkspace, workspacePath } from "./enter.ts"

export function addLinkRoutes(app: AuthorApp, services: WorkspaceServices): void {
  const { accounts } = services.store
  const linking = { ...services.store, ...services }

  const showGone = (c: AuthorContext) => c.html(<LinkGonePage view={viewOf(c)} />, 404)

  app.get("/login/link/:token", async (c) => {
    const token = c.req.param("token")
    const account = await findLinked(linking, accounts, token)
    if (account === null) return showGone(c)
    const visitor = c.get("visitor")
    const isOther = visitor !== null && visitor.account.id !== account.id
    const name = shownName(accountBodyOf(account).name.full_name, account.username)
    return c.html(<LinkPage view={viewOf(c)} token={token} name={name} isOther={isOther} />)
  })

  app.post("/login/link", async (c) => {
    const signedIn = await signInByLink(linking, accounts, c.get("form").text("token"), visitOf(c))
    return signedIn === null ? showGone(c) : enterWorkspace(c, services, signedIn, workspacePath)
  })
}
