/** The security page of an author or operator: password, two-factor authentication and sessions. */
import type { Hono } from "hono"
import { isConfirmed, isOpen, type Session } from "../../../domain/sign-in/session.ts"
import {
  changePassword,
  confirmPassword,
  type Owners,
} from "../../../operations/sign-in/password-operations.ts"
import { DataTable } from "../components/data-table.tsx"
import { Field, PostForm, QuietButton } from "../components/form-fields.tsx"
import { Pill } from "../components/formatted-values.tsx"
import { SiteSignIn } from "../components/layout.tsx"
import { Panel } from "../components/panels-and-tables.tsx"
import { NewPasswordFields, UsernameField } from "../components/password-fields.tsx"
import {
  describeSignInRejection,
  findNewPasswordProblems,
  type NewPasswordProblems,
} from "../confirm-password.ts"
import type { Cookies } from "../cookies.ts"
import {
  ipRangeOfRequest,
  type PageArea,
  type PageContext,
  type PageEnv,
  visitOf,
} from "../page-context.ts"
import type { PageServices } from "../page-services.ts"
import type { View } from "../view.ts"
import { addTwoFactorRoutes, TwoFactorPanel } from "./two-factor-page.tsx"

type SecurityRouteOptions<Visitor, V extends View, Owner extends { id: number }> = PageArea<
  Visitor,
  V
> &
  Readonly<{
    path: string
    loginPath: string
    cookies: Cookies
    owners: Pick<Owners<Owner>, "namesOf">
    ownerOf(c: PageContext<Visitor>): Owner
    isTwoFactorRequired(): Promise<boolean>
    record(
      c: PageContext<Visitor>,
      action: "password" | "second_factor_on" | "second_factor_off",
    ): Promise<unknown>
  }>

type Problems = NewPasswordProblems & Readonly<{ current?: string; code?: string }>

export function addSecurityRoutes<Visitor, V extends View, Owner extends { id: number }>(
  app: Hono<PageEnv<Visitor>>,
  services: PageServices,
  area: SecurityRouteOptions<Visitor, V, Owner>,
): void {
  const { passwords, sessions, twoFactor, now } = services
  const { path, loginPath, cookies, owners, ownerOf, Layout } = area
  type C = PageContext<Visitor>

  async function show(c: C, problems: Problems | null): Promise<Response> {
    const { person, session } = area.identityOf(c)
    const view = area.viewOf(c)
    const texts = view.texts.settings.security
    const form = formFor(c, await passwords.find(person.id))
    const all = await sessions.list(person.id)
    const hasFactor = (await twoFactor.find(person.id)) !== null
    const page = (
      <Layout view={view} title={texts.title} problem={problems && Object.values(problems)[0]}>
        <Panel id="password-title" title={form === "change" ? texts.password : texts.setPassword}>
          {form === "none" ? (
            <>
              <p>{texts.noPassword}</p>
              <SiteSignIn view={view} />
            </>
          ) : (
            <PasswordForm {...{ view, path, name: person.name, form, problems }} />
          )}
        </Panel>
        <TwoFactorPanel
          view={view}
          path={path}
          recoveryCodes={hasFactor ? await twoFactor.countRecoveryCodes(person.id) : null}
          problem={problems?.code}
        />
        <SessionTable
          view={view}
          path={`${path}/sessions`}
          sessions={all.filter((each) => isOpen(each, now()))}
          currentId={session.id}
        />
      </Layout>
    )
    return c.html(page, problems === null ? 200 : 422)
  }

  /**
   * An author without a password may set one only shortly after using a sign-in link: a browser that was
   * left open must not be enough.
   */
  function formFor(c: C, hash: string | null) {
    if (hash !== null) return "change"
    return isConfirmed(area.identityOf(c).session, now()) ? "set" : "none"
  }

  app.get(path, (c) => show(c, null))

  app.post(`${path}/password`, async (c) => {
    const { person } = area.identityOf(c)
    const owner = ownerOf(c)
    const form = c.get("form")
    let knownHash = await passwords.find(person.id)
    if (formFor(c, knownHash) === "none") return show(c, null)
    const problems = findNewPasswordProblems(c, owners.namesOf(owner))
    try {
      if (knownHash !== null) {
        const current = form.raw("current")
        knownHash = await confirmPassword(services, person, ipRangeOfRequest(c), current)
      }
    } catch (error) {
      const { texts } = area.viewOf(c)
      const current = describeSignInRejection(texts, error, texts.signIn.passwordProblems.wrong)
      return show(c, { current, ...problems })
    }
    if (problems !== null) return show(c, problems)
    const change = { knownHash, password: form.raw("password") }
    const signedIn = await changePassword(services, owners, owner, change, visitOf(c))
    // A concurrent change has ended all sessions.
    if (signedIn === null) return c.redirect(loginPath, 303)
    await area.record(c, "password")
    cookies.writeSession(c, signedIn.token)
    return c.redirect(`${path}?done=password`, 303)
  })

  app.post(`${path}/sessions/:id`, async (c) => {
    const id = c.req.param("id")
    await sessions.end(area.identityOf(c).person.id, id)
    if (id !== "all") return c.redirect(path, 303)
    cookies.clearSession(c)
    return c.redirect(`${loginPath}?done=signed_out`, 303)
  })

  addTwoFactorRoutes(app, services, {
    ...area,
    isRequired: area.isTwoFactorRequired,
    showProblem: (c, code) => show(c, { code }),
  })
}

