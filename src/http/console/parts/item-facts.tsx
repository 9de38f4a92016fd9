import type { FoundItem, ItemCallsOfAll } from "../../../domain/usage/operator-reads.ts"
import { Pill } from "../../pages/parts/pill.tsx"
import { Day } from "../../pages/parts/values.tsx"
import type { ConsoleView } from "../frame/console-context.ts"
import { pathOfAuthor } from "../frame/console-paths.ts"

type AuthorProps = Readonly<{
  view: ConsoleView
  found: Pick<FoundItem, "accountId" | "author" | "isAuthorSuspended">
}>

export const ItemAuthor = ({ view, found }: AuthorProps) => (
  <>
    <dt>{view.texts.purchases.author}</dt>
    <dd>
      <a href={pathOfAuthor(found.accountId)}>
        <bdi>{found.author}</bdi>
      </a>{" "}
      {found.isAuthorSuspended && <Pill tone="danger">{view.texts.authors.suspended}</Pill>}
    </dd>
  </>
)

type CallsProps = Readonly<{ view: ConsoleView; calls: ItemCallsOfAll }>

export const AskedFor = ({ view, calls }: CallsProps) => {
  const { purchases } = view.texts
  return (
    <>
      <dt>{purchases.asked}</dt>
      <dd>
        {calls.lastDay === null ? (
          purchases.never
        ) : (
          <>
            <Day view={view} at={`${calls.lastDay}T00:00:00Z`} />,{" "}
            {purchases.askedCalls(calls.calls)}
          </>
        )}
      </dd>
    </>
  )
}
