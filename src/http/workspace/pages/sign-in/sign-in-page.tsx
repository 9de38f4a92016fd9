import { Field, TokenField } from "../../../pages/parts/fields.tsx"
import { PublicPage } from "../../../pages/parts/layout.tsx"
import { ShowPasswords } from "../../../pages/parts/show-passwords.tsx"
import { SupportLink } from "../../../pages/parts/support-link.tsx"
import type { View } from "../../../pages/view.ts"
import { SiteSignIn } from "../../parts/site-sign-in.tsx"

/** What is wrong with each field. */
export type SignInProblems = Readonly<{ name?: string; password?: string }>

type Props = Readonly<{ view: View; name: string; next: string; problems: SignInProblems }>

export const SignInPage = ({ view, name, next, problems }: Props) => {
  const { signIn } = view.words
  const isThroughSite = view.site.signInUrl !== null
  return (
    <PublicPage
      view={view}
      title={signIn.title}
      problem={problems.name ?? problems.password}
      next={next}
    >
      <h1>{signIn.title}</h1>
      {view.notice !== null && (
        <p class="notice good" role="status">
          {view.notice}
        </p>
      )}
      <SiteSignIn view={view} />
      {isThroughSite && <p>{signIn.or}</p>}
      <form method="post" action="/login">
        <TokenField view={view} />
        <input type="hidden" name="next" value={next} />
        <Field
          name="name"
          label={signIn.name}
          value={name}
          autocomplete="username"
          error={problems.name}
          isRequired
        />
        <Field
          name="password"
          label={signIn.password}
          type="password"
          autocomplete="current-password"
          error={problems.password}
          isRequired
        />
        <ShowPasswords view={view} />
        <button type="submit" class={isThroughSite ? "quiet" : undefined}>
          {signIn.submit}
        </button>
      </form>
      <p class="hint">
        {isThroughSite ? signIn.helpThrough(view.site.name) : signIn.help}{" "}
        <SupportLink view={view} />
      </p>
    </PublicPage>
  )
}
