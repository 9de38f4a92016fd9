import type { Child } from "hono/jsx"
import { rightToSecretOf } from "../access/actor.ts"
import { may } from "../access/page-view.ts"
import { webhooksOf } from "../contract/openapi.ts"
import { ConfirmActions } from "../platform/pages/confirm.tsx"
import type { PasswordPrompt } from "../platform/pages/context.ts"
import { type Column, column, DataTable } from "../platform/pages/data-table.tsx"
import {
  Copyable,
  CopyButton,
  Field,
  NamedLink,
  Panel,
  Pill,
  PostForm,
  QuietButton,
  QuietLink,
  RelativeTime,
  SentenceWithTime,
  Stat,
  Time,
  truncate,
} from "../platform/pages/elements.tsx"
import { translate } from "../platform/problem.ts"
import { currentLocale, t } from "../platform/t.ts"
import { formatTimestamp } from "../platform/time.ts"
import {
  type Attempt,
  type Delivery,
  isAwaited,
  type RecordedAttempt,
  stateOfDelivery,
} from "./message.ts"
import { type Endpoint, eventTypesFor, shownUrl } from "./webhook.ts"

export const pathOfEndpoint = (path: string, id: string) => `${path}/${encodeURIComponent(id)}`

export const endpointColumns = (): readonly Column<Endpoint>[] => [
  column(t("URL"), ({ url }) => shownUrl(url), { isWide: true }),
  column(t("Status"), (endpoint) => t(endpointStateTexts[stateOfEndpoint(endpoint)]), {
    cell: (endpoint) => <EndpointState endpoint={endpoint} />,
  }),
  column(t("Events"), (endpoint) => eventsOf(endpoint), { priority: 2 }),
  column(t("Pending # count"), ({ pendingMessages }) => pendingMessages, { kind: "number" }),
  column(t("Last attempt"), ({ attemptedAt }) => attemptedAt, { kind: "time" }),
]

const eventsOf = ({ events }: Endpoint) => events?.join(", ") ?? t("All events")

type StateProps = Readonly<{ endpoint: Endpoint }>

const tones = { active: "good", failing: "warning", disabled: "danger" } as const

const stateOfEndpoint = ({ disabled, failingSince }: Endpoint) =>
  disabled !== null ? "disabled" : failingSince !== null ? "failing" : "active"

const EndpointState = ({ endpoint }: StateProps) => {
  const state = stateOfEndpoint(endpoint)
  const tone = endpoint.disabled?.reason === "owner" ? "plain" : tones[state]
  return <Pill tone={tone}>{t(endpointStateTexts[state])}</Pill>
}

export type EndpointFormValues = Readonly<{
  formId: string | null
  url: string
  events: readonly string[]
  problem: Readonly<{ field: "url" | "events"; text: string }> | null
}>

type FormProps = Readonly<{
  accountId: number | null
  typed: EndpointFormValues
  password: PasswordPrompt
  action: string
  submit: string
  back: string
}>

export const EndpointForm = (props: FormProps) => {
  const { accountId, typed, password, action, submit, back } = props
  const described = webhooksOf(currentLocale())
  const errorOf = (field: "url" | "events") =>
    typed.problem?.field === field ? typed.problem.text : null
  return (
    <PostForm action={action}>
      {typed.formId !== null && <input type="hidden" name="form_id" value={typed.formId} />}
      <Field
        name="url"
        label={t("URL")}
        hint={t("It must begin with https:// and be reachable from the internet.")}
        value={typed.url}
        error={errorOf("url")}
        isRequired
      />
      <fieldset class="choices">
        <legend>{t("Events")}</legend>
        <p class="hint">{t("Leave empty to receive all events, including future ones.")}</p>
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
      <ConfirmActions password={password} submit={submit} back={back} />
    </PostForm>
  )
}

type EndpointProps = Readonly<{
  webhookPath: string
  endpoint: Endpoint
  secret?: string | undefined
  deliveries?: Child
}>

/** Also its whole URL, which may contain a password. */
export const maySeeSecret = ({ accountId }: Pick<Endpoint, "accountId">) =>
  may(rightToSecretOf(accountId))

