import type { Child } from "hono/jsx"
import { rightToSecretOf } from "../access/rights.ts"
import { webhooksOf } from "../contract/openapi.ts"
import { ConfirmActions, type PasswordPrompt } from "../people/password-pages.tsx"
import { may, type View } from "../platform/pages/context.ts"
import { type Column, DataTable } from "../platform/pages/data-table.tsx"
import {
  Copyable,
  CopyButton,
  NamedLink,
  Panel,
  Pill,
  QuietLink,
  RelativeTime,
  SentenceWithTime,
  Stat,
  Time,
  truncate,
} from "../platform/pages/elements.tsx"
import { Field, PostForm, QuietButton } from "../platform/pages/form-fields.tsx"
import { describe } from "../platform/problem.ts"
import { formatTimestamp } from "../platform/time.ts"
import { type Endpoint, eventTypesFor, shownUrl } from "./endpoint.ts"
import {
  type Attempt,
  type Delivery,
  isAwaited,
  type RecordedAttempt,
  stateOfDelivery,
} from "./message.ts"

export const pathOfEndpoint = (path: string, id: string) => `${path}/${encodeURIComponent(id)}`

export const endpointColumns = (view: View): readonly Column<Endpoint>[] => {
  const texts = view.texts.webhooks
  return [
    { head: view.texts.columns.url, isWide: true, value: ({ url }) => shownUrl(url) },
    {
      head: view.texts.columns.state,
      value: (endpoint) => texts.endpointStates[stateOfEndpoint(endpoint)],
      cell: (endpoint) => <EndpointState view={view} endpoint={endpoint} />,
    },
    { head: texts.events, priority: 2, value: (endpoint) => eventsOf(view, endpoint) },
    { head: texts.pending, kind: "number", value: ({ pendingMessages }) => pendingMessages },
    { head: texts.lastAttempt, kind: "time", value: ({ attemptedAt }) => attemptedAt },
  ]
}

const eventsOf = ({ texts }: View, { events }: Endpoint) =>
  events?.join(", ") ?? texts.webhooks.allEvents

type StateProps = Readonly<{ view: View; endpoint: Endpoint }>

const tones = { active: "good", failing: "warning", disabled: "danger" } as const

const stateOfEndpoint = ({ disabled, failingSince }: Endpoint) =>
  disabled !== null ? "disabled" : failingSince !== null ? "failing" : "active"

const EndpointState = ({ view, endpoint }: StateProps) => {
  const state = stateOfEndpoint(endpoint)
  const tone = endpoint.disabled?.reason === "owner" ? "plain" : tones[state]
  return <Pill tone={tone}>{view.texts.webhooks.endpointStates[state]}</Pill>
}

