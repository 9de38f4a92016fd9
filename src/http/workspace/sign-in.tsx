import type { Account } from "../../domain/catalogue/account.ts"
import { SignInRefused } from "../../domain/sign-in/sign-in-failures.ts"
import type { SignedIn } from "../../operations/sign-in/sessions.ts"
import { signIn } from "../../operations/sign-in/sign-in.ts"
import { safeNext } from "../pages/app/page-app.ts"
import { type AuthorApp, type AuthorContext, viewOf } from "../pages/author-context.ts"
import { createCookies } from "../pages/cookies.ts"
import { visitOf } from "../pages/page-context.ts"
import { Field, PostForm } from "../pages/parts/fields.tsx"
import { PublicPage, SupportLink } from "../pages/parts/layout.tsx"
import { ShowPasswords } from "../pages/parts/passwords.tsx"
import type { View } from "../pages/view.ts"
import type { WorkspaceServices } from "./frame/services.ts"
import { SiteSignIn } from "./frame/site-sign-in.tsx"

export function addSignInRoutes(app: AuthorApp, services: WorkspaceServices): void {
  const cookies = createCookies(services.publicUrl, "workspace")

  app.get("/login", (c) => {
    const next = c.req.query("next") ?? workspacePath
    if (c.get("visitor") !== null) return c.redirect(safeNext(next, workspacePath), 303)
    const isDone = c.req.query("done") === "signed_out"
    const view = viewOf(c, isDone ? viewOf(c).words.security.signedOutAll : null)
    return c.html(<SignInPage view={view} name="" next={next} problems={{}} />)
  })

  app.post("/login", async (c) => {
    const form = c.get("form")
    const [name, next] = [form.text("name").trim(), form.exact("next")]
    const password = form.exact("password")
    const attempt = { name, password, ...visitOf(c) }
    const show = (problems: SignInProblems, status: 401 | 422 | 429) =>
      c.html(<SignInPage view={viewOf(c)} name={name} next={next} problems={problems} />, status)
    const { words } = viewOf(c)
    const blank = {
      ...(name === "" && { name: words.signIn.noName }),
      ...(password === "" && { password: words.signIn.noPassword }),
    }
    if (Object.keys(blank).length > 0) return show(blank, 422)
    try {
      const signedIn = await signIn(services, attempt)
      return await enterWorkspace(c, services, signedIn, next)
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error
      const isThrottled = error.secondsToWait > 0
      if (!isThrottled) return show({ password: words.signIn.wrong }, 401)
      c.header("Retry-After", String(error.secondsToWait))
      return show({ password: words.signIn.slow(Math.ceil(error.secondsToWait / 60)) }, 429)
    }
  })

  app.post("/logout", async (c) => {
    const visitor = c.get("visitor")
    if (visitor !== null) await services.sessions.end(visitor.account.id, visitor.session.id)
    cookies.clearSession(c)
    return c.redirect("/login", 303)
  })
}

export const workspacePath = "/workspace"

/** A browser has one session: the one it had before ends. */
export async function enterWorkspace(
  c: AuthorContext,
  { sessions, publicUrl, onSignIn }: WorkspaceServices,
  { owner, session, token }: SignedIn<Account>,
  next: string,
): Promise<Response> {
  const before = c.get("visitor")
  if (before !== null) await sessions.end(before.account.id, before.session.id)
  createCookies(publicUrl, "workspace").writeSession(c, token)
  onSignIn("ok", owner.username, session.network)
  return c.redirect(safeNext(next, workspacePath), 303)
}

/** What is wrong with each field. */
type SignInProblems = Readonly<{ name?: string; password?: string }>

type Props = Readonly<{ view: View; name: string; next: string; problems: SignInProblems }>

const SignInPage = ({ view, name, next, problems }: Props) => {
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
      <PostForm view={view} action="/login">
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
      </PostForm>
      <p class="hint">
        {isThroughSite ? signIn.helpThrough(view.site.name) : signIn.help}{" "}
        <SupportLink view={view} />
      </p>
    </PublicPage>
  )
}
