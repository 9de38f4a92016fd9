import type { Child } from "hono/jsx"
import { type Purchase, purchaseBodyOf } from "../../../domain/catalog/purchase.ts"
import type { View } from "../view.ts"
import { Copyable } from "./copy-button.tsx"
import {
  Day,
  displayName,
  Fact,
  formatMoney,
  licenseLabel,
  NamedLink,
} from "./formatted-values.tsx"

type Props = Readonly<{
  view: View
  purchase: Purchase
  itemPath: string
  /** Facts that come first. */
  children?: Child
}>

/** The buyer is shown to the author and to operators, never by the API. */
export const PurchaseFacts = ({ view, purchase, itemPath, children }: Props) => {
  const { check, columns, words } = view.texts
  const { item, ...body } = purchaseBodyOf(purchase)
  return (
    <dl class="facts">
      {children}
      <Fact name={columns.code} value={<Copyable view={view} text={purchase.code} />} />
      <Fact name={columns.item}>
        <NamedLink href={itemPath} name={displayName(item.name, item.id)} />
      </Fact>
      <Fact name={columns.buyer} value={<bdi>{displayName(purchase.buyer ?? "", "–")}</bdi>} />
      <Fact name={columns.license} value={licenseLabel(view, body.license_type)} />
      <Fact name={columns.price} class="amount">
        {formatMoney(body.price, body.currency, view.locale)}
      </Fact>
      <TermFacts view={view} purchase={purchase} />
      <Fact name={check.downloaded} value={body.downloaded ? words.yes : words.no} />
    </dl>
  )
}

/** When the purchase was made, and how long it counts. */
export const TermFacts = ({ view, purchase }: Pick<Props, "view" | "purchase">) => {
  const { check } = view.texts
  const body = purchaseBodyOf(purchase)
  return (
    <>
      <Fact name={check.bought} value={<Day view={view} at={body.date} />} />
      <Fact name={check.support}>
        {body.supported_until === undefined ? (
          check.noSupport
        ) : (
          <Day view={view} at={body.supported_until} />
        )}
      </Fact>
      {purchase.validUntil !== null && (
        <Fact name={check.validUntil} value={<Day view={view} at={purchase.validUntil} />} />
      )}
    </>
  )
}
