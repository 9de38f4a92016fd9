import type { Account } from "../../../domain/catalog/account.ts"
import { PostForm } from "../../pages/components/form-fields.tsx"
import { displayName } from "../../pages/components/formatted-values.tsx"
import { CsvLink, QuietLink } from "../../pages/components/panels-and-tables.tsx"
import type { ConsoleView } from "./console-context.ts"
import type { ChosenAuthor } from "./console-layout.tsx"
import { paths } from "./console-paths.ts"
import type { ConsoleServices } from "./console-services.ts"

export const pageRows = 25

/** PostgreSQL rejects larger numbers as an ID. */
const idMax = 2 ** 31 - 1

export const parseAccountId = (text: string): number | null =>
  /^[1-9]\d{0,9}$/.test(text) && Number(text) <= idMax ? Number(text) : null

export async function findAuthor(
  { accounts }: Pick<ConsoleServices, "accounts">,
  id: string | undefined,
): Promise<Account | null> {
  const parsed = parseAccountId(id ?? "")
  return parsed === null ? null : accounts.find(parsed)
}

export const authorQuery = ({ id }: Readonly<{ id: number }>) => ({ author: String(id) })

type ChipProps = Readonly<{
  view: ConsoleView
  name: "author" | "item"
  value: number
  label: string
  text: string
  /** Path of the list without this filter. */
  all: string
}>

/** A filter that can only be removed. */
export const FilterChip = ({ view, name, value, label, text, all }: ChipProps) => (
  <>
    <input type="hidden" name={name} value={value} />
    <a class="button quiet wraps" href={all}>
      <span>
        {label}: <bdi>{text}</bdi> <span aria-hidden="true">×</span>
        <span class="visually-hidden">{view.texts.lists.endFilter}</span>
      </span>
    </a>
  </>
)

type AuthorFilterProps = Pick<ChipProps, "view" | "all"> & Readonly<{ author: ChosenAuthor | null }>

export const AuthorFilter = ({ view, author, all }: AuthorFilterProps) =>
  author && (
    <FilterChip
      view={view}
      name="author"
      value={author.id}
      label={view.texts.authors.author}
      text={displayName(author.username, author.id)}
      all={all}
    />
  )

type ListFooterProps = Readonly<{
  view: ConsoleView
  csv: string
  /** Path of the next page. Null on the last page. */
  next: string | null
}>

export const ListFooter = ({ view, csv, next }: ListFooterProps) => (
  <nav class="pager" aria-label={view.texts.lists.more}>
    <CsvLink view={view} path={csv} />
    {next !== null && (
      <QuietLink href={next} rel="next">
        {view.texts.items.next}
      </QuietLink>
    )}
  </nav>
)

const showCodeId = "show-code"

/** A button, because codes must not be in URLs. */
export const CodeButton = ({ code }: Readonly<{ code: string }>) => (
  <button type="submit" class="link mono wraps" form={showCodeId} name="q" value={code}>
    {code}
  </button>
)

/** One form for all these buttons of a page. */
export const ShowCodeForm = ({ view }: Readonly<{ view: ConsoleView }>) => (
  <PostForm view={view} action={paths.purchases} id={showCodeId} />
)
