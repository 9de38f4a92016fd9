/** The way into the workspace, by a sign-in, an invitation or a link. */
import type { SignedIn } from "../../../operations/start-session.ts"
import { createCookies } from "../cookies.ts"
import type { WorkspaceServices } from "../services.ts"
import type { WorkspaceContext } from "../workspace-context.ts"

export const workspacePath = "/workspace"

/** No page of ours has a longer address. */
const nextUnitsMax = 2_000

/**
 * Only ever a page of the workspace, never an address outside. Visible ASCII without the backslash,
 * which browsers read as a slash; a header cannot hold other characters.
 */
export function safeNext(next: string): string {
  const isOurs = next.length <= nextUnitsMax && /^\/workspace(?:[/?][!-[\]-~]*)?$/.test(next)
  return isOurs ? next : workspacePath
}

/** A browser has one session: the one it had before ends. */
export async function enterWorkspace(
  c: WorkspaceContext,
  { store, publicUrl, onSignIn }: WorkspaceServices,
  { account, token }: SignedIn,
  next: string,
): Promise<Response> {
  const before = c.get("visitor")
  if (before !== null) await store.sessions.end(before.account.id, before.session.id)
  createCookies(publicUrl).writeSession(c, token)
  onSignIn("ok", account.username)
  return c.redirect(safeNext(next), 303)
}
