import { Field, TokenField } from "../../pages/parts/fields.tsx"
import { ShowPasswords } from "../../pages/parts/show-passwords.tsx"
import type { ConsoleView } from "../frame/console-context.ts"
import { loginPath } from "../frame/console-paths.ts"
import { ConsolePublicPage } from "../parts/console-layout.tsx"

type Props = Readonly<{ view: ConsoleView; name: string; next: string; problem: string | null }>

/** One form for name, password and code, so that no answer tells a right password from a wrong one. */
export const ConsoleSignInPage = ({ view, name, next, problem }: Props) => {
  const { signIn } = view.words
  const { texts } = view
  return (
    <ConsolePublicPage view={view} title={signIn.title} problem={problem} next={next}>
      {view.notice !== null && (
        <p class="notice good" role="status">
          {view.notice}
        </p>
      )}
      <p>{texts.signIn.intro(view.site.name)}</p>
      <form method="post" action={loginPath}>
        <TokenField view={view} />
        <input type="hidden" name="next" value={next} />
        <Field
          name="name"
          label={texts.signIn.name}
          value={name}
          autocomplete="username"
          isRequired
        />
        <Field
          name="password"
          label={signIn.password}
          type="password"
          autocomplete="current-password"
          error={problem}
          isRequired
        />
        <ShowPasswords view={view} />
        <Field
          name="code"
          label={texts.signIn.code}
          hint={texts.signIn.codeHint}
          autocomplete="one-time-code"
        />
        <p>
          <button type="submit">{signIn.submit}</button>
        </p>
      </form>
    </ConsolePublicPage>
  )
}
