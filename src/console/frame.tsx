import type { Child } from "hono/jsx"
import { paths, workspaceOf } from "../access/paths.ts"
import { type Account, accountBodyOf } from "../accounts/account.ts"
import type { PageProps, View } from "../platform/pages/context.ts"
import type { Column } from "../platform/pages/data-table.tsx"
import { displayName, Pill } from "../platform/pages/elements.tsx"
import {
  AppLayout,
  Brand,
  Document,
  Languages,
  type Section,
  tabbed,
} from "../platform/pages/layout.tsx"

const nameOf = ({ site, texts }: View) => `${site.name} ${texts.navigation.console}`

export function sectionsOf({ texts }: View): readonly Section[] {
  const { navigation } = texts
  return [
    { path: paths.home, icon: "overview", text: navigation.home },
    { icon: "authors", path: paths.authors, text: texts.authors.title },
    { icon: "sales", path: paths.purchases, text: texts.sales.title },
    { path: paths.imports, icon: "imports", text: navigation.data },
    tabbed("audit", navigation.logs, [
      [paths.audit, texts.audit.title],
      [paths.traffic, texts.traffic.title],
    ]),
    tabbed("settings", navigation.settings, [
      [paths.settings, navigation.general],
      [paths.operators, texts.operators.title],
      [paths.webhooks, texts.webhooks.title],
      [paths.security, texts.settings.security.title],
    ]),
  ]
}

export type ChosenAuthor = Pick<Account, "id" | "username" | "body">

export const nameOfAuthor = (author: ChosenAuthor) =>
  displayName(accountBodyOf(author).name.full_name, author.username)

export const ConsolePage = ({ view, title, children, ...props }: PageProps) => (
  <AppLayout
    {...props}
    view={view}
    title={`${title} · ${view.texts.navigation.console}`}
    heading={props.heading ?? title}
    home={paths.home}
    name={nameOf(view)}
    navigation={view.texts.navigation.console}
    sections={sectionsOf(view)}
    signOutPath="/logout"
    search={{ path: paths.search, label: view.texts.search.console.label }}
    person={view.operator?.name ?? ""}
    personMenu={
      <>
        {view.teams.map(({ username, fullName }) => (
          <a href={workspaceOf(username).home}>
            <bdi>{displayName(fullName, username)}</bdi>
          </a>
        ))}
        <a href={paths.security}>{view.texts.settings.security.title}</a>
        <Languages view={view} />
      </>
    }
  >
    {children}
  </AppLayout>
)

export type Tone = Parameters<typeof Pill>[0]["tone"]

/** A column of states in colors. */
export const stateColumn = <Row,>(
  head: string,
  stateOf: (row: Row) => readonly [tone: Tone, text: string],
): Column<Row> => ({
  head,
  value: (row) => stateOf(row)[1],
  cell(row) {
    const [tone, text] = stateOf(row)
    return <Pill tone={tone}>{text}</Pill>
  },
})

/** The page of a list. */
export const pageOf = (view: View, title: string) => (list: Child) => (
  <ConsolePage view={view} title={title}>
    {list}
  </ConsolePage>
)

type PublicProps = PageProps & Readonly<{ next?: string }>

/** Pages without a session. `next` is the path after the sign-in. */
export const ConsolePublicPage = ({ view, title, problem, next, children }: PublicProps) => (
  <Document view={view} title={`${title} · ${view.texts.navigation.console}`} problem={problem}>
    <header class="public-bar">
      <Brand href={paths.home} name={nameOf(view)} />
      <Languages view={view} next={next} />
    </header>
    <main id="main" class="public" tabindex={-1}>
      <h1>{title}</h1>
      {children}
    </main>
  </Document>
)
