/** The parts of the pages about endpoints, of an author or of the operators. */
import type { Child } from "hono/jsx"
import {
  type Endpoint,
  eventTypesFor,
  type ListedEndpoint,
  shownUrl,
} from "../../../domain/events/endpoint.ts"
import type { Delivery } from "../../../domain/events/message.ts"
import type { PasswordAsk } from "../ask-password.ts"
import { Panel, Table } from "../parts/blocks.tsx"
import { Copyable, CopyButton } from "../parts/copy.tsx"
import { Field, PostForm } from "../parts/fields.tsx"
import { PasswordField } from "../parts/passwords.tsx"
import { Fact, Moment, Pill, SentenceWithTime } from "../parts/values.tsx"
import type { View } from "../view.ts"

type Props = Readonly<{
  view: View
  /** Of the list; below it are the endpoints. */
  path: string
}>

export const pathOfEndpoint = (path: string, id: string) => `${path}/${encodeURIComponent(id)}`

type ListProps = Props & Readonly<{ endpoints: readonly Endpoint[]; isOperators: boolean }>

export const EndpointList = ({ view, path, endpoints, isOperators }: ListProps) => {
  const words = view.words.webhooks
  return (
    <>
      <p>
        {isOperators ? words.introOperator : words.intro} <a href="/docs/webhooks">{words.docs}</a>
      </p>
      <p>
        <a class="button" href={`${path}/new`}>
          {words.add}
        </a>
      </p>
      {endpoints.length === 0 ? (
        <p class="empty">{words.none}</p>
      ) : (
        <EndpointTable
          view={view}
          endpoints={endpoints}
          linkTo={({ id }) => pathOfEndpoint(path, id)}
        />
      )}
    </>
  )
}

type TableProps = Readonly<{
  view: View
  endpoints: readonly Endpoint[]
  /** Null where there is no page of it. */
  linkTo(endpoint: Endpoint): string | null
}>

export const EndpointTable = ({ view, endpoints, linkTo }: TableProps) => {
  const words = view.words.webhooks
  return (
    <Table
      rows={endpoints}
      columns={[
        {
          head: words.address,
          class: "clamp",
          cell: (endpoint) => {
            const path = linkTo(endpoint)
            const address = <bdi>{shownUrl(endpoint.url)}</bdi>
            return path === null ? address : <a href={path}>{address}</a>
          },
        },
        { head: words.events, cell: ({ events }) => events?.join(", ") ?? words.allEvents },
        {
          head: words.state,
          cell: (endpoint) => (
            <>
              <EndpointState view={view} endpoint={endpoint} />
              {endpoint.off !== null && <p class="hint">{words.reasons[endpoint.off.reason]}</p>}
            </>
          ),
        },
        {
          head: words.waiting,
          isNumber: true,
          cell: ({ waiting }) => waiting.toLocaleString(view.locale),
        },
      ]}
    />
  )
}

type StateProps = Readonly<{ view: View; endpoint: Endpoint }>

const EndpointState = ({ view, endpoint: { off, failingSince } }: StateProps) => {
  const words = view.words.webhooks
  if (off !== null) {
    return <Pill tone={off.reason === "owner" ? "plain" : "danger"}>{words.off}</Pill>
  }
  return failingSince === null ? (
    <Pill tone="good">{words.on}</Pill>
  ) : (
    <Pill tone="warning">{words.failing}</Pill>
  )
}

/** As it was typed, and why it will not do. */
export type TypedEndpoint = Readonly<{
  url: string
  events: readonly string[]
  problem: Readonly<{ field: "url" | "events"; text: string }> | null
}>

type FormProps = Readonly<{
  view: View
  accountId: number | null
  typed: TypedEndpoint
  password: PasswordAsk
  action: string
  submit: string
  /** Where "cancel" leads. */
  back: string
}>

