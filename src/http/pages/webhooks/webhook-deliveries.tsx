/** What was sent to an endpoint, and what came of it. */
import type { Child } from "hono/jsx"
import type { Delivery } from "../../../domain/events/message.ts"
import { Copyable } from "../components/copy-button.tsx"
import { PostForm, QuietButton } from "../components/form-fields.tsx"
import { Fact, Pill, RelativeTime } from "../components/formatted-values.tsx"
import { type Column, Panel, Table } from "../components/panels-and-tables.tsx"
import type { View } from "../view.ts"

type ActionButtonProps = Readonly<{ view: View; action: string; text: Child }>

export const ActionButton = ({ view, action, text }: ActionButtonProps) => (
  <PostForm view={view} action={action}>
    <QuietButton>{text}</QuietButton>
  </PostForm>
)

type DeliveriesProps = Readonly<{
  view: View
  /** The path of the endpoint; null for those who may only look. */
  webhookPath: string | null
  deliveries: readonly Delivery[]
}>

export const DeliveryTable = ({ view, webhookPath, deliveries }: DeliveriesProps) => {
  const words = view.texts.webhooks
  return (
    <Table
      rows={deliveries}
      columns={[
        {
          head: words.event,
          cell: ({ id, type }) =>
            webhookPath === null ? type : <a href={pathOfDelivery(webhookPath, id)}>{type}</a>,
        },
        {
          head: words.createdAt,
          cell: ({ createdAt }) => <RelativeTime view={view} at={createdAt} />,
        },
        {
          head: view.texts.columns.state,
          cell: ({ state }) => <Pill tone={tones[state]}>{words.states[state]}</Pill>,
        },
        { head: words.attempts, isNumber: true, cell: ({ attempts }) => attempts },
        {
          head: words.response,
          cell: (delivery) => <AnswerText view={view} delivery={delivery} />,
        },
        {
          head: words.nextAttempt,
          cell: (delivery) => <NextTry view={view} delivery={delivery} />,
        },
        ...(webhookPath === null ? [] : [resendColumn(view, webhookPath)]),
      ]}
    />
  )
}

const resendColumn = (view: View, own: string): Column<Delivery> => {
  const words = view.texts.webhooks
  return {
    head: <span class="visually-hidden">{words.redeliver}</span>,
    cell: ({ id, type }) => (
      <ActionButton
        view={view}
        action={`${pathOfDelivery(own, id)}/resend`}
        text={
          <>
            {words.redeliver}
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
  if (nextAt <= createdAt) return <span>{view.texts.webhooks.immediately}</span>
  return <RelativeTime view={view} at={nextAt} />
}

const AnswerText = ({ view, delivery: { last } }: OneProps) => {
  const words = view.texts.webhooks
  if (last === null) return <span>{words.noResponse}</span>
  return <span>{last.status ?? words.problem(last.problem ?? "")}</span>
}

type DeliveryProps = Readonly<{
  view: View
  /** The path of its endpoint. */
  webhookPath: string
  /** The endpoint is: nothing is sent again. */
  isOff: boolean
  delivery: Delivery
  /** Null where it holds a secret. */
  body: string | null
}>

export const DeliveryPage = ({ view, webhookPath, isOff, delivery, body }: DeliveryProps) => {
  const words = view.texts.webhooks
  const { id, type, createdAt, state, attempts, attemptedAt, last } = delivery
  return (
    <>
      <section class="panel">
        <dl class="facts">
          <Fact name={words.event} class="mono" value={type} />
          <Fact name={words.messageId} value={<Copyable view={view} text={id} />} />
          <Fact
            name={view.texts.columns.state}
            value={<Pill tone={tones[state]}>{words.states[state]}</Pill>}
          />
          <Fact name={words.createdAt} value={<RelativeTime view={view} at={createdAt} />} />
          <Fact name={words.attempts} value={attempts.toLocaleString(view.locale)} />
          {attemptedAt !== null && (
            <Fact name={words.lastAttempt} value={<RelativeTime view={view} at={attemptedAt} />} />
          )}
          <Fact name={words.nextAttempt} value={<NextTry view={view} delivery={delivery} />} />
        </dl>
        {isOff ? (
          <p class="notice warning">{words.isDisabled}</p>
        ) : (
          <ActionButton
            view={view}
            action={`${pathOfDelivery(webhookPath, id)}/resend`}
            text={words.redeliver}
          />
        )}
      </section>
      <Panel id="answer-title" title={words.response}>
        <p>
          <AnswerText view={view} delivery={delivery} />
        </p>
        {last?.status != null &&
          (last.response === "" ? (
            <p class="hint">{words.emptyResponse}</p>
          ) : (
            <>
              <pre tabindex={0}>
                <code>{last.response}</code>
              </pre>
              <p class="hint">{words.responseHint}</p>
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
