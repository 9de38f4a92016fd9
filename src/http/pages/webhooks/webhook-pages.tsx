/** The parts of the pages about endpoints, of an author or of the operators. */

import {
  type Endpoint,
  eventTypesFor,
  type ListedEndpoint,
  shownUrl,
} from "../../../domain/events/endpoint.ts"
import type { Delivery } from "../../../domain/events/message.ts"
import { webhooksOf } from "../../openapi/openapi-document.ts"
import { CopyButton } from "../components/copy-button.tsx"
import { Field, PostForm } from "../components/form-fields.tsx"
import {
  Fact,
  NamedLink,
  Pill,
  RelativeTime,
  SentenceWithTime,
} from "../components/formatted-values.tsx"
import { numberColumn, Panel, QuietLink, Table } from "../components/panels-and-tables.tsx"
import { ConfirmActions } from "../components/password-fields.tsx"
import type { PasswordPrompt } from "../confirm-password.ts"
import type { View } from "../view.ts"
import { ActionButton, DeliveryTable } from "./webhook-deliveries.tsx"

type Props = Readonly<{
  view: View
  /** Of the list; below it are the endpoints. */
  path: string
}>

export const pathOfEndpoint = (path: string, id: string) => `${path}/${encodeURIComponent(id)}`

type ListProps = Props & Readonly<{ endpoints: readonly Endpoint[]; isOperators: boolean }>

export const EndpointList = ({ view, path, endpoints, isOperators }: ListProps) => {
  const words = view.texts.webhooks
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
  linkTo(endpoint: Endpoint): string
}>

export const EndpointTable = ({ view, endpoints, linkTo }: TableProps) => {
  const words = view.texts.webhooks
  return (
    <Table
      rows={endpoints}
      columns={[
        {
          head: view.texts.columns.url,
          cell: (endpoint) => (
            <>
              <NamedLink href={linkTo(endpoint)} name={shownUrl(endpoint.url)} />
              {endpoint.disabled !== null && (
                <p class="hint">{words.reasons[endpoint.disabled.reason]}</p>
              )}
            </>
          ),
        },
        { head: words.events, cell: ({ events }) => events?.join(", ") ?? words.allEvents },
        {
          head: view.texts.columns.state,
          cell: (endpoint) => <EndpointState view={view} endpoint={endpoint} />,
        },
        numberColumn(view, words.pending, "pendingMessages"),
      ]}
    />
  )
}

type StateProps = Readonly<{ view: View; endpoint: Endpoint }>

const EndpointState = ({ view, endpoint: { disabled: off, failingSince } }: StateProps) => {
  const words = view.texts.webhooks
  if (off !== null) {
    return <Pill tone={off.reason === "owner" ? "plain" : "danger"}>{words.disabled}</Pill>
  }
  return failingSince === null ? (
    <Pill tone="good">{words.enabled}</Pill>
  ) : (
    <Pill tone="warning">{words.failing}</Pill>
  )
}

/** As it was typed, and why it will not do. */
export type EndpointFormValues = Readonly<{
  /** Null where the form makes nothing new. */
  formId: string | null
  url: string
  events: readonly string[]
  problem: Readonly<{ field: "url" | "events"; text: string }> | null
}>

type FormProps = Readonly<{
  view: View
  accountId: number | null
  typed: EndpointFormValues
  password: PasswordPrompt
  action: string
  submit: string
  /** Where "cancel" leads. */
  back: string
}>

