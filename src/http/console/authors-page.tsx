import { type AuthorFacts, type AuthorSort, authorSorts } from "../../domain/catalog/account.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import type { Column } from "../pages/components/data-table.tsx"
import { displayName, Pill } from "../pages/components/elements.tsx"
import { addList, readByOffset } from "../pages/components/list.tsx"
import { type ConsoleApp, type ConsoleView, viewOf } from "./layout/console-context.ts"
import { ConsolePage } from "./layout/console-layout.tsx"
import { paths } from "./layout/console-paths.ts"
import type { ConsoleServices } from "./layout/console-services.ts"

export const addAuthorsRoutes = (app: ConsoleApp, { authorSearch, now }: ConsoleServices): void =>
  addList(app, {
    path: paths.authors,
    file: "authors",
    // E-mail addresses must not be in URLs.
    isPrivate: true,
    open(c, { text, sort }) {
      const view = viewOf(c)
      const texts = view.texts.authors
      const order: AuthorSort =
        authorSorts.find((each) => each === sort.replace(/^-/, "")) ?? authorSorts[0]
      const isDescending = sort === "" || sort.startsWith("-")
      return {
        columns: authorColumns(view),
        read: (after, rowsMax) =>
          readByOffset(after, rowsMax, async (offset) => {
            const at = formatTimestamp(now())
            const query = { text, sort: order, isDescending, at, offset, rowsMax }
            const { authors, total } = await authorSearch.search(query)
            return { rows: authors, total }
          }),
        search: texts.search,
        linkOf: ({ id }: AuthorFacts) => paths.author(id),
        empty: text === "" ? texts.none : view.texts.lists.none,
        page: (list) => (
          <ConsolePage view={view} title={texts.title}>
            {list}
          </ConsolePage>
        ),
      }
    },
  })

/** The columns by which an author is recognized. */
const nameColumns = ({ texts }: ConsoleView): readonly Column<AuthorFacts>[] => [
  {
    head: texts.authors.author,
    isWide: true,
    value: ({ fullName, username }) => displayName(fullName, username),
  },
  {
    head: texts.settings.profile.username,
    priority: 2,
    sort: "name",
    value: ({ username }) => username,
  },
]

export const salesOfAuthorColumns = (view: ConsoleView): readonly Column<AuthorFacts>[] => [
  ...nameColumns(view),
  { head: view.texts.sales.title, kind: "number", value: ({ purchases }) => purchases },
]

function authorColumns(view: ConsoleView): readonly Column<AuthorFacts>[] {
  const { authors: texts, columns, items, keys, sales, settings } = view.texts
  return [
    ...nameColumns(view),
    { head: settings.profile.email, on: "csv", value: ({ email }) => email },
    {
      head: columns.state,
      value: (author) => texts[stateOfAuthor(author)],
      cell: (author) => <AuthorState view={view} author={author} />,
    },
    {
      ...linkColumn(view, texts.requests, "calls", ({ id }) => paths.authorWeek(id)),
      sort: "calls",
    },
    linkColumn(view, sales.title, "purchases", ({ id }) => paths.salesOf(id)),
    { ...linkColumn(view, items.title, "items", ({ id }) => paths.itemsOf(id)), priority: 3 },
    { ...linkColumn(view, keys.console.title, "keys", ({ id }) => paths.keysOf(id)), priority: 3 },
    {
      head: texts.lastSeen,
      kind: "time",
      sort: "seen",
      priority: 2,
      value: ({ lastSeenAt }) => lastSeenAt,
    },
  ]
}

const linkColumn = (
  { locale }: ConsoleView,
  head: string,
  name: "calls" | "purchases" | "items" | "keys",
  linkTo: (author: AuthorFacts) => string,
): Column<AuthorFacts> => ({
  head,
  kind: "number",
  value: (author) => author[name],
  cell: (author) =>
    author[name] === 0 ? "0" : <a href={linkTo(author)}>{author[name].toLocaleString(locale)}</a>,
})

function stateOfAuthor({ isSuspended, hasPassword, isInvited, lastSeenAt }: AuthorFacts) {
  if (isSuspended) return "suspended"
  if (hasPassword || lastSeenAt !== null) return "active"
  return isInvited ? "invited" : "noPassword"
}

const tones = {
  suspended: "danger",
  invited: "plain",
  noPassword: "plain",
  active: "good",
} as const

export const AuthorState = ({ view, author }: { view: ConsoleView; author: AuthorFacts }) => {
  const state = stateOfAuthor(author)
  return <Pill tone={tones[state]}>{view.texts.authors[state]}</Pill>
}
