import { TokenField } from "../../pages/parts/fields.tsx"
import { NewPasswordFields, type NewPasswordProblem } from "../../pages/parts/new-password.tsx"
import { ShowPasswords } from "../../pages/parts/show-passwords.tsx"
import type { ConsoleView } from "../frame/console-context.ts"
import { ConsolePublicPage } from "../parts/console-layout.tsx"

type Props = Readonly<{ view: ConsoleView; name: string; problem: NewPasswordProblem | null }>

/** The form is sent to the address of the page. */
export const ConsoleInvitationPage = ({ view, name, problem }: Props) => {
  const { invitation } = view.words
  return (
    <ConsolePublicPage view={view} title={invitation.title} problem={problem?.text}>
      <p>{invitation.hello(name)}</p>
      <form method="post" action={view.path}>
        <TokenField view={view} />
        <input type="text" name="username" value={name} autocomplete="username" readonly hidden />
        <NewPasswordFields view={view} problem={problem} />
        <ShowPasswords view={view} />
        <button type="submit">{view.words.save}</button>
      </form>
    </ConsolePublicPage>
  )
}

export const ConsoleInvitationGonePage = ({ view }: { view: ConsoleView }) => (
  <ConsolePublicPage view={view} title={view.words.invitation.title}>
    <p class="notice warning">{view.texts.invitationGone}</p>
  </ConsolePublicPage>
)