export const EndpointForm = (props: FormProps) => {
  const { view, accountId, typed, password, action, submit, back } = props
  const words = view.words.webhooks
  const errorOf = (field: "url" | "events") =>
    typed.problem?.field === field ? typed.problem.text : null
  return (
    <PostForm view={view} action={action}>
      <Field
        name="url"
        label={words.address}
        hint={words.addressHint}
        value={typed.url}
        error={errorOf("url")}
        isRequired
      />
      <fieldset class="choices">
        <legend>{words.events}</legend>
        <p class="hint">{words.eventsHint}</p>
        {eventTypesFor(accountId).map((type) => (
          <label class="choice">
            <input
              type="checkbox"
              name="events"
              value={type}
              checked={typed.events.includes(type)}
            />
            <span>
              {type}
              <span class="hint">{words.meanings[type]}</span>
            </span>
          </label>
        ))}
        {errorOf("events") !== null && <p class="error">{errorOf("events")}</p>}
      </fieldset>
      <PasswordField view={view} password={password} />
      <p class="actions">
        <button type="submit">{submit}</button>
        <a href={back}>{view.words.cancel}</a>
      </p>
    </PostForm>
  )
}

type EndpointProps = Props &
  Readonly<{
    endpoint: ListedEndpoint
    /** Null while it is masked. */
    secret: string | null
    deliveries: readonly Delivery[]
    hasOlder: boolean
  }>

export const EndpointPage = (props: EndpointProps) => {
  const { view, path, endpoint, secret, deliveries, hasOlder } = props
  const words = view.words.webhooks
  const own = pathOfEndpoint(path, endpoint.id)
  const last = deliveries.at(-1)
  return (
    <>
      <EndpointNotice view={view} endpoint={endpoint} />
      <section class="panel">
        <dl class="facts">
          <Fact name={words.address} class="mono" value={<bdi>{endpoint.url}</bdi>} />
          <Fact name={words.events} value={endpoint.events?.join(", ") ?? words.allEvents} />
          <Fact name={words.state} value={<EndpointState view={view} endpoint={endpoint} />} />
          <Fact name={words.waiting} value={endpoint.waiting.toLocaleString(view.locale)} />
          <Fact name={words.created} value={<Moment view={view} at={endpoint.createdAt} />} />
        </dl>
        <div class="actions">
          <Act view={view} action={`${own}/test`} text={words.test} />
          <a class="button quiet" href={`${own}/edit`}>
            {words.edit}
          </a>
          {endpoint.off === null ? (
            <Act view={view} action={`${own}/turn-off`} text={words.turnOff} />
          ) : (
            <Act view={view} action={`${own}/turn-on`} text={words.turnOn} />
          )}
          <a class="button quiet" href={`${own}/remove`}>
            {words.remove}
          </a>
        </div>
      </section>
      <Panel id="secret-title" title={words.secret}>
        <SecretPart view={view} own={own} endpoint={endpoint} secret={secret} />
      </Panel>
      <section aria-labelledby="deliveries-title">
        <h2 id="deliveries-title">{words.deliveries}</h2>
        {deliveries.length === 0 ? (
          <p class="empty">{words.noDeliveries}</p>
        ) : (
          <DeliveryTable view={view} own={own} deliveries={deliveries} />
        )}
        {hasOlder && last !== undefined && (
          <nav class="pager" aria-label={words.deliveries}>
            <a class="button quiet" href={`${own}?before=${last.id}`} rel="next">
              {words.older}
            </a>
          </nav>
        )}
      </section>
    </>
  )
}

/** Why nothing is sent, and what to do. */
const EndpointNotice = ({ view, endpoint: { off, failingSince } }: StateProps) => {
  const words = view.words.webhooks
  if (off !== null) return <p class="notice warning">{words.reasons[off.reason]}</p>
  if (failingSince === null) return null
  return (
    <p class="notice warning">
      <SentenceWithTime view={view} at={failingSince} form="moment" tell={words.failingSince} />
    </p>
  )
}

type ActProps = Readonly<{ view: View; action: string; text: Child }>

