import {
  AppLayout,
  Brand,
  Document,
  findSection,
  Languages,
  type Section,
} from "../../pages/components/layout.tsx"
import type { PageProps } from "../../pages/view.ts"
import {
  actorOf,
  type ConsoleContext,
  type ConsoleView,
  viewOf,
  visitorOf,
} from "./console-context.ts"
import { paths } from "./console-paths.ts"

const nameOf = ({ site, texts }: ConsoleView) => `${site.name} ${texts.navigation.console}`

export const sectionsOf = ({ texts }: ConsoleView): readonly Section[] => [
  { path: paths.home, icon: "overview", text: texts.status.title },
  { path: paths.traffic, icon: "traffic", text: texts.traffic.title },
  { path: paths.authors, icon: "authors", text: texts.authors.title },
  { path: paths.keys, icon: "keys", text: texts.consoleKeys.title },
  { path: paths.items, icon: "items", text: texts.items.title },
  { path: paths.purchases, icon: "check", text: texts.purchases.title },
  { path: paths.imports, icon: "imports", text: texts.imports.title },
  { path: paths.webhooks, icon: "webhooks", text: texts.webhooks.title },
  { path: paths.operators, icon: "operators", text: texts.operators.title },
  { path: paths.audit, icon: "audit", text: texts.audit.title },
  { path: paths.settings, icon: "settings", text: texts.navigation.settings },
]

export const ConsolePage = ({ view, title, problem, children }: PageProps<ConsoleView>) => {
  const sections = sectionsOf(view)
  return (
    <AppLayout
      view={view}
      title={`${title} · ${view.texts.navigation.console}`}
      problem={problem}
      home={paths.home}
      name={nameOf(view)}
      navigation={view.texts.navigation.console}
      sections={sections}
      current={findSection(sections, view.path, paths.home)}
      signOutPath={paths.logout}
      search={{ path: paths.search, label: view.texts.search.console.label }}
      who={
        <>
          <Languages view={view} />
          <a
            class="who-name"
            href={paths.security}
            aria-current={view.path.startsWith(paths.security) ? "page" : undefined}
          >
            <bdi>{view.operator?.name}</bdi>
          </a>
        </>
      }
    >
      <h1>{title}</h1>
      {children}
    </AppLayout>
  )
}

/** For routes that the workspace also has. */
export const consoleArea = {
  Layout: ConsolePage,
  viewOf,
  identityOf(c: ConsoleContext) {
    const { operator, session } = visitorOf(c)
    return { person: operator, session, actor: actorOf(c) }
  },
}

type PublicProps = PageProps<ConsoleView> & Readonly<{ next?: string }>

/** Pages without a session. `next` is the path after the sign-in. */
export const ConsolePublicPage = ({ view, title, problem, next, children }: PublicProps) => (
  <Document view={view} title={`${title} · ${view.texts.navigation.console}`} problem={problem}>
    <header class="public-bar">
      <Brand view={view} href={paths.home} name={nameOf(view)} />
      <Languages view={view} next={next} />
    </header>
    <main id="main" class="public" tabindex={-1}>
      <h1>{title}</h1>
      {children}
    </main>
  </Document>
)
