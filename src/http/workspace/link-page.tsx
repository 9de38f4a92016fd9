/** Links of the marketplace's own site that sign the owner of an account in. */
import { accountBodyOf } from "../../domain/catalog/account.ts"
import { findLinked, signInByLink } from "../../operations/sign-in/sign-in.ts"
import { CodeField } from "../pages/app/security-page.tsx"
import { displayName, isolateDirection } from "../pages/components/elements.tsx"
import { PostForm } from "../pages/components/form-fields.tsx"
import { rejectSignIn } from "../pages/components/passwords.tsx"
import { type PageApp, type PageContext, visitOf } from "../pages/page-context.ts"
import type { WorkspaceServices } from "../pages/page-services.ts"
import { linkPath } from "../pages/paths.ts"
import { showGone } from "./invitation-page.tsx"
import { enter, SignInLayout, workspacePath } from "./sign-in-page.tsx"

export function addLinkRoutes(app: PageApp, services: WorkspaceServices): void {
  const { people, twoFactor } = services

  /**
   * The script submits the form immediately. Opening the link alone does not use it up, because previews and mail
   * scanners open links. If somebody else is signed in or a 2FA code is required, the visitor submits the form.
   */
  async function showLink(
    c: PageContext,
    token: string,
    problem: string | null,
    status: 200 | 401 | 429,
  ): Promise<Response> {
    const account = await findLinked(services, token)
    if (account === null) return showGone(c)
    const owner = await people.findOwner(account.id)
    const { view } = c.var
    const { signIn, twoFactor: texts } = view.texts
    const name = displayName(accountBodyOf(account).name.full_name, account.username)
    const isOther = c.var.isSignedIn && c.var.person.id !== owner?.id
    const hasFactor = owner !== null && (await twoFactor.find(owner.id)) !== null
    return c.html(
      <SignInLayout view={view} title={signIn.title} problem={problem}>
        <p>{signIn.link.hello(isolateDirection(name), view.site.name)}</p>
        {isOther && (
          <p class="notice warning">{signIn.link.replaces(isolateDirection(c.var.person.name))}</p>
        )}
        <PostForm
          view={view}
          action={linkPath}
          data-submits={isOther || hasFactor ? undefined : ""}
        >
          <input type="hidden" name="token" value={token} />
          {hasFactor && (
            <CodeField
              view={view}
              hint={texts.codeOrRecovery}
              error={problem}
              isRequired
              isFocused
            />
          )}
          <button type="submit">{signIn.link.submit}</button>
        </PostForm>
      </SignInLayout>,
      status,
    )
  }

  app.get(`${linkPath}/:token`, (c) => showLink(c, c.req.param("token"), null, 200))

  app.post(linkPath, async (c) => {
    const form = c.var.form
    const [token, code] = [form.text("token"), form.text("code")]
    try {
      const signedIn = await signInByLink(services, { token, code }, visitOf(c))
      return signedIn === null ? showGone(c) : await enter(c, services, signedIn, workspacePath)
    } catch (error) {
      const { text, status } = rejectSignIn(c, error, c.var.view.texts.twoFactor.wrong)
      return showLink(c, token, text, status)
    }
  })
}
