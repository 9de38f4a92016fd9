/** The parts that the lists of keys, items and purchases share. */
import { CsvLink } from "../../pages/parts/blocks.tsx"
import { PostForm } from "../../pages/parts/fields.tsx"
import type { ConsoleContext, ConsoleView } from "./console-context.ts"
import { paths } from "./console-paths.ts"
import type { ConsoleServices } from "./services.ts"

export const pageRows = 25
/** Read at once for a file. */
export const csvRows = 100

type ChosenAuthor = Readonly<{ id: number; username: string }>

/** PostgreSQL refuses a larger number where it compares an id. */
const idMax = 2 ** 31 - 1

export const parseAccountId = (text: string): number | null =>
  /^[1-9]\d{0,9}$/.test(text) && Number(text) <= idMax ? Number(text) : null

/** The author whose id is in the address; null where none is chosen. */
export async function findChosenAuthor(
  c: ConsoleContext,
  { accounts }: Pick<ConsoleServices, "accounts">,
): Promise<ChosenAuthor | null> {
  const id = parseAccountId(c.req.query("author") ?? "")
  return id === null ? null : accounts.find(id)
}

type OfAuthorProps = Readonly<{
  view: ConsoleView
  author: ChosenAuthor | null
  /** The same list of all authors. */
  all: string
}>

/** Whose things are listed, in the form that filters them. */
export const OfAuthor = ({ view, author, all }: OfAuthorProps) =>
  author && (
    <p class="field">
      <input type="hidden" name="author" value={author.id} />
      {view.texts.authors.author}:{" "}
      <a href={paths.author(author.id)}>
        <bdi>{author.username}</bdi>
      </a>{" "}
      · <a href={all}>{view.texts.lists.allAuthors}</a>
    </p>
  )

type ListEndProps = Readonly<{
  view: ConsoleView
  csv: string
  /** The following page; null at the end. */
  next: string | null
}>

/** Below a list: the whole of it as a file, and what follows. */
export const ListEnd = ({ view, csv, next }: ListEndProps) => (
  <nav class="pager" aria-label={view.texts.lists.more}>
    <CsvLink view={view} path={csv} />
    {next !== null && (
      <a class="button quiet" href={next} rel="next">
        {view.words.items.next}
      </a>
    )}
  </nav>
)

const showCodeId = "show-code"

/** Leads to the purchase of a code. A button, because a code must not be in an address. */
export const CodeButton = ({ code }: Readonly<{ code: string }>) => (
  <button type="submit" class="link mono wraps" form={showCodeId} name="code" value={code}>
    {code}
  </button>
)

/** The form of all these buttons on a page. */
export const ShowCodeForm = ({ view }: Readonly<{ view: ConsoleView }>) => (
  <PostForm view={view} action={paths.purchases} id={showCodeId} />
)
