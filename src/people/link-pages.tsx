/** Links of the marketplace's own site that sign the owner of an account in. */

import { linkPath, workspacePath } from "../access/paths.ts"
import { accountBodyOf } from "../accounts/account.ts"
import { currentView, type PageApp } from "../platform/pages/context.ts"
import { displayName, isolateDirection } from "../platform/pages/elements.tsx"
import { PostForm } from "../platform/pages/form-fields.tsx"
import { t } from "../platform/t.ts"
import { showGone } from "./invitation-pages.tsx"
import type { PeoplePageServices } from "./session-pages.ts"
import { findLinked, identifyByLink } from "./sign-in-operations.ts"
import { enterIdentified, SignInLayout } from "./sign-in-pages.tsx"

export function addLinkRoutes(app: PageApp, services: PeoplePageServices): void {
  const { people } = services

  /**
   * The script submits the form immediately. Opening the link alone does not use it up, because previews and mail
   * scanners open links. If somebody else is signed in, the visitor submits the form.
   */
  app.get(`${linkPath}/:token`, async (c) => {
    const token = c.req.param("token")
    const account = await findLinked(services, token)
    if (account === null) return showGone(c)
    const owner = await people.findOwner(account.id)
    const name = displayName(accountBodyOf(account).name.full_name, account.username)
    const isOther = c.var.isSignedIn && c.var.person.id !== owner?.id
    return c.html(
      <SignInLayout title={t("Sign in")}>
        <p>
          {t("You are signing in to {site} as {name}.", {
            name: isolateDirection(name),
            site: currentView().site.name,
          })}
        </p>
        {isOther && (
          <p class="notice warning">
            {t("This browser is signed in as {name}. Continuing ends that session.", {
              name: isolateDirection(c.var.person.name),
            })}
          </p>
        )}
        <PostForm action={linkPath} data-submits={isOther ? undefined : ""}>
          <input type="hidden" name="token" value={token} />
          <button type="submit">{t("Continue")}</button>
        </PostForm>
      </SignInLayout>,
    )
  })

  app.post(linkPath, async (c) => {
    const identified = await identifyByLink(services, c.var.form.text("token"))
    return identified === null
      ? showGone(c)
      : enterIdentified(c, services, identified, workspacePath)
  })
}
