import { Field, TokenField } from "../parts/fields.tsx"
import { PublicPage } from "../parts/layout.tsx"
import type { View } from "../view.ts"

type Props = Readonly<{ view: View; name: string; next: string; problem: string | null }>

export const SignInPage = ({ view, name, next, problem }: Props) => {
  const { signIn } = view.words
  return (
    <PublicPage view={view} title={signIn.title} next={next}>
      <h1>{signIn.title}</h1>
      <form method="post" action="/login">
        <TokenField view={view} />
        <input type="hidden" name="next" value={next} />
        {problem !== null && (
          <p class="notice danger" role="alert">
            {problem}
          </p>
        )}
        <Field name="name" label={signIn.name} value={name} autocomplete="username" isRequired />
        <Field
          name="password"
          label={signIn.password}
          type="password"
          autocomplete="current-password"
          isRequired
          isFocused={problem !== null}
        />
        <label class="choice" hidden>
          <input type="checkbox" data-shows="password" />
          {signIn.show}
        </label>
        <p>
          <button type="submit">{signIn.submit}</button>
        </p>
      </form>
      <p class="hint">{signIn.help}</p>
    </PublicPage>
  )
}