export const EndpointForm = (props: FormProps) => {
  const { view, accountId, typed, password, action, submit, back } = props
  const words = view.texts.webhooks
  const described = webhooksOf(view.locale)
  const errorOf = (field: "url" | "events") =>
    typed.problem?.field === field ? typed.problem.text : null
  return (
    <PostForm view={view} action={action}>
      {typed.formId !== null && <input type="hidden" name="form_id" value={typed.formId} />}
      <Field
        name="url"
        label={view.texts.columns.url}
        hint={words.urlHint}
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
              <span class="hint">{described[type].post.description}</span>
            </span>
          </label>
        ))}
        {errorOf("events") !== null && <p class="error">{errorOf("events")}</p>}
      </fieldset>
      <ConfirmActions view={view} password={password} submit={submit} back={back} />
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
  const words = view.texts.webhooks
  const own = pathOfEndpoint(path, endpoint.id)
  const last = deliveries.at(-1)
  return (
    <>
      <EndpointNotice view={view} endpoint={endpoint} />
      <section class="panel">
        <EndpointFacts view={view} endpoint={endpoint} url={endpoint.url} />
        <div class="actions">
          {endpoint.disabled === null && (
            <ActionButton view={view} action={`${own}/test`} text={words.test} />
          )}
          <QuietLink href={`${own}/edit`}>{words.edit}</QuietLink>
          {endpoint.disabled === null ? (
            <ActionButton view={view} action={`${own}/turn-off`} text={words.disable} />
          ) : (
            <ActionButton view={view} action={`${own}/turn-on`} text={words.enable} />
          )}
          <QuietLink href={`${own}/remove`}>{words.remove}</QuietLink>
        </div>
      </section>
      <Panel id="secret-title" title={words.secret}>
        <SecretPart view={view} webhookPath={own} endpoint={endpoint} secret={secret} />
      </Panel>
      <Deliveries view={view} webhookPath={own} deliveries={deliveries} />
      {hasOlder && last !== undefined && (
        <nav class="pager" aria-label={words.deliveries}>
          <QuietLink href={`${own}?before=${last.id}`} rel="next">
            {words.older}
          </QuietLink>
        </nav>
      )}
    </>
  )
}

type ShownEndpointProps = Readonly<{
  view: View
  endpoint: Endpoint
  deliveries: readonly Delivery[]
}>

/** For operators, who see no secret and change nothing. */
export const AuthorEndpoint = ({ view, endpoint, deliveries }: ShownEndpointProps) => (
  <>
    <EndpointNotice view={view} endpoint={endpoint} />
    <section class="panel">
      <EndpointFacts view={view} endpoint={endpoint} url={shownUrl(endpoint.url)} />
    </section>
    <Deliveries view={view} webhookPath={null} deliveries={deliveries} />
  </>
)

type FactsProps = Pick<ShownEndpointProps, "view" | "endpoint"> & Readonly<{ url: string }>

const EndpointFacts = ({ view, endpoint, url }: FactsProps) => {
  const words = view.texts.webhooks
  return (
    <dl class="facts">
      <Fact name={view.texts.columns.url} class="mono" value={<bdi>{url}</bdi>} />
      <Fact name={words.events} value={endpoint.events?.join(", ") ?? words.allEvents} />
      <Fact
        name={view.texts.columns.state}
        value={<EndpointState view={view} endpoint={endpoint} />}
      />
      <Fact name={words.pending} value={endpoint.pendingMessages.toLocaleString(view.locale)} />
      <Fact name={words.created} value={<RelativeTime view={view} at={endpoint.createdAt} />} />
    </dl>
  )
}

const Deliveries = ({ view, webhookPath, deliveries }: Parameters<typeof DeliveryTable>[0]) => {
  const words = view.texts.webhooks
  return (
    <section aria-labelledby="deliveries-title">
      <h2 id="deliveries-title">{words.deliveries}</h2>
      {deliveries.length === 0 ? (
        <p class="empty">{words.noDeliveries}</p>
      ) : (
        <DeliveryTable view={view} webhookPath={webhookPath} deliveries={deliveries} />
      )}
    </section>
  )
}

/** Why nothing is sent, and what to do. */
const EndpointNotice = ({ view, endpoint: { disabled: off, failingSince } }: StateProps) => {
  const words = view.texts.webhooks
  if (off !== null) return <p class="notice warning">{words.reasons[off.reason]}</p>
  if (failingSince === null) return null
  return (
    <p class="notice warning">
      <SentenceWithTime view={view} at={failingSince} form="moment" sentence={words.failingSince} />
    </p>
  )
}

type SecretProps = Pick<EndpointProps, "view" | "endpoint" | "secret"> &
  Readonly<{ webhookPath: string }>

const SecretPart = ({ view, webhookPath, endpoint, secret }: SecretProps) => {
  const words = view.texts.webhooks
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
        {secret === null ? (
          <ActionButton view={view} action={`${webhookPath}/reveal`} text={words.reveal} />
        ) : (
          <QuietLink href={webhookPath}>{words.hide}</QuietLink>
        )}
      </div>
      {endpoint.oldSecret !== null && (
        <p>
          <SentenceWithTime
            view={view}
            at={endpoint.oldSecret.until}
            form="moment"
            sentence={words.bothUntil}
          />
        </p>
      )}
      <p>
        <QuietLink href={`${webhookPath}/replace`}>{words.rotate}</QuietLink>
      </p>
    </>
  )
}