const Act = ({ view, action, text }: ActProps) => (
  <PostForm view={view} action={action}>
    <button type="submit" class="quiet">
      {text}
    </button>
  </PostForm>
)

type SecretProps = Pick<EndpointProps, "view" | "endpoint" | "secret"> & Readonly<{ own: string }>

const SecretPart = ({ view, own, endpoint, secret }: SecretProps) => {
  const words = view.words.webhooks
  return (
    <>
      <p class="hint">{words.secretHint}</p>
      <div class="secret">
        {secret === null ? (
          <code class="masked">whsec_…</code>
        ) : (
          <>
            <code data-secret tabindex={-1} autofocus>
              {secret}
            </code>
            <CopyButton view={view} text={secret} />
          </>
        )}
        <Act
          view={view}
          action={`${own}/${secret === null ? "reveal" : "hide"}`}
          text={secret === null ? words.reveal : words.hide}
        />
      </div>
      {endpoint.oldSecret !== null && (
        <p>
          <SentenceWithTime
            view={view}
            at={endpoint.oldSecret.until}
            form="moment"
            tell={words.bothUntil}
          />
        </p>
      )}
      <p>
        <a class="button quiet" href={`${own}/replace`}>
          {words.replace}
        </a>
      </p>
    </>
  )
}

type DeliveriesProps = Readonly<{ view: View; own: string; deliveries: readonly Delivery[] }>

const DeliveryTable = ({ view, own, deliveries }: DeliveriesProps) => {
  const words = view.words.webhooks
  return (
    <Table
      rows={deliveries}
      columns={[
        {
          head: words.event,
          cell: ({ id, type }) => <a href={pathOfDelivery(own, id)}>{type}</a>,
        },
        { head: words.madeAt, cell: ({ createdAt }) => <Moment view={view} at={createdAt} /> },
        {
          head: words.state,
          cell: ({ state }) => <Pill tone={tones[state]}>{words.states[state]}</Pill>,
        },
        { head: words.tries, isNumber: true, cell: ({ attempts }) => attempts },
        { head: words.answer, cell: (delivery) => <AnswerText view={view} delivery={delivery} /> },
        {
          head: words.next,
          cell: ({ nextAt }) => (nextAt === null ? "–" : <Moment view={view} at={nextAt} />),
        },
        {
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
        },
      ]}
    />
  )
}

const tones = { waiting: "plain", delivered: "good", failed: "danger" } as const

export const pathOfDelivery = (own: string, id: string) =>
  `${own}/messages/${encodeURIComponent(id)}`

const AnswerText = ({ view, delivery: { last } }: Readonly<{ view: View; delivery: Delivery }>) => {
  const words = view.words.webhooks
  if (last === null) return <span>{words.noAnswer}</span>
  return <span>{last.status ?? words.problem(last.problem ?? "")}</span>
}

type DeliveryProps = Readonly<{
  view: View
  /** The path of its endpoint. */
  own: string
  delivery: Delivery
  /** Null where it holds a secret. */
  body: string | null
}>

export const DeliveryPage = ({ view, own, delivery, body }: DeliveryProps) => {
  const words = view.words.webhooks
  const { id, type, createdAt, state, attempts, nextAt, triedAt, last } = delivery
  return (
    <>
      <section class="panel">
        <dl class="facts">
          <Fact name={words.event} class="mono" value={type} />
          <Fact name={words.messageId} value={<Copyable view={view} text={id} />} />
          <Fact name={words.state} value={<Pill tone={tones[state]}>{words.states[state]}</Pill>} />
          <Fact name={words.madeAt} value={<Moment view={view} at={createdAt} />} />
          <Fact name={words.tries} value={attempts.toLocaleString(view.locale)} />
          {triedAt !== null && (
            <Fact name={words.triedAt} value={<Moment view={view} at={triedAt} />} />
          )}
          {nextAt !== null && <Fact name={words.next} value={<Moment view={view} at={nextAt} />} />}
        </dl>
        <Act view={view} action={`${pathOfDelivery(own, id)}/resend`} text={words.resend} />
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
