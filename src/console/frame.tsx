import { paths, workspaceOf } from "../access/paths.ts"
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

const describeConsole = () => `${currentView().site.name} ${t("Console")}`

export const consoleSections = (): readonly Section[] => [
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

export const ConsolePage = ({ title, children, ...props }: PageProps) => (
  <AppLayout
    {...props}
    title={`${title} · ${t("Console")}`}
    heading={props.heading ?? title}
    home={paths.home}
    name={describeConsole()}
    navigation={t("Console")}
    sections={consoleSections()}
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

/** Pages without a session. */
export const ConsolePublicPage = ({ title, problem, children }: PageProps) => (
  <Document title={`${title} · ${t("Console")}`} problem={problem}>
    <header class="public-bar">
      <Brand href={paths.home} name={describeConsole()} />
      <Languages />
    </header>
    <main id="main" class="public" tabindex={-1}>
      <h1>{title}</h1>
      {children}
    </main>
  </Document>
)
