import {
  type AuthorFacts,
  type AuthorSort,
  authorSorts,
} from "../../domain/catalog/author-search.ts"
import { isLive } from "../../domain/keys/api-key.ts"
import { trimWhitespace } from "../../domain/values/text.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import {
  Field,
  PostForm,
  QuietButton,
  Select,
  searchUnitsMax,
} from "../pages/components/form-fields.tsx"
import {
  displayName,
  NamedLink,
  Pill,
  RelativeTime,
} from "../pages/components/formatted-values.tsx"
import { StatePill } from "../pages/components/key-state.tsx"
import { type Column, CsvLink, Pager, Table } from "../pages/components/panels-and-tables.tsx"
import { type CsvColumn, csvTimestamp, type ListPages, sendCsv } from "../pages/csv.ts"
import type { KeyFacts } from "../pages/key-facts.ts"
import { type ConsoleApp, type ConsoleView, viewOf } from "./layout/console-context.ts"
import { ConsolePage } from "./layout/console-layout.tsx"
import { paths } from "./layout/console-paths.ts"
import type { ConsoleServices } from "./layout/console-services.ts"
import { authorQuery } from "./layout/list-components.tsx"

const pageAuthors = 25

export function addAuthorsRoutes(app: ConsoleApp, { authorSearch, now }: ConsoleServices): void {
  const listAll = (sort: AuthorSort): ListPages<AuthorFacts> =>
    async function* listPages(currentRowsMax) {
      for (let offset = 0; ; ) {
        const [at, rowsMax] = [formatTimestamp(now()), currentRowsMax()]
        const { authors } = await authorSearch.search({ text: "", sort, at, offset, rowsMax })
        yield authors
        if (authors.length < rowsMax) return
        offset += rowsMax
      }
    }
  app.get(paths.authorsCsv({}), (c) =>
    sendCsv(c, "authors", csvColumns(viewOf(c)), listAll(sortIn(c.req.query("sort")))),
  )

  const search = (text: string, sort: AuthorSort, page: number) =>
    authorSearch.search({
      text,
      sort,
      at: formatTimestamp(now()),
      offset: (page - 1) * pageAuthors,
      rowsMax: pageAuthors,
    })

  app.get(paths.authors, async (c) => {
    const sort = sortIn(c.req.query("sort"))
    const parameter = c.req.query("page") ?? ""
    const page = /^[1-9]\d{0,5}$/.test(parameter) ? Number(parameter) : 1
    const found = await search("", sort, page)
    const pages = Math.max(1, Math.ceil(found.total / pageAuthors))
    if (found.total > 0 && page > pages) return c.redirect(pathOf(sort, pages), 302)
    const shown = { text: "", sort, page, pages }
    return c.html(<AuthorsPage view={viewOf(c)} {...shown} {...found} />)
  })

  // E-mail addresses must not be in URLs.
  app.post(paths.authors, async (c) => {
    const form = c.get("form")
    const text = trimWhitespace(form.text("q").slice(0, searchUnitsMax).toWellFormed())
    const sort = sortIn(form.text("sort"))
    if (text === "") return c.redirect(pathOf(sort, 1), 303)
    const shown = { text, sort, page: 1, pages: 1 }
    return c.html(<AuthorsPage view={viewOf(c)} {...shown} {...(await search(text, sort, 1))} />)
  })
}

const sortIn = (text: string | undefined) =>
  authorSorts.find((each) => each === text) ?? authorSorts[0]

function csvColumns({ texts }: ConsoleView): readonly CsvColumn<AuthorFacts>[] {
  const { authors } = texts
  return [
    { head: texts.settings.profile.username, cell: ({ username }) => username },
    { head: authors.author, cell: ({ fullName }) => fullName },
    { head: texts.settings.profile.email, cell: ({ email }) => email },
    { head: texts.columns.state, cell: (author) => authors[stateOfAuthor(author)] },
    { head: authors.requests, cell: ({ calls }) => calls },
    { head: texts.sales.title, cell: ({ purchases }) => purchases },
    { head: texts.items.title, cell: ({ items }) => items },
    { head: texts.consoleKeys.title, cell: ({ keys }) => keys },
    {
      head: texts.lists.csv.inUtc(authors.lastSeen),
      cell: ({ lastSeenAt }) => lastSeenAt && csvTimestamp(lastSeenAt),
    },
  ]
}

const pathOf = (sort: AuthorSort, page: number) =>
  paths.authorsAt({ sort, page: page === 1 ? "" : String(page) })

