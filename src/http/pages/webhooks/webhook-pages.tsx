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
  /** The path of the list; endpoints are below it. */
  path: string
}>

export const pathOfEndpoint = (path: string, id: string) => `${path}/${encodeURIComponent(id)}`

type ListProps = Props & Readonly<{ endpoints: readonly Endpoint[]; isOperators: boolean }>

export const EndpointList = ({ view, path, endpoints, isOperators }: ListProps) => {
  const texts = view.texts.webhooks
  return (
    <>
      <p>
        {isOperators ? texts.introOperator : texts.intro} <a href="/docs/webhooks">{texts.docs}</a>
      </p>
      <p>
        <a class="button" href={`${path}/new`}>
          {texts.add}
        </a>
      </p>
      {endpoints.length === 0 ? (
        <p class="empty">{texts.none}</p>
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
  const texts = view.texts.webhooks
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
                <p class="hint">{texts.reasons[endpoint.disabled.reason]}</p>
              )}
            </>
          ),
        },
        { head: texts.events, cell: ({ events }) => events?.join(", ") ?? texts.allEvents },
        {
          head: view.texts.columns.state,
          cell: (endpoint) => <EndpointState view={view} endpoint={endpoint} />,
        },
        numberColumn(view, texts.pending, "pendingMessages"),
      ]}
    />
  )
}

type StateProps = Readonly<{ view: View; endpoint: Endpoint }>

const EndpointState = ({ view, endpoint: { disabled, failingSince } }: StateProps) => {
  const texts = view.texts.webhooks
  if (disabled !== null) {
    return <Pill tone={disabled.reason === "owner" ? "plain" : "danger"}>{texts.disabled}</Pill>
  }
  return failingSince === null ? (
    <Pill tone="good">{texts.enabled}</Pill>
  ) : (
    <Pill tone="warning">{texts.failing}</Pill>
  )
}

export type EndpointFormValues = Readonly<{
  /** Null if the form changes an existing endpoint. */
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
  back: string
}>

export const EndpointForm = (props: FormProps) => {
  const { view, accountId, typed, password, action, submit, back } = props
  const texts = view.texts.webhooks
  const described = webhooksOf(view.locale)
  const errorOf = (field: "url" | "events") =>
    typed.problem?.field === field ? typed.problem.text : null
  return (
    <PostForm view={view} action={action}>
      {typed.formId !== null && <input type="hidden" name="form_id" value={typed.formId} />}
      <Field
        name="url"
        label={view.texts.columns.url}
        hint={texts.urlHint}
        value={typed.url}
        error={errorOf("url")}
        isRequired
      />
      <fieldset class="choices">
        <legend>{texts.events}</legend>
        <p class="hint">{texts.eventsHint}</p>
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
    secret: string | null
    deliveries: readonly Delivery[]
    hasOlder: boolean
  }>

export const EndpointPage = (props: EndpointProps) => {
  const { view, path, endpoint, secret, deliveries, hasOlder } = props
  const texts = view.texts.webhooks
  const webhookPath = pathOfEndpoint(path, endpoint.id)
  const last = deliveries.at(-1)
  return (
    <>
      <EndpointNotice view={view} endpoint={endpoint} />
      <section class="panel">
        <EndpointFacts view={view} endpoint={endpoint} url={endpoint.url} />
        <div class="actions">
          {endpoint.disabled === null && (
            <ActionButton view={view} action={`${webhookPath}/test`} text={texts.test} />
          )}
          <QuietLink href={`${webhookPath}/edit`}>{texts.edit}</QuietLink>
          {endpoint.disabled === null ? (
            <ActionButton view={view} action={`${webhookPath}/turn-off`} text={texts.disable} />
          ) : (
            <ActionButton view={view} action={`${webhookPath}/turn-on`} text={texts.enable} />
          )}
          <QuietLink href={`${webhookPath}/remove`}>{texts.remove}</QuietLink>
        </div>
      </section>
      <Panel id="secret-title" title={texts.secret}>
        <EndpointSecret view={view} webhookPath={webhookPath} endpoint={endpoint} secret={secret} />
      </Panel>
      <Deliveries view={view} webhookPath={webhookPath} deliveries={deliveries} />
      {hasOlder && last !== undefined && (
        <nav class="pager" aria-label={texts.deliveries}>
          <QuietLink href={`${webhookPath}?before=${last.id}`} rel="next">
            {texts.older}
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

/** For operators: without secret and actions. */
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
  const texts = view.texts.webhooks
  return (
    <dl class="facts">
      <Fact name={view.texts.columns.url} class="mono" value={<bdi>{url}</bdi>} />
      <Fact name={texts.events} value={endpoint.events?.join(", ") ?? texts.allEvents} />
      <Fact
        name={view.texts.columns.state}
        value={<EndpointState view={view} endpoint={endpoint} />}
      />
      <Fact name={texts.pending} value={endpoint.pendingMessages.toLocaleString(view.locale)} />
      <Fact
        name={view.texts.keys.created}
        value={<RelativeTime view={view} at={endpoint.createdAt} />}
      />
    </dl>
  )
}

const Deliveries = ({ view, webhookPath, deliveries }: Parameters<typeof DeliveryTable>[0]) => (
  <section aria-labelledby="deliveries-title">
    <h2 id="deliveries-title">{view.texts.webhooks.deliveries}</h2>
    {deliveries.length === 0 ? (
      <p class="empty">{view.texts.webhooks.noDeliveries}</p>
    ) : (
      <DeliveryTable view={view} webhookPath={webhookPath} deliveries={deliveries} />
    )}
  </section>
)

const EndpointNotice = ({ view, endpoint: { disabled, failingSince } }: StateProps) => {
  const texts = view.texts.webhooks
  if (disabled !== null) return <p class="notice warning">{texts.reasons[disabled.reason]}</p>
  if (failingSince === null) return null
  return (
    <p class="notice warning">
      <SentenceWithTime
        view={view}
        at={failingSince}
        form="datetime"
        sentence={texts.failingSince}
      />
    </p>
  )
}

type SecretProps = Pick<EndpointProps, "view" | "endpoint" | "secret"> &
  Readonly<{ webhookPath: string }>

const EndpointSecret = ({ view, webhookPath, endpoint, secret }: SecretProps) => {
  const texts = view.texts.webhooks
  return (
    <>
      <p class="hint">{texts.secretHint}</p>
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
          <ActionButton view={view} action={`${webhookPath}/reveal`} text={texts.reveal} />
        ) : (
          <QuietLink href={webhookPath}>{view.texts.keys.hide}</QuietLink>
        )}
      </div>
      {endpoint.oldSecret !== null && (
        <p>
          <SentenceWithTime
            view={view}
            at={endpoint.oldSecret.until}
            form="datetime"
            sentence={texts.bothUntil}
          />
        </p>
      )}
      <p>
        <QuietLink href={`${webhookPath}/replace`}>{texts.rotate}</QuietLink>
      </p>
    </>
  )
}