type PasswordFormProps = Readonly<{
  view: View
  path: string
  name: string
  form: "change" | "set"
  problems: Problems | null
}>

const PasswordForm = ({ view, path, name, form, problems }: PasswordFormProps) => {
  const texts = view.texts.settings.security
  return (
    <>
      <p class="hint">{form === "set" ? texts.setHint : texts.ends}</p>
      <PostForm view={view} action={`${path}/password`}>
        <UsernameField name={name} />
        {form === "change" && (
          <Field
            name="current"
            label={texts.current}
            type="password"
            autocomplete="current-password"
            error={problems?.current}
            isRequired
          />
        )}
        <NewPasswordFields view={view} problems={problems} />
        <button type="submit">{form === "change" ? texts.password : texts.setPassword}</button>
      </PostForm>
    </>
  )
}

type SessionTableProps = Readonly<{
  view: View
  /** Forms are sent to this path plus the id of a session or `all`. */
  path: string
  sessions: readonly Session[]
  currentId: string
}>

const SessionTable = ({ view, path, sessions, currentId }: SessionTableProps) => {
  const { columns } = view.texts
  const texts = view.texts.settings.security
  return (
    <Panel id="sessions-title" title={texts.sessions}>
      <DataTable
        view={view}
        rows={sessions}
        columns={[
          {
            head: texts.browser,
            isWide: true,
            value: ({ device }) => describeDevice(device) || texts.unknownDevice,
            cell: ({ id, device }) => (
              <>
                {describeDevice(device) || texts.unknownDevice}{" "}
                {id === currentId && <Pill tone="good">{texts.thisOne}</Pill>}
              </>
            ),
          },
          { head: columns.ipRange, kind: "code", value: ({ ipRange }) => ipRange },
          { head: texts.since, kind: "time", priority: 2, value: ({ createdAt }) => createdAt },
          { head: columns.lastSeen, kind: "time", value: ({ lastSeenAt }) => lastSeenAt },
        ]}
        menuOf={({ id }) =>
          id !== currentId && (
            <PostForm view={view} action={`${path}/${id}`}>
              <QuietButton>{texts.signOut}</QuietButton>
            </PostForm>
          )
        }
      />
      <details>
        <summary>{texts.signOutAll}</summary>
        <p>{texts.signOutAllHint}</p>
        <PostForm view={view} action={`${path}/all`}>
          <button type="submit" class="danger">
            {texts.signOutAll}
          </button>
        </PostForm>
      </details>
    </Panel>
  )
}

/** User agents also name other browsers: the first match in this order is the browser. */
const browsers = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
  ["curl/", "curl"],
] as const

const systems = [
  ["Android", "Android"],
  ["iPhone", "iOS"],
  ["iPad", "iPadOS"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"],
] as const

/** As in "Firefox · Linux"; empty if neither is recognized. */
function describeDevice(userAgent: string): string {
  const find = (names: readonly (readonly [token: string, name: string])[]) =>
    names.find(([token]) => userAgent.includes(token))?.[1]
  return [find(browsers), find(systems)].filter((name) => name !== undefined).join(" · ")
}