type Props = Readonly<{
  view: ConsoleView
  text: string
  sort: AuthorSort
  page: number
  pages: number
  total: number
  authors: readonly AuthorFacts[]
}>

export const AuthorsPage = (props: Props) => {
  const { view, text, sort, total } = props
  const texts = view.texts.authors
  return (
    <ConsolePage view={view} title={texts.title}>
      <PostForm view={view} action={paths.authors} class="filter">
        <Field
          name="q"
          label={texts.search}
          type="search"
          value={text}
          maxlength={searchUnitsMax}
        />
        <Select
          name="sort"
          label={view.texts.items.sort}
          options={authorSorts.map((each) => [each, texts.sorts[each]])}
          chosen={sort}
        />
        <QuietButton>{view.texts.search.title}</QuietButton>
      </PostForm>
      {total === 0 ? (
        <p class="empty">{text === "" ? texts.none : texts.noMatch(text)}</p>
      ) : (
        <AuthorTable {...props} />
      )}
    </ConsolePage>
  )
}

const AuthorTable = ({ view, text, sort, page, pages, total, authors }: Props) => {
  const texts = view.texts.authors
  const { columns, items, sales } = view.texts
  return (
    <>
      <Table
        rows={authors}
        columns={[
          {
            head: texts.author,
            cell: ({ id, fullName, username, email }) => (
              <>
                <NamedLink
                  class="clamp"
                  href={paths.author(id)}
                  name={displayName(fullName, username)}
                />{" "}
                <span class="hint mono clamp">
                  <bdi>{displayName(username, id)}</bdi>
                </span>
                <span class="hint clamp">
                  <bdi>{displayName(email, "–")}</bdi>
                </span>
              </>
            ),
          },
          {
            head: columns.state,
            isClear: true,
            cell: (author) => <AuthorState view={view} author={author} />,
          },
          linkColumn(view, texts.requests, "calls", ({ id }) => paths.authorWeek(id)),
          linkColumn(view, sales.title, "purchases", (author) =>
            paths.purchasesAt(authorQuery(author)),
          ),
          linkColumn(view, items.title, "items", (author) => paths.itemsAt(authorQuery(author))),
          linkColumn(view, view.texts.consoleKeys.title, "keys", (author) =>
            paths.keysAt(authorQuery(author)),
          ),
          { head: texts.lastSeen, cell: (author) => <LastSeen view={view} author={author} /> },
        ]}
      />
      {text === "" && (
        <div class="pager">
          <CsvLink view={view} path={paths.authorsCsv({ sort })} />
        </div>
      )}
      {total > authors.length && text !== "" && (
        <p class="hint">{view.texts.search.more(pageAuthors)}</p>
      )}
      <Pager
        view={view}
        label={texts.title}
        total={texts.total(total)}
        page={page}
        pages={pages}
        linkTo={(target) => pathOf(sort, target)}
      />
    </>
  )
}

type CountName = "calls" | "purchases" | "items" | "keys"

const linkColumn = (
  { locale }: ConsoleView,
  head: string,
  name: CountName,
  linkTo: (author: AuthorFacts) => string,
): Column<AuthorFacts> => ({
  head,
  isNumber: true,
  cell: (author) =>
    author[name] === 0 ? "0" : <a href={linkTo(author)}>{author[name].toLocaleString(locale)}</a>,
})

type AuthorStateProps = Readonly<{ view: ConsoleView; author: AuthorFacts }>

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

export const AuthorState = ({ view, author }: AuthorStateProps) => {
  const state = stateOfAuthor(author)
  return <Pill tone={tones[state]}>{view.texts.authors[state]}</Pill>
}

/** Ended sessions leave no timestamp. */
export const LastSeen = ({ view, author: { hasPassword, lastSeenAt } }: AuthorStateProps) =>
  hasPassword && lastSeenAt === null ? (
    <span>{view.texts.authors.noSession}</span>
  ) : (
    <RelativeTime view={view} at={lastSeenAt} />
  )

type KeyProps = Readonly<{
  view: ConsoleView
  facts: Pick<KeyFacts, "key" | "state">
  isAuthorSuspended: boolean
}>

/** All keys of a suspended author are rejected. */
export const ConsoleKeyState = ({ view, facts, isAuthorSuspended }: KeyProps) =>
  isAuthorSuspended && isLive(facts.state) ? (
    <Pill tone="danger">{view.texts.authors.suspended}</Pill>
  ) : (
    <StatePill view={view} facts={facts} />
  )
