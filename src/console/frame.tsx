import { paths, workspaceOf } from "../access/paths.ts"
import { type Account, accountBodyOf } from "../accounts/account.ts"
import { currentView, type PageProps } from "../platform/pages/context.ts"
import { displayName } from "../platform/pages/elements.tsx"
import {
  AppLayout,
  Brand,
  Document,
  Languages,
  type Section,
  tabbed,
} from "../platform/pages/layout.tsx"
import { t } from "../platform/t.ts"

const nameOf = () => `${currentView().site.name} ${t("Console")}`

export function sectionsOf(): readonly Section[] {
  return [
    { path: paths.home, icon: "overview", text: t("Home") },
    { icon: "authors", path: paths.authors, text: t("Authors") },
    { icon: "sales", path: paths.purchases, text: t("Sales") },
    { path: paths.imports, icon: "imports", text: t("Data") },
    tabbed("audit", t("Logs"), [
      [paths.audit, t("Audit log")],
      [paths.traffic, t("Traffic")],
    ]),
    tabbed("settings", t("Settings"), [
      [paths.settings, t("General")],
      [paths.operators, t("Operators")],
      [paths.webhooks, t("Webhooks")],
      [paths.security, t("Security")],
    ]),
  ]
}

export type ChosenAuthor = Pick<Account, "id" | "username" | "body">

export const nameOfAuthor = (author: ChosenAuthor) =>
  displayName(accountBodyOf(author).name.full_name, author.username)

export const ConsolePage = ({ title, children, ...props }: PageProps) => (
  <AppLayout
    {...props}
    title={`${title} · ${t("Console")}`}
    heading={props.heading ?? title}
    home={paths.home}
    name={nameOf()}
    navigation={t("Console")}
    sections={sectionsOf()}
    signOutPath="/logout"
    search={{
      path: paths.search,
      label: t("Search for a code, buyer, key, author, item, operator or page"),
    }}
    person={currentView().operator?.name ?? ""}
    personMenu={
      <>
        {currentView().teams.map(({ username, fullName }) => (
          <a href={workspaceOf(username).home}>
            <bdi>{displayName(fullName, username)}</bdi>
          </a>
        ))}
        <a href={paths.security}>{t("Security")}</a>
        <Languages />
      </>
    }
  >
    {children}
  </AppLayout>
)

type PublicProps = PageProps & Readonly<{ next?: string }>

/** Pages without a session. `next` is the path after the sign-in. */
export const ConsolePublicPage = ({ title, problem, next, children }: PublicProps) => (
  <Document title={`${title} · ${t("Console")}`} problem={problem}>
    <header class="public-bar">
      <Brand href={paths.home} name={nameOf()} />
      <Languages next={next} />
    </header>
    <main id="main" class="public" tabindex={-1}>
      <h1>{title}</h1>
      {children}
    </main>
  </Document>
)
