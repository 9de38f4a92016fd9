/** Links to choose a password, or to join a team or the operators. */
import { workspaceOf } from "../access/paths.ts"
import { accountBodyOf } from "../accounts/account.ts"
import { UserError } from "../platform/error.ts"
import { withQuery } from "../platform/http/query.ts"
import { type PageApp, type PageContext, type View, visitOf } from "../platform/pages/context.ts"
import { displayName, isolateDirection } from "../platform/pages/elements.tsx"
import { Field, PostForm } from "../platform/pages/form-fields.tsx"
import { hasSiteSignIn, IdentityForm, SiteSignIn, SupportLink } from "../platform/pages/layout.tsx"
import type { WorkspaceServices } from "../workspace/services.ts"
import {
  acceptInvitation,
  findInvited,
  type InvitedPerson,
  joinByInvitation,
} from "./invitation-operations.ts"
import { namesOf } from "./password.ts"
import {
  findNewPasswordProblems,
  NewPasswordFields,
  type NewPasswordProblems,
  UsernameField,
} from "./password-pages.tsx"
import { enterIdentified, SignInLayout } from "./sign-in-pages.tsx"

type Problems = NewPasswordProblems & Readonly<{ name?: string }>

export function addInvitationRoutes(app: PageApp, services: WorkspaceServices): void {
  const path = "/invite/:token"
  const tokenOf = (c: PageContext) => c.req.param("token") ?? ""

  function show(c: PageContext, invited: InvitedPerson, problems: Problems | null) {
    const { view, isSignedIn } = c.var
    const { person, invitation } = invited
    const { invitation: texts } = view.texts.signIn
    const isNew = person === null
    const hasProvider = view.site.identityHost !== null
    const name = c.req.method === "POST" ? c.var.form.text("name") : invitation.name
    const page = (
      <SignInLayout
        view={view}
        title={texts.title}
        problem={problems && Object.values(problems)[0]}
      >
        <p>{greetingOf(view, invited)}</p>
        {isNew && isSignedIn && (
          <PostForm view={view} action={`${view.path}/join`}>
            <button type="submit">{texts.joinAs(isolateDirection(c.var.person.name))}</button>
          </PostForm>
        )}
        {isNew && isSignedIn && <p>{texts.orNew}</p>}
        <IdentityForm view={view} invitation={tokenOf(c)} />
        <p>{hasProvider ? view.texts.identity.orChoose : texts.choose}</p>
        <PostForm view={view} action={view.path}>
          {isNew ? (
            <Field
              name="name"
              label={texts.username}
              hint={texts.nameHint}
              value={name}
              autocomplete="username"
              error={problems?.name}
              isRequired
            />
          ) : (
            <UsernameField name={person.name} />
          )}
          <NewPasswordFields view={view} problems={problems} />
          <button type="submit" class={hasProvider || (isNew && isSignedIn) ? "quiet" : undefined}>
            {texts.submit}
          </button>
        </PostForm>
        {isNew && !isSignedIn && (
          <p>
            <a href={withQuery("/login", { next: view.path })}>{texts.signInFirst}</a>
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
    const { form, view } = c.var
    const { invitation: texts } = view.texts.signIn
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
    if (accepted === "invalid") return show(c, invited, { name: texts.badName })
    if (accepted === "taken") return show(c, invited, { name: texts.taken })
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

function greetingOf({ site, texts }: View, { person, account, invitation }: InvitedPerson) {
  const { hello, team, operators } = texts.signIn.invitation
  if (invitation.operatorRole !== null) return operators(site.name)
  if (account === null) return hello(isolateDirection(person?.name ?? invitation.name))
  const name = displayName(accountBodyOf(account).name.full_name, account.username)
  return invitation.role === "owner" && invitation.email === null
    ? hello(isolateDirection(name))
    : team(isolateDirection(name))
}

/** Also shown when a visitor opens a link again after using it. */
export function showGone(c: PageContext) {
  const { view } = c.var
  const { texts, author } = view
  const [path, text] =
    author === null ? ["/login", texts.signIn.title] : ["/workspace", texts.errors.overview]
  const page = (
    <SignInLayout view={view} title={texts.signIn.invitation.goneTitle}>
      <p>{texts.signIn.invitation.gone}</p>
      <SiteSignIn view={view} />
      <p class="actions">
        <a class={hasSiteSignIn(view) ? "button quiet" : "button"} href={path}>
          {text}
        </a>
        <SupportLink view={view} />
      </p>
    </SignInLayout>
  )
  return c.html(page, 404)
}
