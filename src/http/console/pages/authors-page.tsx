import type { AuthorFacts } from "../../../domain/catalogue/author-search.ts"
import { Field } from "../../pages/parts/fields.tsx"
import { shownName } from "../../pages/parts/name.ts"
import { Pager } from "../../pages/parts/pager.tsx"
import type { ConsoleView } from "../frame/console-context.ts"
import { authorsPath, pathOfAuthor, pathOfAuthors } from "../frame/console-paths.ts"
import { AuthorState, formatPurchases, LastSeen } from "../parts/author-facts.tsx"
import { ConsolePage } from "../parts/console-layout.tsx"

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
      <form method="get" action={authorsPath} class="filter" role="search" data-live>
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
      <table class="stack">
        <thead>
          <tr>
            <th scope="col">{texts.author}</th>
            <th scope="col">{view.words.profile.email}</th>
            <th scope="col">{texts.state}</th>
            {[texts.items, texts.purchases, texts.keys].map((head) => (
              <th scope="col" class="amount">
                {head}
              </th>
            ))}
            <th scope="col">{texts.lastSeen}</th>
          </tr>
        </thead>
        <tbody>
          {authors.map((author) => (
            <tr>
              <td>
                <a class="clamp" href={pathOfAuthor(author.id)}>
                  <bdi>{shownName(author.fullName, author.username)}</bdi>
                </a>{" "}
                <span class="hint mono clamp">
                  <bdi>{shownName(author.username, author.id)}</bdi>
                </span>
              </td>
              <td data-label={view.words.profile.email}>
                <span class="clamp">
                  <bdi>{shownName(author.email, "–")}</bdi>
                </span>
              </td>
              <td>
                <AuthorState view={view} author={author} />
              </td>
              <td class="amount" data-label={texts.items}>
                {author.items.toLocaleString(view.locale)}
              </td>
              <td class="amount" data-label={texts.purchases}>
                {formatPurchases(author.purchases, view.locale)}
              </td>
              <td class="amount" data-label={texts.keys}>
                {author.keys.toLocaleString(view.locale)}
              </td>
              <td data-label={texts.lastSeen}>
                <LastSeen view={view} author={author} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Pager
        view={view}
        label={texts.title}
        total={texts.total(total)}
        page={page}
        pages={pages}
        linkTo={(target) => pathOfAuthors(text, target)}
      />
    </>
  )
}
