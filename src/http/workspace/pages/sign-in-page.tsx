import { Field, TokenField } from "../parts/fields.tsx"
import { PublicPage } from "../parts/layout.tsx"
import { ShowPasswords } from "../parts/show-passwords.tsx"
import { SiteSignIn } from "../parts/site-sign-in.tsx"
import { SupportLink } from "../parts/support-link.tsx"
import type { View } from "../view.ts"

type Props = Readonly<{ view: View; name: string; next: string; problem: string | null }>

export const SignInPage = ({ view, name, next, problem }: Props) => {
  const { signIn } = view.words
  const isThroughSite = view.site.signInUrl !== null
  return (
    <PublicPage view={view} title={signIn.title} problem={problem} next={next}>
      <h1>{signIn.title}</h1>
      <SiteSignIn view={view} />
      {isThroughSite && <p>{signIn.or}</p>}
      <form method="post" action="/login">
        <TokenField view={view} />
        <input type="hidden" name="next" value={next} />
        <Field name="name" label={signIn.name} value={name} autocomplete="username" isRequired />
        <Field
          name="password"
          label={signIn.password}
          type="password"
          autocomplete="current-password"
          error={problem}
          isRequired
        />
        <ShowPasswords view={view} />
        <p>
          <button type="submit" class={isThroughSite ? "quiet" : undefined}>
            {signIn.submit}
          </button>
        </p>
      </form>
      <p class="hint">
        {isThroughSite ? signIn.helpThrough(view.site.name) : signIn.help}{" "}
        <SupportLink view={view} />
      </p>
    </PublicPage>
  )
}
