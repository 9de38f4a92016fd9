import { recordOperatorEvent } from "../../operations/record-event.ts"
import { findInvited, setInvitedPassword } from "../../operations/sign-in/invitation.ts"
import { operatorsIn } from "../../operations/sign-in/passwords.ts"
import { explainNewPassword } from "../pages/ask-password.ts"
import { networkOfVisit } from "../pages/page-context.ts"
import { PostForm } from "../pages/parts/fields.tsx"
import {
  NewPasswordFields,
  type NewPasswordProblem,
  ShowPasswords,
} from "../pages/parts/passwords.tsx"
import {
  type ConsoleApp,
  type ConsoleContext,
  type ConsoleView,
  viewOf,
} from "./frame/console-context.ts"
import { ConsolePublicPage } from "./frame/console-layout.tsx"
import { paths } from "./frame/console-paths.ts"
import type { ConsoleServices } from "./frame/services.ts"

const invitationPath = "/console/invite/:token"

/** Choosing a password signs nobody in: the operator may have a second factor. */
export function addInvitationRoutes(app: ConsoleApp, services: ConsoleServices): void {
  const operators = operatorsIn(services.operators)

  const showGone = (c: ConsoleContext) =>
    c.html(<ConsoleInvitationGonePage view={viewOf(c)} />, 404)

  app.get(invitationPath, async (c) => {
    const invited = await findInvited(services, operators, c.req.param("token"))
    if (invited === null) return showGone(c)
    return c.html(<ConsoleInvitationPage view={viewOf(c)} name={invited.name} problem={null} />)
  })

  app.post(invitationPath, async (c) => {
    const token = c.req.param("token")
    const invited = await findInvited(services, operators, token)
    if (invited === null) return showGone(c)
    const problem = explainNewPassword(c, operators.namesOf(invited))
    if (problem !== null) {
      const page = <ConsoleInvitationPage view={viewOf(c)} name={invited.name} problem={problem} />
      return c.html(page, 422)
    }
    const network = networkOfVisit(c)
    const set = await services.throttle.inLine({ name: invited.name, network }, () =>
      setInvitedPassword(services, operators, token, c.get("form").exact("password")),
    )
    if (set === null) return showGone(c)
    const { name } = set.owner
    const actor = { kind: "operator", name, network } as const
    await recordOperatorEvent({ ...services, actor }, name, "password")
    return c.redirect(`${paths.login}?done=first_password`, 303)
  })
}

type Props = Readonly<{ view: ConsoleView; name: string; problem: NewPasswordProblem | null }>

/** The form is sent to the address of the page. */
const ConsoleInvitationPage = ({ view, name, problem }: Props) => {
  const { invitation } = view.words
  return (
    <ConsolePublicPage view={view} title={invitation.title} problem={problem?.text}>
      <p>{invitation.hello(name)}</p>
      <PostForm view={view} action={view.path}>
        <input type="text" name="username" value={name} autocomplete="username" readonly hidden />
        <NewPasswordFields view={view} problem={problem} />
        <ShowPasswords view={view} />
        <button type="submit">{view.words.save}</button>
      </PostForm>
    </ConsolePublicPage>
  )
}

const ConsoleInvitationGonePage = ({ view }: { view: ConsoleView }) => (
  <ConsolePublicPage view={view} title={view.words.invitation.title}>
    <p class="notice warning">{view.texts.invitationGone}</p>
  </ConsolePublicPage>
)
