import { purchasesCounted } from "../../../domain/author-search.ts"
import type { Locale } from "../../api/messages.ts"
import { Pill } from "../../workspace/parts/pill.tsx"
import type { ConsoleView } from "../console-context.ts"

type Props = Readonly<{ view: ConsoleView; isSuspended: boolean }>

export const AuthorState = ({ view, isSuspended }: Props) => (
  <Pill tone={isSuspended ? "danger" : "good"}>
    {isSuspended ? view.texts.authors.suspended : view.texts.authors.active}
  </Pill>
)

/** `1,000+` where no more were counted. */
export const formatPurchases = (purchases: number, locale: Locale) =>
  purchases.toLocaleString(locale) + (purchases < purchasesCounted ? "" : "+")
