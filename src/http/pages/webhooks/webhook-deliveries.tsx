import type { Child } from "hono/jsx"
import { type Delivery, stateOfDelivery } from "../../../domain/events/message.ts"
import { describe } from "../../../domain/values/problems/problem.ts"
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
  /** The path of the endpoint; null for operators, who can only read. */
  webhookPath: string | null
  deliveries: readonly Delivery[]
}>

export const DeliveryTable = ({ view, webhookPath, deliveries }: DeliveriesProps) => {
  const texts = view.texts.webhooks
  return (
    <Table
      rows={deliveries}
      columns={[
        {
          head: texts.event,
          cell: ({ id, type }) =>
            webhookPath === null ? type : <a href={pathOfDelivery(webhookPath, id)}>{type}</a>,
        },
        {
          head: view.texts.keys.created,
          cell: ({ createdAt }) => <RelativeTime view={view} at={createdAt} />,
        },
        {
          head: view.texts.columns.state,
          cell: (delivery) => <DeliveryStatePill view={view} delivery={delivery} />,
        },
        { head: texts.attempts, isNumber: true, cell: ({ attempts }) => attempts },
        {
          head: texts.response,
          cell: (delivery) => <ResponseText view={view} delivery={delivery} />,
        },
        {
          head: texts.nextAttempt,
          cell: (delivery) => <NextAttempt view={view} delivery={delivery} />,
        },
        ...(webhookPath === null ? [] : [redeliverColumn(view, webhookPath)]),
      ]}
    />
  )
}

const redeliverColumn = (view: View, webhookPath: string): Column<Delivery> => {
  const texts = view.texts.webhooks
  return {
    head: <span class="visually-hidden">{texts.redeliver}</span>,
    cell: ({ id, type }) => (
      <ActionButton
        view={view}
        action={`${pathOfDelivery(webhookPath, id)}/resend`}
        text={
          <>
            {texts.redeliver}
            <span class="visually-hidden"> {type}</span>
          </>
        }
      />
    ),
  }
}

const tones = {
  pending: "plain",
  retrying: "warning",
  delivered: "good",
  failed: "danger",
} as const

export const pathOfDelivery = (webhookPath: string, id: string) =>
  `${webhookPath}/messages/${encodeURIComponent(id)}`

type OneProps = Readonly<{ view: View; delivery: Delivery }>

const DeliveryStatePill = ({ view, delivery }: OneProps) => {
  const state = stateOfDelivery(delivery)
  return <Pill tone={tones[state]}>{view.texts.webhooks.states[state]}</Pill>
}

/** A message without an attempt is sent immediately. */
const NextAttempt = ({ view, delivery: { nextAt, createdAt } }: OneProps) => {
  if (nextAt === null) return <span>–</span>
  if (nextAt <= createdAt) return <span>{view.texts.webhooks.immediately}</span>
  return <RelativeTime view={view} at={nextAt} />
}

const ResponseText = ({ view, delivery: { last } }: OneProps) => {
  const texts = view.texts.webhooks
  if (last === null) return <span>{texts.noResponse}</span>
  return <span>{last.status ?? (last.problem && describe(view.texts.problems, last.problem))}</span>
}

type DeliveryProps = Readonly<{
  view: View
  webhookPath: string
  /** Whether the endpoint is disabled; then nothing can be redelivered. */
  isDisabled: boolean
  delivery: Delivery
  /** Null if it contains a secret. */
  body: string | null
}>

export const DeliveryPage = ({ view, webhookPath, isDisabled, delivery, body }: DeliveryProps) => {
  const texts = view.texts.webhooks
  const { id, type, createdAt, attempts, last } = delivery
  return (
    <>
      <section class="panel">
        <dl class="facts">
          <Fact name={texts.event} class="mono" value={type} />
          <Fact name={texts.messageId} value={<Copyable view={view} text={id} />} />
          <Fact
            name={view.texts.columns.state}
            value={<DeliveryStatePill view={view} delivery={delivery} />}
          />
          <Fact
            name={view.texts.keys.created}
            value={<RelativeTime view={view} at={createdAt} />}
          />
          <Fact name={texts.attempts} value={attempts.toLocaleString(view.locale)} />
          {last !== null && (
            <Fact name={texts.lastAttempt} value={<RelativeTime view={view} at={last.at} />} />
          )}
          <Fact name={texts.nextAttempt} value={<NextAttempt view={view} delivery={delivery} />} />
        </dl>
        {isDisabled ? (
          <p class="notice warning">{texts.isDisabled}</p>
        ) : (
          <ActionButton
            view={view}
            action={`${pathOfDelivery(webhookPath, id)}/resend`}
            text={texts.redeliver}
          />
        )}
      </section>
      <Panel id="response-title" title={texts.response}>
        <p>
          <ResponseText view={view} delivery={delivery} />
        </p>
        {last?.status != null &&
          (last.response === "" ? (
            <p class="hint">{texts.emptyResponse}</p>
          ) : (
            <>
              <pre tabindex={0}>
                <code>{last.response}</code>
              </pre>
              <p class="hint">{texts.responseHint}</p>
            </>
          ))}
      </Panel>
      <Panel id="body-title" title={texts.body}>
        {body === null ? (
          <p>{texts.hiddenBody}</p>
        ) : (
          <pre tabindex={0}>
            <code>{JSON.stringify(JSON.parse(body), null, 2)}</code>
          </pre>
        )}
      </Panel>
    </>
  )
}
