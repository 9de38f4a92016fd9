/** What was sent to an endpoint, and what came of it. */
import type { Child } from "hono/jsx"
import type { Delivery } from "../../../domain/events/message.ts"
import { type Column, Panel, Table } from "../parts/blocks.tsx"
import { Copyable } from "../parts/copy.tsx"
import { PostForm, QuietButton } from "../parts/fields.tsx"
import { Fact, Moment, Pill } from "../parts/values.tsx"
import type { View } from "../view.ts"

type ActProps = Readonly<{ view: View; action: string; text: Child }>

export const Act = ({ view, action, text }: ActProps) => (
  <PostForm view={view} action={action}>
    <QuietButton>{text}</QuietButton>
  </PostForm>
)

type DeliveriesProps = Readonly<{
  view: View
  /** The path of the endpoint; null for those who may only look. */
  own: string | null
  deliveries: readonly Delivery[]
}>

export const DeliveryTable = ({ view, own, deliveries }: DeliveriesProps) => {
  const words = view.words.webhooks
  return (
    <Table
      rows={deliveries}
      columns={[
        {
          head: words.event,
          cell: ({ id, type }) =>
            own === null ? type : <a href={pathOfDelivery(own, id)}>{type}</a>,
        },
        { head: words.madeAt, cell: ({ createdAt }) => <Moment view={view} at={createdAt} /> },
        {
          head: view.words.columns.state,
          cell: ({ state }) => <Pill tone={tones[state]}>{words.states[state]}</Pill>,
        },
        { head: words.tries, isNumber: true, cell: ({ attempts }) => attempts },
        { head: words.answer, cell: (delivery) => <AnswerText view={view} delivery={delivery} /> },
        {
          head: words.next,
          cell: (delivery) => <NextTry view={view} delivery={delivery} />,
        },
        ...(own === null ? [] : [resendColumn(view, own)]),
      ]}
    />
  )
}

const resendColumn = (view: View, own: string): Column<Delivery> => {
  const words = view.words.webhooks
  return {
    head: <span class="visually-hidden">{words.resend}</span>,
    cell: ({ id, type }) => (
      <Act
        view={view}
        action={`${pathOfDelivery(own, id)}/resend`}
        text={
          <>
            {words.resend}
            <span class="visually-hidden"> {type}</span>
          </>
        }
      />
    ),
  }
}

const tones = { waiting: "plain", delivered: "good", failed: "danger" } as const

export const pathOfDelivery = (own: string, id: string) =>
  `${own}/messages/${encodeURIComponent(id)}`

type OneProps = Readonly<{ view: View; delivery: Delivery }>

/** One that was not tried yet has no time. */
const NextTry = ({ view, delivery: { nextAt, createdAt } }: OneProps) => {
  if (nextAt === null) return <span>–</span>
  if (nextAt <= createdAt) return <span>{view.words.webhooks.atOnce}</span>
  return <Moment view={view} at={nextAt} />
}

const AnswerText = ({ view, delivery: { last } }: OneProps) => {
  const words = view.words.webhooks
  if (last === null) return <span>{words.noAnswer}</span>
  return <span>{last.status ?? words.problem(last.problem ?? "")}</span>
}

type DeliveryProps = Readonly<{
  view: View
  /** The path of its endpoint. */
  own: string
  /** The endpoint is: nothing is sent again. */
  isOff: boolean
  delivery: Delivery
  /** Null where it holds a secret. */
  body: string | null
}>

export const DeliveryPage = ({ view, own, isOff, delivery, body }: DeliveryProps) => {
  const words = view.words.webhooks
  const { id, type, createdAt, state, attempts, triedAt, last } = delivery
  return (
    <>
      <section class="panel">
        <dl class="facts">
          <Fact name={words.event} class="mono" value={type} />
          <Fact name={words.messageId} value={<Copyable view={view} text={id} />} />
          <Fact
            name={view.words.columns.state}
            value={<Pill tone={tones[state]}>{words.states[state]}</Pill>}
          />
          <Fact name={words.madeAt} value={<Moment view={view} at={createdAt} />} />
          <Fact name={words.tries} value={attempts.toLocaleString(view.locale)} />
          {triedAt !== null && (
            <Fact name={words.triedAt} value={<Moment view={view} at={triedAt} />} />
          )}
          <Fact name={words.next} value={<NextTry view={view} delivery={delivery} />} />
        </dl>
        {isOff ? (
          <p class="notice warning">{words.isOff}</p>
        ) : (
          <Act view={view} action={`${pathOfDelivery(own, id)}/resend`} text={words.resend} />
        )}
      </section>
      <Panel id="answer-title" title={words.answer}>
        <p>
          <AnswerText view={view} delivery={delivery} />
        </p>
        {last?.status != null &&
          (last.answer === "" ? (
            <p class="hint">{words.emptyAnswer}</p>
          ) : (
            <>
              <pre tabindex={0}>
                <code>{last.answer}</code>
              </pre>
              <p class="hint">{words.answerHint}</p>
            </>
          ))}
      </Panel>
      <Panel id="body-title" title={words.body}>
        {body === null ? (
          <p>{words.hiddenBody}</p>
        ) : (
          <pre tabindex={0}>
            <code>{JSON.stringify(JSON.parse(body), null, 2)}</code>
          </pre>
        )}
      </Panel>
    </>
  )
}
