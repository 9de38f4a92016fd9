import type { Child } from "hono/jsx"
import { type Account, accountBodyOf } from "../../../domain/catalog/account.ts"
import type { Column } from "../../pages/components/data-table.tsx"
import { displayName, Pill, Tabs } from "../../pages/components/elements.tsx"
import {
  AppLayout,
  Brand,
  Document,
  Languages,
  type Section,
  tabbed,
} from "../../pages/components/layout.tsx"
import type { PageProps, View } from "../../pages/page-context.ts"
import { may } from "./console-context.ts"
import { paths } from "./console-paths.ts"

const nameOf = ({ site, texts }: View) => `${site.name} ${texts.navigation.console}`

export function sectionsOf({ texts }: View): readonly Section[] {
  const { navigation } = texts
  return [
    { path: paths.home, icon: "overview", text: navigation.home },
    tabbed("authors", texts.authors.title, [
      [paths.authors, texts.authors.title],
      [paths.keys, texts.keys.console.title],
    ]),
    tabbed("sales", texts.sales.title, [
      [paths.purchases, texts.sales.title],
      [paths.items, texts.items.title],
    ]),
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

type ConsolePageProps = PageProps &
  Readonly<{
    /** The page is about this author: it has the author's heading and tabs. */
    author?: ChosenAuthor | null
  }>

export const ConsolePage = ({ view, title, author, children, ...props }: ConsolePageProps) => (
  <AppLayout
    {...(author && { current: paths.authors, tabs: <AuthorTabs view={view} author={author} /> })}
    {...props}
    view={view}
    title={`${title} · ${view.texts.navigation.console}`}
    heading={props.heading ?? (author ? <bdi>{nameOfAuthor(author)}</bdi> : title)}
    home={paths.home}
    name={nameOf(view)}
    navigation={view.texts.navigation.console}
    sections={sectionsOf(view)}
    signOutPath="/logout"
    search={{ path: paths.search, label: view.texts.search.console.label }}
    person={view.operator?.name ?? ""}
    personMenu={
      <>
        {view.author !== null && <a href="/workspace">{view.texts.landing.open}</a>}
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
export const pageOf =
  (view: View, title: string, author: ChosenAuthor | null = null) =>
  (list: Child) => (
    <ConsolePage view={view} title={title} author={author}>
      {list}
    </ConsolePage>
  )

const AuthorTabs = ({ view, author }: { view: View; author: ChosenAuthor }) => {
  const { audit, authors: texts, items, keys, overview, sales, traffic } = view.texts
  const tabs = [
    [paths.author(author.id), overview.title],
    [paths.keysOf(author.id), keys.console.title],
    [paths.itemsOf(author.id), items.title],
    [paths.salesOf(author.id), sales.title],
    [paths.authorTraffic(author.id), traffic.title],
    [paths.auditOf(author.username), audit.title],
  ].map(([path = "", text]) => ({ path, text, isCurrent: path.split("?")[0] === view.path }))
  return <Tabs label={texts.tabs} tabs={tabs} />
}

/** For routes that the workspace also has. */
export const consoleArea = { Layout: ConsolePage, may }

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