export const EndpointPage = (props: EndpointProps) => {
  const { webhookPath, endpoint, deliveries } = props
  const isEnabled = endpoint.disabled === null
  return (
    <>
      <EndpointNotice endpoint={endpoint} />
      <dl class="stats">
        <Stat label={t("Status")} value={<EndpointState endpoint={endpoint} />} />
        <Stat label={t("Events")}>{eventsOf(endpoint)}</Stat>
        <Stat label={t("Pending # count")}>
          {endpoint.pendingMessages.toLocaleString(currentLocale())}
        </Stat>
        <Stat label={t("Last attempt")}>
          <RelativeTime at={endpoint.attemptedAt} />
        </Stat>
        {maySeeSecret(endpoint) && (
          <Stat label={t("Signing secret")} value={<EndpointSecret {...props} />} />
        )}
      </dl>
      {may("manage") && (
        <PostForm class="actions">
          {isEnabled && (
            <button type="submit" formaction={`${webhookPath}/test`}>
              {t("Send a test event")}
            </button>
          )}
          <QuietButton formaction={`${webhookPath}/${isEnabled ? "turn-off" : "turn-on"}`}>
            {isEnabled ? t("Disable") : t("Enable")}
          </QuietButton>
          {(["edit", "replace", "remove"] as const).map(
            (action) =>
              (action === "remove" || maySeeSecret(endpoint)) && (
                <QuietLink href={`${webhookPath}/${action}`} data-dialog>
                  {t(webhookActionTexts[action])}
                </QuietLink>
              ),
          )}
        </PostForm>
      )}
      {deliveries !== undefined && (
        <section aria-labelledby="deliveries-title">
          <h2 id="deliveries-title">{t("Deliveries")}</h2>
          {deliveries}
        </section>
      )}
    </>
  )
}

const EndpointNotice = ({ endpoint: { disabled, failingSince } }: StateProps) => {
  if (disabled !== null) return <p class="notice warning">{t(disabledTexts[disabled.reason])}</p>
  if (failingSince === null) return null
  return (
    <p class="notice warning">
      <SentenceWithTime
        at={failingSince}
        sentence={(when) =>
          t(
            "All attempts have failed since {when}. After five days of failed attempts, the webhook is disabled.",
            { when },
          )
        }
      />
    </p>
  )
}

const EndpointSecret = ({ webhookPath, endpoint, secret }: EndpointProps) => (
  <>
    {secret === undefined ? (
      <PostForm action={`${webhookPath}/reveal`} class="actions">
        <code class="masked">whsec_…</code>
        <QuietButton>{t("Reveal")}</QuietButton>
      </PostForm>
    ) : (
      <div class="actions">
        <code data-secret tabindex={-1} autofocus>
          {secret}
        </code>
        <CopyButton text={secret} />
        <QuietLink href={webhookPath}>{t("Hide")}</QuietLink>
      </div>
    )}
    {endpoint.oldSecret !== null && (
      <p class="hint">
        <SentenceWithTime
          at={endpoint.oldSecret.until}
          sentence={(when) =>
            t("Messages are also signed with the previous secret until {when}.", { when })
          }
        />
      </p>
    )}
  </>
)

export const pathOfDelivery = (webhookPath: string, id: string) =>
  `${webhookPath}/messages/${encodeURIComponent(id)}`

/** A disabled webhook retries nothing. */
function shownStateOf(delivery: Delivery, isDisabled: boolean) {
  const state = stateOfDelivery(delivery)
  return isDisabled && state === "retrying" ? "pending" : state
}

export const deliveryColumns = (now: Date, isDisabled: boolean): readonly Column<Delivery>[] => [
  column(t("Event"), ({ type }) => type),
  column(t("Status"), (delivery) => t(deliveryStateTexts[shownStateOf(delivery, isDisabled)]), {
    isWide: true,
    cell: (delivery) => <DeliveryState {...{ delivery, now, isDisabled }} />,
  }),
  column(t("Response"), ({ last }) => last && responseOf(last)),
  column(t("Attempts"), ({ attempts }) => attempts, { kind: "number", priority: 2 }),
  column(t("Created # date"), ({ createdAt }) => createdAt, { kind: "time" }),
]

