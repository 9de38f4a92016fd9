import { TokenField } from "../../../pages/parts/fields.tsx"
import { PublicPage } from "../../../pages/parts/layout.tsx"
import { isolate } from "../../../pages/parts/name.ts"
import { NewPasswordFields, type NewPasswordProblem } from "../../../pages/parts/new-password.tsx"
import { ShowPasswords } from "../../../pages/parts/show-passwords.tsx"
import type { View } from "../../../pages/view.ts"
import { GoneLink } from "../../parts/gone-link.tsx"

type Props = Readonly<{
  view: View
  token: string
  name: string
  username: string
  problem: NewPasswordProblem | null
}>

export const InvitationPage = ({ view, token, name, username, problem }: Props) => {
  const { invitation } = view.words
  return (
    <PublicPage view={view} title={invitation.title} problem={problem?.text}>
      <h1>{invitation.title}</h1>
      <p>{invitation.hello(isolate(name))}</p>
      <form method="post" action={`/invite/${token}`}>
        <TokenField view={view} />
        <input
          type="text"
          name="username"
          value={username}
          autocomplete="username"
          readonly
          hidden
        />
        <NewPasswordFields view={view} problem={problem} />
        <ShowPasswords view={view} />
        <button type="submit">{invitation.submit}</button>
      </form>
    </PublicPage>
  )
}

export const InvitationGonePage = ({ view }: { view: View }) => (
  <PublicPage view={view} title={view.words.invitation.goneTitle}>
    <h1>{view.words.invitation.goneTitle}</h1>
    <GoneLink view={view} />
  </PublicPage>
)
