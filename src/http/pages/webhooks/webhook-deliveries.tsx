import { type Endpoint, shownUrl } from "../../../domain/events/endpoint.ts"
import {
  type Attempt,
  type Delivery,
  isAwaited,
  type RecordedAttempt,
  stateOfDelivery,
} from "../../../domain/events/message.ts"
import { describe } from "../../../domain/values/problems/problem.ts"
import { formatTimestamp } from "../../../domain/values/time/timestamp.ts"
import { Copyable } from "../components/copy-button.tsx"
import { type Column, DataTable } from "../components/data-table.tsx"
import { PostForm } from "../components/form-fields.tsx"
import {
  NamedLink,
  Pill,
  SentenceWithTime,
  Stat,
  Time,
  truncate,
} from "../components/formatted-values.tsx"
import { Panel } from "../components/panels-and-tables.tsx"
import type { View } from "../view.ts"

export const pathOfDelivery = (webhookPath: string, id: string) =>
  `${webhookPath}/messages/${encodeURIComponent(id)}`

export const deliveryColumns = (view: View, now: Date): readonly Column<Delivery>[] => {
  const texts = view.texts.webhooks
  return [
    { head: texts.event, value: ({ type }) => type },
    {
      head: view.texts.columns.state,
      isWide: true,
      value: (delivery) => texts.states[stateOfDelivery(delivery)],
      cell: (delivery) => <DeliveryState view={view} delivery={delivery} now={now} />,
    },
    { head: texts.response, value: ({ last }) => last && responseOf(view, last) },
    { head: texts.attempts, kind: "number", priority: 2, value: ({ attempts }) => attempts },
    { head: view.texts.keys.created, kind: "time", value: ({ createdAt }) => createdAt },
  ]
}

const tones = {
  pending: "plain",
  retrying: "warning",
  delivered: "good",
  failed: "danger",
} as const

type DeliveryProps = Readonly<{ view: View; delivery: Delivery; now: Date }>

const DeliveryState = ({ view, delivery, now }: DeliveryProps) => {
  const texts = view.texts.webhooks
  const state = stateOfDelivery(delivery)
  const { attempts, nextAt } = delivery
  return (
    <>
      <Pill tone={tones[state]}>{texts.states[state]}</Pill>{" "}
      {state === "retrying" && nextAt !== null && nextAt > formatTimestamp(now) && (
        <span class="hint">
          <SentenceWithTime
            view={view}
            at={nextAt}
            form="ago"
            sentence={(when) => texts.nextAttempt(attempts + 1, when)}
          />
        </span>
      )}
    </>
  )
}

const responseOf = (view: View, { status, problem }: Attempt) =>
  problem === null ? String(status) : describe(view.texts.problems, problem)

type PageProps = DeliveryProps &
  Readonly<{
    endpoint: Endpoint
    mayRedeliver: boolean
    webhookPath: string
    attempts: readonly RecordedAttempt[]
    /** Null if it contains a secret. */
    body: string | null
  }>

/** The script reads the attempts again until the result is there. Without script, the visitor uses the link. */
export const DeliveryPage = (props: PageProps) => {
  const { view, endpoint, mayRedeliver, webhookPath, now, delivery, attempts, body } = props
  const texts = view.texts.webhooks
  const path = pathOfDelivery(webhookPath, delivery.id)
  const isDisabled = endpoint.disabled !== null
  const isWaiting = !isDisabled && isAwaited(delivery, now)
  return (
    <>
      <dl class="stats">
        <Stat label={texts.webhook}>
          <NamedLink href={webhookPath} name={shownUrl(endpoint.url)} />
        </Stat>
        <Stat label={texts.messageId}>
          <Copyable view={view} text={delivery.id} />
        </Stat>
        <Stat label={view.texts.keys.created}>
          <Time view={view} at={delivery.createdAt} form="datetime" />
        </Stat>
      </dl>
      {isDisabled ? (
        <p class="notice warning">{texts.isDisabled}</p>
      ) : (
        mayRedeliver && (
          <PostForm view={view} action={`${path}/resend`} class="actions">
            <button type="submit">{texts.redeliver}</button>
          </PostForm>
        )
      )}
      <section
        id="attempts"
        aria-live="polite"
        data-refresh={isWaiting ? path : undefined}
        data-version={delivery.attempts}
      >
        <h2>{texts.attempts}</h2>
        <p>
          <DeliveryState view={view} delivery={delivery} now={now} />
          {isWaiting && (
            <>
              <span class="hint">{texts.waiting}</span>{" "}
              <noscript>
                <a href={path}>{texts.reload}</a>
              </noscript>
            </>
          )}
        </p>
        {attempts.length > 0 && (
          <DataTable view={view} columns={attemptColumns(view)} rows={attempts} />
        )}
      </section>
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

const summaryCharacters = 80

const attemptColumns = (view: View): readonly Column<RecordedAttempt>[] => {
  const texts = view.texts.webhooks
  return [
    { head: texts.attemptedAt, kind: "time", value: ({ at }) => at },
    { head: view.texts.columns.state, value: (attempt) => responseOf(view, attempt) },
    {
      head: texts.duration,
      kind: "number",
      value: ({ durationMs }) => durationMs && `${durationMs.toLocaleString(view.locale)} ms`,
    },
    {
      head: texts.response,
      isWide: true,
      value: () => null,
      cell: ({ response }) =>
        response !== "" && (
          <details>
            <summary>
              <code>{truncate(response, summaryCharacters)}</code>
            </summary>
            <pre tabindex={0}>
              <code>{response}</code>
            </pre>
          </details>
        ),
    },
  ]
}
