import { type AuthorFacts, purchasesCounted } from "../../../domain/catalogue/author-search.ts"
import { isLive, type KeyState } from "../../../domain/keys/api-key.ts"
import type { Locale } from "../../api/answer/messages.ts"
import { StatePill } from "../../pages/parts/key-state.tsx"
import { Pill } from "../../pages/parts/pill.tsx"
import { Moment } from "../../pages/parts/values.tsx"
import type { ConsoleView } from "../frame/console-context.ts"

type Props = Readonly<{ view: ConsoleView; author: AuthorFacts }>

/** An author who has never signed in is invited. */
export const AuthorState = ({ view, author: { isSuspended, hasSignedIn, lastSeenAt } }: Props) => {
  const texts = view.texts.authors
  if (isSuspended) return <Pill tone="danger">{texts.suspended}</Pill>
  if (!hasSignedIn && lastSeenAt === null) return <Pill tone="plain">{texts.invited}</Pill>
  return <Pill tone="good">{texts.active}</Pill>
}

/** A session that has ended leaves no moment behind. */
export const LastSeen = ({ view, author: { hasSignedIn, lastSeenAt } }: Props) =>
  hasSignedIn && lastSeenAt === null ? (
    <span>{view.texts.authors.noSession}</span>
  ) : (
    <Moment view={view} at={lastSeenAt} />
  )

type KeyProps = Readonly<{ view: ConsoleView; state: KeyState; isAuthorSuspended: boolean }>

/** No key of a suspended author works. */
export const ConsoleKeyState = ({ view, state, isAuthorSuspended }: KeyProps) =>
  isAuthorSuspended && isLive(state) ? (
    <Pill tone="danger">{view.texts.authors.suspended}</Pill>
  ) : (
    <StatePill view={view} state={state} />
  )

/** `1,000+` where no more were counted. */
export const formatPurchases = (purchases: number, locale: Locale) =>
  purchases.toLocaleString(locale) + (purchases < purchasesCounted ? "" : "+")
