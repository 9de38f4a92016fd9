import { type Account, accountBodyOf } from "../../../domain/catalogue/account.ts"
import { findPasswordProblem } from "../../../domain/sign-in/password.ts"
import { recordAccountEvent } from "../../../operations/record-event.ts"
import { acceptInvitation, findInvited } from "../../../operations/sign-in/accept-invitation.ts"
import { authorsIn } from "../../../operations/sign-in/owners.ts"
import { type AuthorApp, type AuthorContext, viewOf } from "../../pages/author-context.ts"
import { visitOf } from "../../pages/page-context.ts"
import { explainPassword } from "../../pages/password-words.ts"
import type { WorkspaceServices } from "../frame/services.ts"
import { InvitationGonePage, InvitationPage } from "../pages/sign-in/invitation-page.tsx"
import { enterWorkspace, workspacePath } from "./enter.ts"

const invitationPath = "/invite/:token"

export function addInvitationRoutes(app: AuthorApp, services: WorkspaceServices): void {
  const authors = authorsIn(services.store.accounts)
  const inviting = { ...services.store, ...services }

  const showGone = (c: AuthorContext) => c.html(<InvitationGonePage view={viewOf(c)} />, 404)

  app.get(invitationPath, async (c) => {
    const token = c.req.param("token")
    const invited = await findInvited(inviting, authors, token)
    if (invited === null) return showGone(c)
    return c.html(
      <InvitationPage view={viewOf(c)} token={token} {...namesOf(invited)} problem={null} />,
    )
  })

  app.post(invitationPath, async (c) => {
    const token = c.req.param("token")
    const invited = await findInvited(inviting, authors, token)
    if (invited === null) return showGone(c)
    const [password, repeat] = [c.get("form").exact("password"), c.get("form").exact("repeat")]
    const problem = explainPassword(
      viewOf(c).words,
      findPasswordProblem(password, authors.namesOf(invited)),
      password === repeat,
    )
    if (problem !== null) {
      return c.html(
        <InvitationPage view={viewOf(c)} token={token} {...namesOf(invited)} problem={problem} />,
        422,
      )
    }
    const visit = visitOf(c)
    const signedIn = await services.throttle.inLine({ name: invited.username, ...visit }, () =>
      acceptInvitation(inviting, authors, token, password, visit),
    )
    if (signedIn === null) return showGone(c)
    const { username: name } = signedIn.owner
    const actor = { kind: "author", name, network: visit.network } as const
    const trace = { audit: services.store.audit, now: services.now, actor }
    await recordAccountEvent(trace, signedIn.owner, "password")
    return enterWorkspace(c, services, signedIn, workspacePath)
  })
}

function namesOf(account: Account) {
  const { username } = account
  return { username, name: accountBodyOf(account).name.full_name || username }
}