const deliveryTones = {
  pending: "plain",
  retrying: "warning",
  delivered: "good",
  failed: "danger",
} as const

type DeliveryProps = Readonly<{ delivery: Delivery; now: Date }>
type StateOfDeliveryProps = DeliveryProps & Readonly<{ isDisabled: boolean }>

const DeliveryState = ({ delivery, now, isDisabled }: StateOfDeliveryProps) => {
  const state = shownStateOf(delivery, isDisabled)
  const { attempts, nextAt } = delivery
  const sentence = (when: string) => t("attempt {nth}, {when}", { nth: attempts + 1, when })
  return (
    <>
      <Pill tone={deliveryTones[state]}>{t(deliveryStateTexts[state])}</Pill>{" "}
      {state === "retrying" && nextAt !== null && nextAt > formatTimestamp(now) && (
        <span class="hint">
          <SentenceWithTime {...{ at: nextAt, sentence }} form="ago" />
        </span>
      )}
    </>
  )
}

const responseOf = ({ status, problem }: Attempt) =>
  problem === null ? String(status) : translate(problem)

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
  const { endpoint, webhookPath, now, delivery, attempts, body } = props
  const path = pathOfDelivery(webhookPath, delivery.id)
  const isDisabled = endpoint.disabled !== null
  const isWaiting = !isDisabled && isAwaited(delivery, now)
  return (
    <>
      <dl class="stats">
        <Stat label={t("Webhook")}>
          <NamedLink href={webhookPath} name={shownUrl(endpoint.url)} />
        </Stat>
        <Stat label={t("Message ID")} value={<Copyable text={delivery.id} />} />
        <Stat label={t("Created # date")}>
          <Time at={delivery.createdAt} form="datetime" />
        </Stat>
      </dl>
      {isDisabled ? (
        <p class="notice warning">{t("The webhook is disabled. Enable it first.")}</p>
      ) : (
        may("redeliver") && (
          <PostForm action={`${path}/resend`} class="actions">
            <button type="submit">{t("Redeliver")}</button>
          </PostForm>
        )
      )}
      <section
        id="attempts"
        aria-live="polite"
        data-refresh={isWaiting ? path : undefined}
        data-version={delivery.attempts}
      >
        <h2>{t("Attempts")}</h2>
        <p>
          <DeliveryState {...{ delivery, now, isDisabled }} />
          {isWaiting && (
            <>
              <span class="hint">{t("Waiting for the response…")}</span>{" "}
              <noscript>
                <a href={path}>{t("Reload")}</a>
              </noscript>
            </>
          )}
        </p>
        {attempts.length > 0 && <DataTable columns={attemptColumns()} rows={attempts} />}
      </section>
      <Panel id="body-title" title={t("Body")}>
        {body === null ? (
          <p>{t("The body is hidden: it contains a link for its recipient only.")}</p>
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

const attemptColumns = (): readonly Column<RecordedAttempt>[] => [
  column(t("Time"), ({ at }) => at, { kind: "time" }),
  column(t("Status"), (attempt) => responseOf(attempt)),
  column(t("Duration"), ({ durationMs }) => `${durationMs.toLocaleString(currentLocale())} ms`, {
    kind: "number",
  }),
  column(t("Response"), () => null, {
    isWide: true,
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
  }),
]

const endpointStateTexts = {
  active: "Active",
  failing: "Failing",
  disabled: "Disabled",
} as const

export const webhookActionTexts = {
  edit: "Edit",
  reveal: "Reveal",
  replace: "Rotate the secret",
  remove: "Delete",
} as const

export const disabledTexts = {
  owner:
    "Disabled manually. Pending messages are sent when you enable it. Events that occur until then are not delivered.",
  gone: "Disabled because the server returned 410 (Gone). Check the URL, then enable the webhook.",
  failing:
    "Disabled because all attempts failed for five days. Fix the server, then enable the webhook: pending messages are sent.",
  full: "Disabled because too many messages were pending (1,000,000, or 100,000 after an hour of failed attempts). Fix the server, then enable the webhook: pending messages fail permanently.",
} as const

export const deliveryStateTexts = {
  pending: "Pending",
  retrying: "Retrying",
  delivered: "Delivered",
  failed: "Failed",
} as const
