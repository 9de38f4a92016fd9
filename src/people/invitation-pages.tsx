/** Links to choose a password, or to join a team or the operators. */

import { workspaceOf } from "../access/paths.ts"
import { accountBodyOf } from "../accounts/account.ts"
import { UserError } from "../platform/error.ts"
import { withQuery } from "../platform/http/parameters.ts"
import { currentView, type PageApp, type PageContext } from "../platform/pages/context.ts"
import { displayName, isolateDirection } from "../platform/pages/elements.tsx"
import { Field, PostForm } from "../platform/pages/form-fields.tsx"
import { SupportLink } from "../platform/pages/layout.tsx"
import { t } from "../platform/t.ts"
import {
  acceptInvitation,
  findInvited,
  type InvitedPerson,
  joinByInvitation,
} from "./invitation-operations.ts"
import { namesOf } from "./password.ts"
import {
  findNewPasswordProblems,
  hasSiteSignIn,
  IdentityForm,
  NewPasswordFields,
  type NewPasswordProblems,
  SiteSignIn,
  UsernameField,
} from "./password-pages.tsx"
import { type PeoplePageServices, visitOf } from "./session-pages.ts"
import { enterIdentified, SignInLayout } from "./sign-in-pages.tsx"

type Problems = NewPasswordProblems & Readonly<{ name?: string }>

export function addInvitationRoutes(app: PageApp, services: PeoplePageServices): void {
  const path = "/invite/:token"
  const tokenOf = (c: PageContext) => c.req.param("token") ?? ""

  function show(c: PageContext, invited: InvitedPerson, problems: Problems | null) {
    const { isSignedIn } = c.var
    const view = currentView()
    const { person, invitation } = invited
    const isNew = person === null
    const hasProvider = view.site.identityHost !== null
    const name = c.req.method === "POST" ? c.var.form.text("name") : invitation.name
    const page = (
      <SignInLayout title={t("Choose a password")} problem={problems && Object.values(problems)[0]}>
        <p>{greetingOf(invited)}</p>
        {isNew && isSignedIn && (
          <PostForm action={`${view.path}/join`}>
            <button type="submit">
              {t("Join as {name}", { name: isolateDirection(c.var.person.name) })}
            </button>
          </PostForm>
        )}
        {isNew && isSignedIn && <p>{t("Or for a new person:")}</p>}
        <IdentityForm invitation={tokenOf(c)} />
        <p>
          {hasProvider
            ? t("Or choose a password you will sign in with:")
            : t("Choose the password you will sign in with.")}
        </p>
        <PostForm action={view.path}>
          {isNew ? (
            <Field
              name="name"
              label={t("Username")}
              hint={t("You sign in with this name.")}
              value={name}
              autocomplete="username"
              error={problems?.name}
              isRequired
            />
          ) : (
            <UsernameField name={person.name} />
          )}
          <NewPasswordFields problems={problems} />
          <button type="submit" class={hasProvider || (isNew && isSignedIn) ? "quiet" : undefined}>
            {t("Save the password")}
          </button>
        </PostForm>
        {isNew && !isSignedIn && (
          <p>
            <a href={withQuery("/login", { next: view.path })}>{t("I already have a password")}</a>
          </p>
        )}
      </SignInLayout>
    )
    return c.html(page, problems === null ? 200 : 422)
  }

  app.get(path, async (c) => {
    const invited = await findInvited(services, tokenOf(c))
    return invited === null ? showGone(c) : show(c, invited, null)
  })

  app.post(path, async (c) => {
    const { form } = c.var
    const token = tokenOf(c)
    const invited = await findInvited(services, token)
    if (invited === null) return showGone(c)
    const { person, invitation } = invited
    const name = form.list("name").at(-1) ?? invitation.name
    const password = form.raw("password")
    const chosenName = person?.name ?? name
    const email = person?.email ?? invitation.email
    const problems = findNewPasswordProblems(c, namesOf({ name: chosenName, email }))
    if (problems !== null) return show(c, invited, problems)
    const visit = visitOf(c)
    const accepting = services.throttle.enqueue({ name: chosenName, ipRange: visit.ipRange }, () =>
      acceptInvitation(services, token, { name, password }, visit),
    )
    const accepted = await accepting.catch((error) => {
      if (error instanceof UserError) return "invalid" as const
      throw error
    })
    if (accepted === "invalid") return show(c, invited, { name: t("Use 1 to 255 characters.") })
    if (accepted === "taken")
      return show(c, invited, { name: t("Somebody else has this name. Choose another one.") })
    if (accepted === null) return showGone(c)
    return enterIdentified(c, services, accepted, "", "?done=welcome")
  })

  app.post(`${path}/join`, async (c) => {
    const token = tokenOf(c)
    const invited = await findInvited(services, token)
    if (invited === null || !c.var.isSignedIn) return showGone(c)
    const { person } = c.var
    const isJoined = await joinByInvitation(services, token, person, visitOf(c))
    const { account } = invited
    const home = account === null ? "/console" : workspaceOf(account.username).home
    return isJoined ? c.redirect(`${home}?done=joined`, 303) : showGone(c)
  })
}

function greetingOf({ person, account, invitation }: InvitedPerson) {
  const { site } = currentView()
  if (invitation.operatorRole !== null)
    return t("You are invited as an operator of {site}.", { site: site.name })
  if (account === null)
    return t("Welcome, {name}.", { name: isolateDirection(person?.name ?? invitation.name) })
  const name = displayName(accountBodyOf(account).name.full_name, account.username)
  return invitation.role === "owner" && invitation.email === null
    ? t("Welcome, {name}.", { name: isolateDirection(name) })
    : t("You are invited to the team of {author}.", { author: isolateDirection(name) })
}

/** Also shown when a visitor opens a link again after using it. */
export function showGone(c: PageContext) {
  const { author } = currentView()
  const [path, text] =
    author === null ? ["/login", t("Sign in")] : ["/workspace", t("Go to the overview")]
  const page = (
    <SignInLayout title={t("This link no longer works")}>
      <p>{t("It was already used or has expired. Ask your marketplace for a new one.")}</p>
      <SiteSignIn />
      <p class="actions">
        <a class={hasSiteSignIn() ? "button quiet" : "button"} href={path}>
          {text}
        </a>
        <SupportLink />
      </p>
    </SignInLayout>
  )
  return c.html(page, 404)
}
