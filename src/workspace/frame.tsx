import { may } from "../access/page-view.ts"
import { workspaceOf } from "../access/paths.ts"
import { operatorRoleTexts } from "../people/person.ts"
import { currentView, type PageProps } from "../platform/pages/context.ts"
import { displayName, isolateDirection } from "../platform/pages/elements.tsx"
import {
  AppLayout,
  AuthorLanguages,
  type ErrorStatus,
  errorTexts,
  PublicPage,
  type Section,
  SupportLink,
  tabbed,
} from "../platform/pages/layout.tsx"
import { t } from "../platform/t.ts"
/** Keys precede the settings: the first section that contains the path is marked. */
export function workspaceSections(): readonly Section[] {
  const view = currentView()
  const { paths } = view
  const maySetUp = may("read_setup")
  return [
    { icon: "overview", path: paths.home, text: t("Overview") },
    tabbed("sales", t("Sales"), [
      [paths.sales, t("Sales")],
      [paths.check, t("Check a code")],
    ]),
    { icon: "items", path: paths.items, text: t("Items") },
    { icon: "traffic", path: paths.log, text: t("Failed requests") },
    ...(maySetUp ? [{ icon: "keys", path: paths.keys, text: t("API Access") } as const] : []),
    tabbed("settings", t("Settings"), [
      [paths.settings, t("General")],
      ...(maySetUp
        ? ([
            [paths.webhooks, t("Webhooks")],
            [paths.people, t("People")],
          ] as const)
        : []),
      ...(view.isVisiting ? [] : [[paths.security, t("Security")] as const]),
    ]),
  ]
}

/** Whose workspace it is, and the others of the person. */
const Teams = () => {
  const { author, teams } = currentView()
  const name = <bdi>{author && displayName(author.name, author.username)}</bdi>
  const others = teams.filter(({ username }) => username !== author?.username)
  if (others.length === 0) return <p class="team">{name}</p>
  return (
    <details class="team">
      <summary>{name}</summary>
      <nav aria-label={t("Workspaces")} class="bar-links">
        {others.map(({ username, fullName }) => (
          <a href={workspaceOf(username).home}>
            <bdi>{displayName(fullName, username)}</bdi>
          </a>
        ))}
      </nav>
    </details>
  )
}

export const WorkspacePage = ({ children, ...props }: PageProps) => {
  const { paths, site, person, operator, isVisiting } = currentView()
  return (
    <AppLayout
      {...props}
      home={paths.home}
      name={site.name}
      navigation={t("Workspace")}
      sections={workspaceSections()}
      signOutPath="/logout"
      search={{ path: paths.search, label: t("Search for a code, item, key or page") }}
      switcher={<Teams />}
      person={person?.name ?? ""}
      personMenu={
        <>
          {operator !== null && <a href="/console">{t("Console")}</a>}
          <a href="/docs">{t("Docs")}</a>
          <SupportLink />
          <AuthorLanguages />
        </>
      }
    >
      {isVisiting && (
        <p class="notice warning" role="status">
          {describeVisit()} <a href="/console">{t("Console")}</a>
        </p>
      )}
      {children}
    </AppLayout>
  )
}

function describeVisit(): string {
  const { author, operator } = currentView()
  const role = t(operatorRoleTexts[operator?.role ?? "viewer"].name)
  return t(
    "You are in the workspace of {username} as an operator ({role}). What you change is in the audit log.",
    { username: isolateDirection(author?.username ?? ""), role },
  )
}

/** Signed-in authors keep the navigation. The path of the view is empty: no section is marked. */
export const ErrorPage = ({ status }: { status: ErrorStatus }) => {
  const { author, paths } = currentView()
  const Page = author === null ? PublicPage : WorkspacePage
  const title = t(errorTexts[status].title)
  return (
    <Page title={title}>
      {author === null && <h1>{title}</h1>}
      <p class="hint">{status}</p>
      <p>{t(errorTexts[status].text)}</p>
      <p class="actions">
        {author === null ? (
          <a href="/">{t("Go to the start page")}</a>
        ) : (
          <a href={paths.home}>{t("Go to the overview")}</a>
        )}
        <SupportLink />
      </p>
    </Page>
  )
}
