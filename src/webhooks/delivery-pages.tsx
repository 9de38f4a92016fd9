import { may } from "../access/page-view.ts"
import { paths } from "../access/paths.ts"
import { currentView, Page, type PageContext } from "../platform/pages/context.ts"
import { column, DataTable } from "../platform/pages/data-table.tsx"
import {
  Copyable,
  NamedLink,
  Panel,
  Pill,
  PostForm,
  SentenceWithTime,
  Stat,
  Time,
  truncate,
} from "../platform/pages/elements.tsx"

import { cutPage, FilterSelect, type ListRequest, type OpenList } from "../platform/pages/list.tsx"

import { translate } from "../platform/problem.ts"
import { currentLocale, t } from "../platform/t.ts"
import { formatTimestamp } from "../platform/time.ts"
import {
  type Attempt,
  type Delivery,
  deliveryStates,
  isAwaited,
  type MessageStore,
  type RecordedAttempt,
  stateOfDelivery,
} from "./delivery.ts"
import { findDelivery } from "./endpoint-operations.ts"
import {
  type Endpoint,
  type EventCipher,
  eventTypesFor,
  type ListedEndpoint,
  shownUrl,
  testEventType,
} from "./webhook.ts"

/** Operators have their webhooks in the console, authors in their workspace. */
export const webhooksPath = (accountId: number | null) =>
  accountId === null ? paths.webhooks : currentView().paths.webhooks

export const endpointPath = ({ accountId, id }: Pick<Endpoint, "accountId" | "id">) =>
  `${webhooksPath(accountId)}/${encodeURIComponent(id)}`

export const deliveryPath = (endpoint: Pick<Endpoint, "accountId" | "id">, messageId: string) =>
  `${endpointPath(endpoint)}/messages/${encodeURIComponent(messageId)}`

type DeliveryServices = Readonly<{
  messages: MessageStore
  eventCipher: EventCipher
  now: () => Date
}>

/** The deliveries of a webhook, on its page. */
export function openDeliveries(
  { messages, now }: DeliveryServices,
  endpoint: Endpoint,
  { filters }: ListRequest<"state" | "type">,
): Omit<OpenList<Delivery>, "page"> {
  const types = [...eventTypesFor(endpoint.accountId), testEventType]
  const filter = {
    state: deliveryStates.find((each) => each === filters.state) ?? null,
    type: filters.type || null,
  }
  const states = { now: now(), isDisabled: endpoint.disabled !== null }
  return {
    columns: [
      column(t("Event"), ({ type }) => type),
      column(t("Status"), (delivery) => t(stateTexts[chooseState(delivery, states.isDisabled)]), {
        isWide: true,
        cell: (delivery) => <DeliveryState {...{ delivery, ...states }} />,
      }),
      column(t("Response"), ({ last }) => last && describeResponse(last)),
      column(t("Attempts"), ({ attempts }) => attempts, { kind: "number", priority: 2 }),
      column(t("Created # date"), ({ createdAt }) => createdAt, { kind: "time" }),
    ],
    async read(after, rowsMax) {
      const rows = await messages.list(endpoint.id, after, rowsMax + 1, filter)
      return cutPage(rows, rowsMax, ({ id }) => id)
    },
    filters: (
      <>
        <FilterSelect
          name="state"
          label={t("Status")}
          every={t("All statuses")}
          options={deliveryStates.map((each) => [each, t(stateTexts[each])])}
          chosen={filters.state}
        />
        <FilterSelect
          name="type"
          label={t("Event")}
          every={t("All events")}
          options={types.map((type) => [type, type])}
          chosen={filters.type}
        />
      </>
    ),
    linkOf: ({ id }) => deliveryPath(endpoint, id),
    empty:
      (filter.state ?? filter.type) ? t("No results match this filter.") : t("No deliveries yet."),
  }
}

/** A disabled webhook retries nothing. */
function chooseState(delivery: Delivery, isDisabled: boolean) {
  const state = stateOfDelivery(delivery)
  return isDisabled && state === "retrying" ? "pending" : state
}

const describeResponse = ({ status, problem }: Attempt) =>
  problem === null ? String(status) : translate(problem)

type StateProps = Readonly<{ delivery: Delivery; now: Date; isDisabled: boolean }>

const DeliveryState = ({ delivery, now, isDisabled }: StateProps) => {
  const state = chooseState(delivery, isDisabled)
  const { attempts, nextAt } = delivery
  const sentence = (when: string) => t("attempt {nth}, {when}", { nth: attempts + 1, when })
  return (
    <>
      <Pill tone={stateTones[state]}>{t(stateTexts[state])}</Pill>{" "}
      {state === "retrying" && nextAt !== null && nextAt > formatTimestamp(now) && (
        <span class="hint">
          <SentenceWithTime {...{ at: nextAt, sentence }} form="ago" />
        </span>
      )}
    </>
  )
}

const stateTexts = {
  pending: "Pending",
  retrying: "Retrying",
  delivered: "Delivered",
  failed: "Failed",
} as const

const stateTones = {
  pending: "plain",
  retrying: "warning",
  delivered: "good",
  failed: "danger",
} as const

export async function showDelivery(
  c: PageContext,
  services: DeliveryServices,
  endpoint: ListedEndpoint,
) {
  const found = await findDelivery(services, endpoint, c.req.param("message") ?? "")
  if (found === null) return c.notFound()
  return c.html(
    <Page title={found.delivery.type}>
      <DeliveryPage {...{ ...found, endpoint, now: services.now() }} />
    </Page>,
  )
}

type DeliveryProps = Readonly<{
  delivery: Delivery
  endpoint: Endpoint
  attempts: readonly RecordedAttempt[]
  /** Null if it contains a secret. */
  body: string | null
  now: Date
}>

export const DeliveryPage = ({ delivery, endpoint, attempts, body, now }: DeliveryProps) => {
  const path = deliveryPath(endpoint, delivery.id)
  const isDisabled = endpoint.disabled !== null
  return (
    <>
      <dl class="stats">
        <Stat label={t("Webhook")}>
          <NamedLink href={endpointPath(endpoint)} name={shownUrl(endpoint.url)} />
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
      <Attempts {...{ delivery, attempts, path, now, isDisabled }} />
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

type AttemptsProps = StateProps & Readonly<{ attempts: readonly RecordedAttempt[]; path: string }>

/** The script reads the attempts again until the result is there. Without script, the visitor uses the link. */
const Attempts = ({ delivery, attempts, path, now, isDisabled }: AttemptsProps) => {
  const isWaiting = !isDisabled && isAwaited(delivery, now)
  return (
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
      {attempts.length > 0 && (
        <DataTable
          rows={attempts}
          columns={[
            column(t("Time"), ({ at }) => at, { kind: "time" }),
            column(t("Status"), describeResponse),
            column(
              t("Duration"),
              ({ durationMs }) => `${durationMs.toLocaleString(currentLocale())} ms`,
              { kind: "number" },
            ),
            column(t("Response"), () => null, {
              isWide: true,
              cell: ({ response }) => (response === "" ? null : <ResponseText text={response} />),
            }),
          ]}
        />
      )}
    </section>
  )
}

const ResponseText = ({ text }: Readonly<{ text: string }>) => (
  <details>
    <summary>
      <code>{truncate(text, 80)}</code>
    </summary>
    <pre tabindex={0}>
      <code>{text}</code>
    </pre>
  </details>
)
