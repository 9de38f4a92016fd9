/** Links to choose a password, to join a team or the operators, and to sign in from the marketplace's own site. */
import { linkPath, workspaceOf, workspacePath } from "../access/paths.ts"
import { accountBodyOf } from "../accounts/account.ts"
import { UserError } from "../platform/error.ts"
import { withQuery } from "../platform/http/parameters.ts"
import { currentView, type PageApp, type PageContext } from "../platform/pages/context.ts"
import { displayName, Field, isolateDirection, PostForm } from "../platform/pages/elements.tsx"
import { SupportLink } from "../platform/pages/layout.tsx"
import { t } from "../platform/t.ts"
import {
  acceptInvitation,
  findInvited,
  type InvitedPerson,
  joinByInvitation,
} from "./invitation-operations.ts"
import { type PeoplePageServices, readVisit } from "./page-app.tsx"
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
import { findLinked, identifyByLink } from "./sign-in-operations.ts"
import { enterIdentified, SignInLayout } from "./sign-in-pages.tsx"

export function addLinkRoutes(app: PageApp, services: PeoplePageServices): void {
  const path = "/invite/:token"
  app.get(path, async (c) => {
    const invited = await findInvited(services, c.req.param("token"))
    return invited === null ? showGone(c) : show(c, invited, null)
  })
  app.post(path, (c) => accept(c, services, c.req.param("token")))
  app.post(`${path}/join`, (c) => join(c, services, c.req.param("token")))
  app.get(`${linkPath}/:token`, (c) => showLinked(c, services, c.req.param("token")))
  app.post(linkPath, async (c) => {
    const identified = await identifyByLink(services, c.var.form.text("token"))
    return identified === null
      ? showGone(c)
      : enterIdentified(c, services, identified, { next: workspacePath })
  })
}

type Problems = NewPasswordProblems & Readonly<{ name?: string }>

function show(c: PageContext, invited: InvitedPerson, problems: Problems | null) {
  const { isSignedIn } = c.var
  const { site, path } = currentView()
  const { person, invitation } = invited
  const isNew = person === null
  const hasProvider = site.identityHost !== null
  const name = c.req.method === "POST" ? c.var.form.text("name") : invitation.name
  const page = (
    <SignInLayout title={t("Choose a password")} problem={problems && Object.values(problems)[0]}>
      <p>{greet(invited)}</p>
      {isNew && isSignedIn && (
        <>
          <PostForm action={`${path}/join`}>
            <button type="submit">
              {t("Join as {name}", { name: isolateDirection(c.var.person.name) })}
            </button>
          </PostForm>
          <p>{t("Or for a new person:")}</p>
        </>
      )}
      <IdentityForm invitation={c.req.param("token") ?? ""} />
      <p>
        {hasProvider
          ? t("Or choose a password you will sign in with:")
          : t("Choose the password you will sign in with.")}
      </p>
      <PostForm action={path}>
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
          <a href={withQuery("/login", { next: path })}>{t("I already have a password")}</a>
        </p>
      )}
    </SignInLayout>
  )
  return c.html(page, problems === null ? 200 : 422)
}

function greet({ person, account, invitation }: InvitedPerson): string {
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

async function accept(
  c: PageContext,
  services: PeoplePageServices,
  token: string,
): Promise<Response> {
  const invited = await findInvited(services, token)
  if (invited === null) return showGone(c)
  const { person, invitation } = invited
  const { form } = c.var
  const name = form.list("name").at(-1) ?? invitation.name
  const password = form.raw("password")
  const chosenName = person?.name ?? name
  const email = person?.email ?? invitation.email
  const problems = findNewPasswordProblems(c, namesOf({ name: chosenName, email }))
  if (problems !== null) return show(c, invited, problems)
  const visit = readVisit(c)
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
  return enterIdentified(c, services, accepted, { isNew: true })
}

async function join(c: PageContext, services: PeoplePageServices, token: string) {
  const invited = await findInvited(services, token)
  if (invited === null || !c.var.isSignedIn) return showGone(c)
  const isJoined = await joinByInvitation(services, token, c.var.person, readVisit(c))
  const { account } = invited
  const home = account === null ? "/console" : workspaceOf(account.username).home
  return isJoined ? c.redirect(`${home}?done=joined`, 303) : showGone(c)
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

/**
 * The script submits the form immediately. Opening the link alone does not use it up, because previews and mail
 * scanners open links. If somebody else is signed in, the visitor submits the form.
 */
async function showLinked(c: PageContext, services: PeoplePageServices, token: string) {
  const account = await findLinked(services, token)
  if (account === null) return showGone(c)
  const owner = await services.people.findOwner(account.id)
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
}
