/** The way into the workspace, by a sign-in, an invitation or a link. */
import type { Account } from "../../../domain/catalogue/account.ts"
import type { SignedIn } from "../../../operations/sign-in/start-session.ts"
import { safeNext } from "../../pages/app/page-app.ts"
import type { AuthorContext } from "../../pages/author-context.ts"
import { createCookies } from "../../pages/cookies.ts"
import type { WorkspaceServices } from "../frame/services.ts"

export const workspacePath = "/workspace"

/** A browser has one session: the one it had before ends. */
export async function enterWorkspace(
  c: AuthorContext,
  { store, publicUrl, onSignIn }: WorkspaceServices,
  { owner, session, token }: SignedIn<Account>,
  next: string,
): Promise<Response> {
  const before = c.get("visitor")
  if (before !== null) await store.sessions.end(before.account.id, before.session.id)
  createCookies(publicUrl, "workspace").writeSession(c, token)
  onSignIn("ok", owner.username, session.network)
  return c.redirect(safeNext(next, workspacePath), 303)
}
