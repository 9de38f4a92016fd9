/** The way into the workspace, by a sign-in, an invitation or a link. */
import type { Account } from "../../../domain/account.ts"
import type { SignedIn } from "../../../operations/start-session.ts"
import { createCookies } from "../cookies.ts"
import { safeNext } from "../page-app.ts"
import type { WorkspaceServices } from "../services.ts"
import type { WorkspaceContext } from "../workspace-context.ts"

export const workspacePath = "/workspace"

/** A browser has one session: the one it had before ends. */
export async function enterWorkspace(
  c: WorkspaceContext,
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
