import { type Account, accountBodyOf } from "../../domain/catalog/account.ts"
import { recordAccountEvent } from "../../operations/record-event.ts"
import { authorsIn, findLinked, signIn, signInByLink } from "../../operations/sign-in/sign-in.ts"
import { CodeField } from "../pages/app/security-page.tsx"
import * as shared from "../pages/app/sign-in-page.tsx"
import { displayName, isolateDirection } from "../pages/components/elements.tsx"
import { PostForm } from "../pages/components/form-fields.tsx"
import { PublicPage, SiteSignIn, SupportLink } from "../pages/components/layout.tsx"
import { rejectSignIn } from "../pages/components/passwords.tsx"
import {
  type PageApp,
  type PageContext,
  type PageProps,
  type View,
  visitOf,
} from "../pages/page-context.ts"
import type { WorkspaceServices } from "../pages/page-services.ts"
import { linkPath } from "../pages/paths.ts"

export const workspacePath = "/workspace"

const entry = {
  home: workspacePath,
  namesOf(account: Account) {
    const { username } = account
    return { name: username, greeting: accountBodyOf(account).name.full_name || username }
  },
}

const Layout = ({ children, ...props }: PageProps & Readonly<{ next?: string }>) => (
  <PublicPage {...props}>
    <h1>{props.title}</h1>
    {children}
  </PublicPage>
)

export const addSignInRoutes = (app: PageApp, services: WorkspaceServices): void =>
  shared.addSignInRoutes(app, services, {
    ...entry,
    Layout,
    Intro: ({ view }) => (
      <>
        <SiteSignIn view={view} />
        {view.site.signInUrl !== null && <p>{view.texts.signIn.or}</p>}
      </>
    ),
    Help: ({ view: { site, texts }, view }) => (
      <p class="hint">
        {site.signInUrl === null ? texts.signIn.help : texts.signIn.helpThrough(site.name)}{" "}
        <SupportLink view={view} />
      </p>
    ),
    base: "",
    nameLabel: ({ texts }) => texts.signIn.name,
    isQuiet: ({ site }) => site.signInUrl !== null,
    isTwoFactorRequired: async () => false,
    owners: authorsIn(services.accounts),
    signIn: (attempt) => signIn(services, attempt),
    recordPassword(account, ipRange) {
      const actor = { kind: "author", name: account.username, ipRange } as const
      return recordAccountEvent({ ...services, actor }, account, "password")
    },
    showGone,
  })

const showGone = (c: PageContext) => c.html(<GonePage view={c.var.view} />, 404)

export function addLinkRoutes(app: PageApp, services: WorkspaceServices): void {
  const { accounts, twoFactor } = services

  /**
   * The script submits the form immediately. Opening the link alone does not use it up, because previews and mail
   * scanners open links. If another author is signed in or a 2FA code is required, the visitor submits the form.
   */
  async function showLink(
    c: PageContext,
    token: string,
    problem: string | null,
    status: 200 | 401 | 429,
  ): Promise<Response> {
    const account = await findLinked(services, accounts, token)
    if (account === null) return showGone(c)
    const { view } = c.var
    const { author } = view
    const { signIn, twoFactor: texts } = view.texts
    const name = displayName(accountBodyOf(account).name.full_name, account.username)
    const isOther = author !== null && c.var.account.id !== account.id
    const hasFactor = (await twoFactor.find(account.id)) !== null
    return c.html(
      <Layout view={view} title={signIn.title} problem={problem}>
        <p>{signIn.link.hello(isolateDirection(name), view.site.name)}</p>
        {isOther && (
          <p class="notice warning">
            {signIn.link.replaces(isolateDirection(displayName(author.name, author.username)))}
          </p>
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
      </Layout>,
      status,
    )
  }

  app.get("/login/link/:token", (c) => showLink(c, c.req.param("token"), null, 200))

  app.post("/login/link", async (c) => {
    const form = c.var.form
    const [token, code] = [form.text("token"), form.text("code")]
    try {
      const signedIn = await signInByLink(services, accounts, { token, code }, visitOf(c))
      if (signedIn === null) return showGone(c)
      return await shared.enter(c, services, entry, signedIn, workspacePath)
    } catch (error) {
      const { text, status } = rejectSignIn(c, error, c.var.view.texts.twoFactor.wrong)
      return showLink(c, token, text, status)
    }
  })
}

/** Also shown when a visitor opens a link again after using it. */
const GonePage = ({ view }: { view: View }) => {
  const { texts, site, author } = view
  const [path, text] =
    author === null ? ["/login", texts.signIn.title] : ["/workspace", texts.errors.overview]
  return (
    <Layout view={view} title={texts.signIn.invitation.goneTitle}>
      <p>{texts.signIn.invitation.gone}</p>
      <SiteSignIn view={view} />
      <p class="actions">
        <a class={site.signInUrl === null ? "button" : "button quiet"} href={path}>
          {text}
        </a>
        <SupportLink view={view} />
      </p>
    </Layout>
  )
}