export type EndpointFormValues = Readonly<{
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

type EndpointProps = Readonly<{
  view: View
  webhookPath: string
  endpoint: Endpoint
  secret?: string | undefined
  deliveries?: Child
}>

/** Also its whole URL, which may contain a password. */
export const maySeeSecret = (view: View, { accountId }: Pick<Endpoint, "accountId">) =>
  may(view, rightToSecretOf(accountId))

export const EndpointPage = (props: EndpointProps) => {
  const { view, webhookPath, endpoint, deliveries } = props
  const { columns, webhooks: texts } = view.texts
  const isEnabled = endpoint.disabled === null
  return (
    <>
      <EndpointNotice view={view} endpoint={endpoint} />
      <dl class="stats">
        <Stat label={columns.state} value={<EndpointState view={view} endpoint={endpoint} />} />
        <Stat label={texts.events}>{eventsOf(view, endpoint)}</Stat>
        <Stat label={texts.pending}>{endpoint.pendingMessages.toLocaleString(view.locale)}</Stat>
        <Stat label={texts.lastAttempt}>
          <RelativeTime view={view} at={endpoint.attemptedAt} />
        </Stat>
        {maySeeSecret(view, endpoint) && (
          <Stat label={texts.secret} value={<EndpointSecret {...props} />} />
        )}
      </dl>
      {may(view, "manage") && (
        <PostForm view={view} class="actions">
          {isEnabled && (
            <button type="submit" formaction={`${webhookPath}/test`}>
              {texts.test}
            </button>
          )}
          <QuietButton formaction={`${webhookPath}/${isEnabled ? "turn-off" : "turn-on"}`}>
            {isEnabled ? texts.disable : texts.enable}
          </QuietButton>
          {(["edit", "replace", "remove"] as const).map(
            (action) =>
              (action === "remove" || maySeeSecret(view, endpoint)) && (
                <QuietLink href={`${webhookPath}/${action}`} data-dialog>
                  {texts.actions[action]}
                </QuietLink>
              ),
          )}
        </PostForm>
      )}
      {deliveries !== undefined && (
        <section aria-labelledby="deliveries-title">
          <h2 id="deliveries-title">{texts.deliveries}</h2>
          {deliveries}
        </section>
      )}
    </>
  )
}

const EndpointNotice = ({ view, endpoint: { disabled, failingSince } }: StateProps) => {
  const texts = view.texts.webhooks
  if (disabled !== null) return <p class="notice warning">{texts.reasons[disabled.reason]}</p>
  if (failingSince === null) return null
  return (
    <p class="notice warning">
      <SentenceWithTime view={view} at={failingSince} sentence={texts.failingSince} />
    </p>
  )
}

const EndpointSecret = ({ view, webhookPath, endpoint, secret }: EndpointProps) => {
  const texts = view.texts.webhooks
  return (
    <>
      {secret === undefined ? (
        <PostForm view={view} action={`${webhookPath}/reveal`} class="actions">
          <code class="masked">whsec_…</code>
          <QuietButton>{texts.actions.reveal}</QuietButton>
        </PostForm>
      ) : (
        <div class="actions">
          <code data-secret tabindex={-1} autofocus>
            {secret}
          </code>
          <CopyButton view={view} text={secret} />
          <QuietLink href={webhookPath}>{view.texts.keys.hide}</QuietLink>
        </div>
      )}
      {endpoint.oldSecret !== null && (
        <p class="hint">
          <SentenceWithTime view={view} at={endpoint.oldSecret.until} sentence={texts.bothUntil} />
        </p>
      )}
    </>
  )
}

export const pathOfDelivery = (webhookPath: string, id: string) =>
  `${webhookPath}/messages/${encodeURIComponent(id)}`

/** A disabled webhook retries nothing. */
function shownStateOf(delivery: Delivery, isDisabled: boolean) {
  const state = stateOfDelivery(delivery)
  return isDisabled && state === "retrying" ? "pending" : state
}

export const deliveryColumns = (
  view: View,
  now: Date,
  isDisabled: boolean,
): readonly Column<Delivery>[] => {
  const texts = view.texts.webhooks
  return [
    { head: texts.event, value: ({ type }) => type },
    {
      head: view.texts.columns.state,
      isWide: true,
      value: (delivery) => texts.states[shownStateOf(delivery, isDisabled)],
      cell: (delivery) => <DeliveryState {...{ view, delivery, now, isDisabled }} />,
    },
    { head: texts.response, value: ({ last }) => last && responseOf(view, last) },
    { head: texts.attempts, kind: "number", priority: 2, value: ({ attempts }) => attempts },
    { head: view.texts.keys.created, kind: "time", value: ({ createdAt }) => createdAt },
  ]
}

const deliveryTones = {
  pending: "plain",
  retrying: "warning",
  delivered: "good",
  failed: "danger",
} as const

type DeliveryProps = Readonly<{ view: View; delivery: Delivery; now: Date }>
type StateOfDeliveryProps = DeliveryProps & Readonly<{ isDisabled: boolean }>

const DeliveryState = ({ view, delivery, now, isDisabled }: StateOfDeliveryProps) => {
  const texts = view.texts.webhooks
  const state = shownStateOf(delivery, isDisabled)
  const { attempts, nextAt } = delivery
  const sentence = (when: string) => texts.nextAttempt(attempts + 1, when)
  return (
    <>
      <Pill tone={deliveryTones[state]}>{texts.states[state]}</Pill>{" "}
      {state === "retrying" && nextAt !== null && nextAt > formatTimestamp(now) && (
        <span class="hint">
          <SentenceWithTime {...{ view, at: nextAt, sentence }} form="ago" />
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
    webhookPath: string
    attempts: readonly RecordedAttempt[]
    /** Null if it contains a secret. */
    body: string | null
  }>

/** The script reads the attempts again until the result is there. Without script, the visitor uses the link. */
export const DeliveryPage = (props: PageProps) => {
  const { view, endpoint, webhookPath, now, delivery, attempts, body } = props
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
        <Stat label={texts.messageId} value={<Copyable view={view} text={delivery.id} />} />
        <Stat label={view.texts.keys.created}>
          <Time view={view} at={delivery.createdAt} form="datetime" />
        </Stat>
      </dl>
      {isDisabled ? (
        <p class="notice warning">{texts.isDisabled}</p>
      ) : (
        may(view, "redeliver") && (
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
          <DeliveryState {...{ view, delivery, now, isDisabled }} />
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
      value: ({ durationMs }) => `${durationMs.toLocaleString(view.locale)} ms`,
    },
    {
      head: texts.response,
      isWide: true,
      value: () => null,
      cell: ({ response }) =>
        response === "" ? null : (
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
