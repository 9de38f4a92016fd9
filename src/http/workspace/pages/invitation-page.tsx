import { passwordCharactersMin } from "../../../domain/session.ts"
import { Field, TokenField } from "../parts/fields.tsx"
import { PublicPage } from "../parts/layout.tsx"
import type { View } from "../view.ts"

type Props = Readonly<{
  view: View
  token: string
  name: string
  username: string
  problem: Readonly<{ field: "password" | "repeat"; text: string }> | null
}>

export const InvitationPage = ({ view, token, name, username, problem }: Props) => {
  const { invitation, passwordProblems } = view.words
  const errorOf = (field: "password" | "repeat") => (problem?.field === field ? problem.text : null)
  return (
    <PublicPage view={view} title={invitation.title}>
      <h1>{invitation.title}</h1>
      <p>{invitation.hello(name)}</p>
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
        <Field
          name="password"
          label={invitation.password}
          type="password"
          autocomplete="new-password"
          hint={passwordProblems.hint(passwordCharactersMin)}
          error={errorOf("password")}
          isRequired
        />
        <Field
          name="repeat"
          label={invitation.repeat}
          type="password"
          autocomplete="new-password"
          error={errorOf("repeat")}
          isRequired
        />
        <button type="submit">{invitation.submit}</button>
      </form>
    </PublicPage>
  )
}

export const InvitationGonePage = ({ view }: { view: View }) => (
  <PublicPage view={view} title={view.words.invitation.title}>
    <h1>{view.words.invitation.title}</h1>
    <p class="notice warning">{view.words.invitation.gone}</p>
  </PublicPage>
)
