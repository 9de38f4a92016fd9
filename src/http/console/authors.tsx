import { type AuthorFacts, purchasesCounted } from "../../domain/catalogue/author-search.ts"
import { isLive } from "../../domain/keys/api-key.ts"
import { trimBlank } from "../../domain/values/text.ts"
import type { Locale } from "../api/answer/messages.ts"
import type { KeyFacts } from "../pages/key-facts.ts"
import { numberColumn, Pager, Table } from "../pages/parts/blocks.tsx"
import { Field } from "../pages/parts/fields.tsx"
import { StatePill } from "../pages/parts/key-state.tsx"
import { Moment, Pill, shownName } from "../pages/parts/values.tsx"
import { type ConsoleApp, type ConsoleView, viewOf } from "./frame/console-context.ts"
import { ConsolePage } from "./frame/console-layout.tsx"
import { paths } from "./frame/console-paths.ts"
import type { ConsoleServices } from "./frame/services.ts"

const pageAuthors = 25
const searchUnitsMax = 200

export function addAuthorsRoutes(app: ConsoleApp, { authorSearch }: ConsoleServices): void {
  app.get(paths.authors, async (c) => {
    const text = trimBlank((c.req.query("q") ?? "").slice(0, searchUnitsMax))
    const asked = c.req.query("page") ?? ""
    const page = /^[1-9]\d{0,5}$/.test(asked) ? Number(asked) : 1
    const query = { text, offset: (page - 1) * pageAuthors, rowsMax: pageAuthors }
    const { authors, total } = await authorSearch.search(query)
    const pages = Math.max(1, Math.ceil(total / pageAuthors))
    if (total > 0 && page > pages) return c.redirect(paths.authorsAt(text, pages), 302)
    return c.html(
      <AuthorsPage
        view={viewOf(c)}
        text={text}
        page={page}
        pages={pages}
        total={total}
        authors={authors}
      />,
    )
  })
}

type Props = Readonly<{
  view: ConsoleView
  text: string
  page: number
  pages: number
  total: number
  authors: readonly AuthorFacts[]
}>

export const AuthorsPage = (props: Props) => {
  const { view, text, total } = props
  const texts = view.texts.authors
  return (
    <ConsolePage view={view} title={texts.title}>
      <form method="get" action={paths.authors} class="filter" role="search" data-live>
        <Field name="q" label={texts.search} type="search" value={text} maxlength={200} />
        <button type="submit" class="quiet">
          {view.words.items.find}
        </button>
      </form>
      <div id="results" aria-live="polite">
        {total === 0 ? (
          <p class="empty">{text === "" ? texts.none : texts.noMatch(text)}</p>
        ) : (
          <AuthorTable {...props} />
        )}
      </div>
    </ConsolePage>
  )
}

const AuthorTable = ({ view, text, page, pages, total, authors }: Props) => {
  const texts = view.texts.authors
  return (
    <>
      <Table
        rows={authors}
        columns={[
          {
            head: texts.author,
            cell: ({ id, fullName, username }) => (
              <>
                <a class="clamp" href={paths.author(id)}>
                  <bdi>{shownName(fullName, username)}</bdi>
                </a>{" "}
                <span class="hint mono clamp">
                  <bdi>{shownName(username, id)}</bdi>
                </span>
              </>
            ),
          },
          {
            head: view.words.profile.email,
            cell: ({ email }) => (
              <span class="clamp">
                <bdi>{shownName(email, "–")}</bdi>
              </span>
            ),
          },
          {
            head: texts.state,
            isClear: true,
            cell: (author) => <AuthorState view={view} author={author} />,
          },
          numberColumn(view, texts.items, "items"),
          {
            head: texts.purchases,
            isNumber: true,
            cell: ({ purchases }) => formatPurchases(purchases, view.locale),
          },
          numberColumn(view, texts.keys, "keys"),
          { head: texts.lastSeen, cell: (author) => <LastSeen view={view} author={author} /> },
        ]}
      />
      <Pager
        view={view}
        label={texts.title}
        total={texts.total(total)}
        page={page}
        pages={pages}
        linkTo={(target) => paths.authorsAt(text, target)}
      />
    </>
  )
}

type AuthorStateProps = Readonly<{ view: ConsoleView; author: AuthorFacts }>

/** An author who has never signed in is invited. */
export const AuthorState = ({
  view,
  author: { isSuspended, hasSignedIn, lastSeenAt },
}: AuthorStateProps) => {
  const texts = view.texts.authors
  if (isSuspended) return <Pill tone="danger">{texts.suspended}</Pill>
  if (!hasSignedIn && lastSeenAt === null) return <Pill tone="plain">{texts.invited}</Pill>
  return <Pill tone="good">{texts.active}</Pill>
}

/** A session that has ended leaves no moment behind. */
export const LastSeen = ({ view, author: { hasSignedIn, lastSeenAt } }: AuthorStateProps) =>
  hasSignedIn && lastSeenAt === null ? (
    <span>{view.texts.authors.noSession}</span>
  ) : (
    <Moment view={view} at={lastSeenAt} />
  )

type KeyProps = Readonly<{
  view: ConsoleView
  facts: Pick<KeyFacts, "key" | "state">
  isAuthorSuspended: boolean
}>

/** No key of a suspended author works. */
export const ConsoleKeyState = ({ view, facts, isAuthorSuspended }: KeyProps) =>
  isAuthorSuspended && isLive(facts.state) ? (
    <Pill tone="danger">{view.texts.authors.suspended}</Pill>
  ) : (
    <StatePill view={view} facts={facts} />
  )

/** `1,000+` where no more were counted. */
export const formatPurchases = (purchases: number, locale: Locale) =>
  purchases.toLocaleString(locale) + (purchases < purchasesCounted ? "" : "+")
