import type { View } from "../view.ts"

type Props = Readonly<{
  view: View
  label: string
  /** How many there are, in words. */
  total?: string
  page: number
  pages: number
  linkTo(page: number): string
}>

/** Under a list of which one page is shown. */
export const Pager = ({ view, label, total, page, pages, linkTo }: Props) => {
  const words = view.words.items
  return (
    <nav class="pager" aria-label={label}>
      <span>
        {total}
        {pages > 1 && `${total === undefined ? "" : " · "}${words.page(page, pages)}`}
      </span>
      <span class="actions">
        {page > 1 && (
          <a class="button quiet" href={linkTo(page - 1)} rel="prev">
            {words.previous}
          </a>
        )}
        {page < pages && (
          <a class="button quiet" href={linkTo(page + 1)} rel="next">
            {words.next}
          </a>
        )}
      </span>
    </nav>
  )
}
