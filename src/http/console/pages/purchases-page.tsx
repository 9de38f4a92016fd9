import { purchaseBodyOf } from "../../../domain/catalogue/purchase.ts"
import type { FoundItem, FoundPurchase } from "../../../domain/usage/operator-reads.ts"
import type { AlikeCodes, CheckedCode } from "../../../operations/catalogue/check-purchase.ts"
import type { PasswordAsk } from "../../pages/ask-password.ts"
import { Field, TokenField } from "../../pages/parts/fields.tsx"
import { isolate, shownName } from "../../pages/parts/name.ts"
import { Pill } from "../../pages/parts/pill.tsx"
import { Day, formatMoney, licenceOf } from "../../pages/parts/values.tsx"
import type { ConsoleView } from "../frame/console-context.ts"
import { pathOfCheck, pathOfItem, purchasesPath } from "../frame/console-paths.ts"
import { ConfirmChangePage } from "../parts/confirm-change.tsx"
import { ConsolePage } from "../parts/console-layout.tsx"
import { ItemAuthor } from "../parts/item-facts.tsx"

export type LookedUp = Readonly<{
  /** Of the note that holds the text. */
  id: string
  pasted: string
  checked: CheckedCode<FoundPurchase> | AlikeCodes
  /** The item whose id was pasted; null for other texts. */
  item: FoundItem | null
}>

type Props = Readonly<{ view: ConsoleView; found: LookedUp | null }>

export const PurchasesPage = ({ view, found }: Props) => {
  const { purchases } = view.texts
  const kind = found?.checked.kind
  const problem = kind === "blank" || kind === "invalid" ? purchases.problems[kind] : null
  return (
    <ConsolePage view={view} title={purchases.title} problem={problem}>
      <p>{purchases.intro}</p>
      <form method="post" action={purchasesPath} class="filter">
        <TokenField view={view} />
        <Field
          name="code"
          label={purchases.label}
          value={found?.pasted ?? ""}
          autocomplete="off"
          error={problem}
          isFocused
        />
        <button type="submit">{purchases.submit}</button>
      </form>
      {found !== null && <Result view={view} found={found} />}
    </ConsolePage>
  )
}

type FoundProps = Readonly<{ view: ConsoleView; found: LookedUp }>

const Result = ({ view, found }: FoundProps) => {
  const { purchases } = view.texts
  const { checked, item } = found
  switch (checked.kind) {
    case "blank":
    case "invalid":
      return null
    case "unknown":
    case "test":
      return <p class="notice warning">{purchases[checked.kind]}</p>
    case "alike":
      return (
        <p class="notice warning">
          {purchases.alike} <span class="mono">{checked.codes.join(", ")}</span>
        </p>
      )
    case "sold":
      return (
        <section class="panel">
          {checked.isInText && <p class="hint">{purchases.inText}</p>}
          {checked.others.length > 0 && (
            <p class="hint">
              {purchases.others} <span class="mono">{checked.others.join(", ")}</span>
            </p>
          )}
          <PurchaseFacts view={view} purchase={checked.purchase} />
          <p class="actions">
            <a class="button quiet" href={`${pathOfCheck(found.id)}/${changeOf(checked.purchase)}`}>
              {purchases.refunds[changeOf(checked.purchase)].submit}
            </a>
          </p>
          {item !== null && (
            <p>
              <a href={pathOfItem(item.id)}>{purchases.itemTitle(item.id)}</a>
            </p>
          )}
        </section>
      )
  }
}

type FactsProps = Readonly<{ view: ConsoleView; purchase: FoundPurchase }>

const PurchaseFacts = ({ view, purchase }: FactsProps) => {
  const { purchases } = view.texts
  const { check } = view.words
  const body = purchaseBodyOf(purchase)
  return (
    <dl class="facts">
      <dt>{purchases.state}</dt>
      <dd>
        <Pill tone={purchase.isRevoked ? "danger" : "good"}>
          {check.verdicts[purchase.isRevoked ? "refunded" : "valid"]}
        </Pill>
      </dd>
      <dt>{purchases.byStore}</dt>
      <dd>{check.verdicts[purchase.isRevokedByFeed ? "refunded" : "valid"]}</dd>
      <dt>{purchases.byOperator}</dt>
      <dd>{purchase.isRevokedByOperator ? check.verdicts.refunded : purchases.nothing}</dd>
      <dt>{check.code}</dt>
      <dd class="mono">{purchase.code}</dd>
      <ItemAuthor view={view} found={purchase} />
      <dt>{check.item}</dt>
      <dd>
        <a href={pathOfItem(purchase.itemId)}>
          <bdi>{shownName(body.item.name, purchase.itemId)}</bdi>
        </a>
      </dd>
      <dt>{check.licence}</dt>
      <dd>{licenceOf(view, body)}</dd>
      <dt>{check.price}</dt>
      <dd class="amount">{formatMoney(body.price, body.currency, view.locale)}</dd>
      <dt>{check.bought}</dt>
      <dd>
        <Day view={view} at={body.date} />
      </dd>
      <dt>{check.support}</dt>
      <dd>
        {body.supported_until === undefined ? (
          check.noSupport
        ) : (
          <Day view={view} at={body.supported_until} />
        )}
      </dd>
      <dt>{purchases.buyer}</dt>
      <dd>
        <bdi>{purchase.buyer ?? purchases.noBuyer}</bdi>
      </dd>
      <dt>{purchases.lastAsked}</dt>
      <dd>
        {purchase.lastAskedOn === null ? (
          purchases.neverAsked
        ) : (
          <Day view={view} at={`${purchase.lastAskedOn}T00:00:00Z`} />
        )}
      </dd>
    </dl>
  )
}

export type RefundChange = "refund" | "take-back"

const changeOf = ({ isRevokedByOperator }: FoundPurchase): RefundChange =>
  isRevokedByOperator ? "take-back" : "refund"

type RefundProps = Readonly<{
  view: ConsoleView
  change: RefundChange
  purchase: FoundPurchase
  back: string
  password: PasswordAsk
}>

export const RefundPage = ({ view, change, purchase, back, password }: RefundProps) => {
  const texts = view.texts.purchases.refunds[change]
  const { item } = purchaseBodyOf(purchase)
  const name = shownName(item.name, purchase.itemId)
  return (
    <ConfirmChangePage
      view={view}
      title={texts.title}
      submit={texts.submit}
      isDangerous={change === "refund"}
      back={back}
      password={password}
    >
      <p>{texts.text(purchase.code, isolate(name), isolate(purchase.author))}</p>
    </ConfirmChangePage>
  )
}
