/** Webhooks of an author or of the operators, and an author's for operators. */

import type { Child } from "hono/jsx"
import { type Actor, rightToSecretOf } from "../access/actor.ts"
import { may } from "../access/page-view.ts"
import type { TokenMaker } from "../access/token.ts"
import type { Account } from "../accounts/account.ts"
import { webhooksOf } from "../contract/openapi.ts"
import { UserError } from "../platform/error.ts"
import { ConfirmActions, promptFor, requirePassword } from "../platform/pages/confirm.tsx"
import {
  currentView,
  findFormId,
  inView,
  Page,
  type PageApp,
  type PageContext,
  type PasswordPrompt,
} from "../platform/pages/context.ts"
import { column, DataTable, stateColumn, type Tone } from "../platform/pages/data-table.tsx"
import {
  ButtonLink,
  CopyButton,
  Field,
  isolateDirection,
  Pill,
  PostForm,
  QuietButton,
  QuietLink,
  RelativeTime,
  SentenceWithTime,
  Stat,
} from "../platform/pages/elements.tsx"

import { noticeTexts } from "../platform/pages/layout.tsx"
import { addList } from "../platform/pages/list.tsx"

import { currentLocale, t } from "../platform/t.ts"
import { formatTimestamp } from "../platform/time.ts"
import { type MessageStore, testEventsMax } from "./delivery.ts"
import {
  deliveryPath,
  endpointPath,
  openDeliveries,
  showDelivery,
  webhooksPath,
} from "./delivery-pages.tsx"
import {
  changeEndpoint,
  createEndpointOnce,
  disableEndpoint,
  type EndpointServices,
  enableEndpoint,
  findDelivery,
  findOwnEndpoint,
  redeliverMessage,
  removeEndpoint,
  revealEndpointSecret,
  rotateEndpointSecret,
  sendTestEvent,
  TestEventsLimited,
} from "./endpoint-operations.ts"
import {
  type Endpoint,
  type EndpointStore,
  type EventCipher,
  endpointsMax,
  eventTypesFor,
  findUrlProblem,
  type ListedEndpoint,
  shownUrl,
} from "./webhook.ts"

export type WebhookPageServices = Readonly<{
  endpoints: EndpointStore
  messages: MessageStore
  eventCipher: EventCipher
  tokens: TokenMaker
  endpointServices(actor: Actor): EndpointServices
  now: () => Date
}>

/** With the actor of the request. */
type Services = WebhookPageServices & EndpointServices

type WebhookPage = (
  c: PageContext,
  services: Services,
  endpoint: ListedEndpoint,
) => Response | Promise<Response>

/** `findOwner` returns null for the operators. */
export function addWebhookPages(
  app: PageApp,
  services: WebhookPageServices,
  listRoute: string,
  findOwner: (c: PageContext) => Account | null,
): void {
  const route = `${listRoute}/:webhook`
  const withActor = (c: PageContext) => ({ ...services, ...services.endpointServices(c.var.actor) })
  /** An id of another owner is unknown. */
  const find = (c: PageContext) =>
    findOwnEndpoint(services, findOwner(c)?.id ?? null, c.req.param("webhook") ?? "")
  const add = (method: "GET" | "POST", path: string, page: WebhookPage) =>
    app.on(method, `${route}/${path}`, async (c) => {
      const endpoint = await find(c)
      return endpoint === null ? c.notFound() : page(c, withActor(c), endpoint)
    })

  app.get(listRoute, (c) => showList(c, services, findOwner(c)))
  app.post(listRoute, (c) => create(c, withActor(c), findOwner(c)))
  app.get(`${listRoute}/new`, async (c) => {
    const typed = { formId: services.tokens.create(), url: "", events: [], problem: null }
    const form = { accountId: findOwner(c)?.id ?? null, endpoint: null, typed }
    return showForm(c, form, await promptFor(c))
  })
  // After /new, which is not an id.
  addList(app, {
    path: route,
    file: null,
    filterNames: ["state", "type"],
    async open(c, request) {
      const endpoint = await find(c)
      if (endpoint === null) return c.notFound()
      const page = (deliveries: Child) => (
        <EndpointPage now={services.now()} endpoint={endpoint} deliveries={deliveries} />
      )
      return { ...openDeliveries(services, endpoint, request), page }
    },
  })
  add("GET", "messages/:message", showDelivery)
  add("GET", "edit", async (c, _, endpoint) => {
    const { accountId, url, events } = endpoint
    const typed = { formId: null, url, events: events ?? [], problem: null }
    return showForm(c, { accountId, endpoint, typed }, await promptFor(c))
  })
  for (const [path, change] of Object.entries(changes)) add("POST", path, change)
  for (const action of ["reveal", "replace", "remove"] as const) {
    add("GET", action, async (c, _, endpoint) => confirm(c, endpoint, action, await promptFor(c)))
    add("POST", action, async (c, actingServices, endpoint) => {
      const ask = (password: PasswordPrompt) => confirm(c, endpoint, action, password)
      return (await requirePassword(c, ask)) ?? confirmed[action](c, actingServices, endpoint)
    })
  }
}

const changes: Readonly<Record<string, WebhookPage>> = {
  async "turn-on"(c, services, endpoint) {
    await enableEndpoint(services, endpoint)
    return c.redirect(`${endpointPath(endpoint)}?done=webhook_enabled`, 303)
  },
  async "turn-off"(c, services, endpoint) {
    await disableEndpoint(services, endpoint)
    return c.redirect(`${endpointPath(endpoint)}?done=webhook_disabled`, 303)
  },
  test: (c, services, endpoint) =>
    redirectToDelivery(c, services, endpoint, sendTestEvent(services, endpoint)),
  async "messages/:message/resend"(c, services, endpoint) {
    const found = await findDelivery(services, endpoint, c.req.param("message") ?? "")
    if (found === null) return c.notFound()
    const sending = redeliverMessage(services, endpoint, found.delivery.id)
    return redirectToDelivery(c, services, endpoint, sending)
  },
  async edit(c, services, endpoint) {
    const { accountId } = endpoint
    const typed = readForm(c, services, accountId)
    const rejection = await rejectForm(c, { accountId, endpoint, typed })
    if (rejection !== null) return rejection
    await changeEndpoint(services, endpoint, typed)
    return c.redirect(`${endpointPath(endpoint)}?done=webhook_changed`, 303)
  },
}

/** After the password was confirmed. */
const confirmed: Readonly<Record<ConfirmedAction, WebhookPage>> = {
  async reveal(c, services, endpoint) {
    const secret = await revealEndpointSecret(services, endpoint)
    return showEndpoint(c, endpoint, services.now(), { secret })
  },
  async replace(c, services, endpoint) {
    // The form was sent twice: its secret has already been rotated.
    if (c.var.form.text("replaces") !== readVersion(endpoint)) {
      return c.redirect(endpointPath(endpoint), 303)
    }
    const secret = await rotateEndpointSecret(services, endpoint)
    const rotated = await services.endpoints.find(endpoint.id)
    if (secret === null || rotated === null) return c.notFound()
    return showEndpoint(c, rotated, services.now(), { secret, change: "webhook_rotated" })
  },
  async remove(c, services, endpoint) {
    await removeEndpoint(services, endpoint)
    return c.redirect(`${webhooksPath(endpoint.accountId)}?done=webhook_removed`, 303)
  },
}

async function showList(
  c: PageContext,
  { endpoints }: WebhookPageServices,
  owner: Account | null,
): Promise<Response> {
  const accountId = owner?.id ?? null
  const own = await endpoints.list(accountId)
  const add = may(rightToSecretOf(accountId)) && (
    <ButtonLink href={`${webhooksPath(accountId)}/new`}>{t("Add a webhook")}</ButtonLink>
  )
  return c.html(
    <Page title={t("Webhooks")} action={add}>
      <p>
        {accountId === null
          ? t(
              "Pazar sends events of all authors, invitations, failed imports and overdue database syncs to your server.",
            )
          : t(
              "Pazar sends events such as sales, refunds and leaked keys to your server. Each webhook receives the events that you select.",
            )}{" "}
        <a href="/docs/webhooks">{t("Events and signature verification")}</a>
      </p>
      {own.length === 0 ? (
        <p class="empty">{t("No webhooks yet.")}</p>
      ) : (
        <DataTable
          rows={own}
          linkOf={endpointPath}
          columns={[
            column(t("URL"), ({ url }) => shownUrl(url), { isWide: true }),
            stateColumn(t("Status"), describeState),
            column(t("Events"), describeEvents, { priority: 2 }),
            column(t("Pending # count"), ({ pendingMessages }) => pendingMessages, {
              kind: "number",
            }),
            column(t("Last attempt"), ({ attemptedAt }) => attemptedAt, { kind: "time" }),
          ]}
        />
      )}
    </Page>,
  )
}

function describeState({ disabled, failingSince }: Endpoint): readonly [tone: Tone, text: string] {
  if (disabled !== null) {
    return [disabled.reason === "owner" ? "plain" : "danger", t("Disabled")]
  }
  return failingSince === null ? ["good", t("Active")] : ["warning", t("Failing")]
}

const describeEvents = ({ events }: Endpoint) => events?.join(", ") ?? t("All events")

type EndpointProps = Readonly<{
  endpoint: Endpoint
  now: Date
  problem?: string | undefined
  /** After creation, rotation or reveal. */
  secret?: string | undefined
  deliveries?: Child
}>

export const EndpointPage = ({ endpoint, now, problem, secret, deliveries }: EndpointProps) => {
  const { disabled, failingSince } = endpoint
  const url = shownUrl(endpoint.url)
  const [tone, state] = describeState(endpoint)
  return (
    <Page title={url} heading={<WrappedUrl url={url} />} problem={problem}>
      {problem !== undefined && (
        <p class="notice warning" role="alert">
          {problem}
        </p>
      )}
      {disabled !== null && <p class="notice warning">{t(disabledTexts[disabled.reason])}</p>}
      {disabled === null && failingSince !== null && (
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
      )}
      <dl class="stats">
        <Stat label={t("Status")} value={<Pill tone={tone}>{state}</Pill>} />
        <Stat label={t("Events")}>{describeEvents(endpoint)}</Stat>
        <Stat label={t("Pending # count")}>
          {endpoint.pendingMessages.toLocaleString(currentLocale())}
        </Stat>
        <Stat label={t("Last attempt")}>
          <RelativeTime at={endpoint.attemptedAt} />
        </Stat>
        {maySeeSecret(endpoint) && (
          <Stat
            label={t("Signing secret")}
            value={<EndpointSecret {...{ endpoint, now, secret }} />}
          />
        )}
      </dl>
      {may("manage") && <EndpointActions endpoint={endpoint} />}
      {deliveries !== undefined && (
        <section aria-labelledby="deliveries-title">
          <h2 id="deliveries-title">{t("Deliveries")}</h2>
          {deliveries}
        </section>
      )}
    </Page>
  )
}

/** Also its whole URL, which may contain a password. */
const maySeeSecret = ({ accountId }: Endpoint) => may(rightToSecretOf(accountId))

const disabledTexts = {
  owner:
    "Disabled manually. Pending messages are sent when you enable it. Events that occur until then are not delivered.",
  gone: "Disabled because the server returned 410 (Gone). Check the URL, then enable the webhook.",
  failing:
    "Disabled because all attempts failed for five days. Fix the server, then enable the webhook: pending messages are sent.",
  full: "Disabled because too many messages were pending (1,000,000, or 100,000 after an hour of failed attempts). Fix the server, then enable the webhook: pending messages fail permanently.",
} as const

const EndpointSecret = ({
  endpoint,
  now,
  secret,
}: Pick<EndpointProps, "endpoint" | "now" | "secret">) => {
  const path = endpointPath(endpoint)
  const { oldSecret } = endpoint
  return (
    <>
      {secret === undefined ? (
        <PostForm action={`${path}/reveal`} class="actions">
          <code class="masked">whsec_…</code>
          <QuietButton>{t("Reveal")}</QuietButton>
        </PostForm>
      ) : (
        <div class="actions">
          <code data-secret tabindex={-1} autofocus>
            {secret}
          </code>
          <CopyButton text={secret} />
          <QuietLink href={path}>{t("Hide")}</QuietLink>
        </div>
      )}
      {oldSecret !== null && oldSecret.until > formatTimestamp(now) && (
        <p class="hint">
          <SentenceWithTime
            at={oldSecret.until}
            sentence={(when) =>
              t("Messages are also signed with the previous secret until {when}.", { when })
            }
          />
        </p>
      )}
    </>
  )
}

const EndpointActions = ({ endpoint }: { endpoint: Endpoint }) => {
  const path = endpointPath(endpoint)
  const isEnabled = endpoint.disabled === null
  return (
    <PostForm class="actions">
      {isEnabled && (
        <button type="submit" formaction={`${path}/test`}>
          {t("Send a test event")}
        </button>
      )}
      <QuietButton formaction={`${path}/${isEnabled ? "turn-off" : "turn-on"}`}>
        {isEnabled ? t("Disable") : t("Enable")}
      </QuietButton>
      {(["edit", "replace", "remove"] as const).map(
        (action) =>
          (action === "remove" || maySeeSecret(endpoint)) && (
            <QuietLink href={`${path}/${action}`} data-dialog>
              {t(actionTexts[action])}
            </QuietLink>
          ),
      )}
    </PostForm>
  )
}

const actionTexts = {
  edit: "Edit",
  reveal: "Reveal",
  replace: "Rotate the secret",
  remove: "Delete",
} as const

type Shown = Readonly<{
  secret?: string
  change?: "webhook_created" | "webhook_rotated"
  problem?: string
}>

/** The webhook after a form, which may have another path; a change of language must open this page. */
function showEndpoint(
  c: PageContext,
  endpoint: ListedEndpoint,
  now: Date,
  { secret, change, problem }: Shown,
) {
  const path = endpointPath(endpoint)
  const view = { ...currentView(), path, ...(change && { notice: t(noticeTexts[change]) }) }
  const page = <EndpointPage {...{ endpoint, now, secret, problem }} />
  return inView(view, () => c.html(page, problem === undefined ? 200 : 429))
}

/** Shows the delivery, or the webhook if it is disabled. */
async function redirectToDelivery(
  c: PageContext,
  { now }: Services,
  endpoint: ListedEndpoint,
  sending: Promise<string>,
) {
  try {
    return c.redirect(deliveryPath(endpoint, await sending), 303)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    if (!(error instanceof TestEventsLimited)) return c.redirect(endpointPath(endpoint), 303)
    const problem = t(
      "The limit is {max test event|test events} per minute. Wait a minute, then try again.",
      { max: testEventsMax },
    )
    return showEndpoint(c, endpoint, now(), { problem })
  }
}

type TypedEndpoint = Readonly<{
  formId: string | null
  url: string
  events: readonly string[]
  problem: Readonly<{ field: "url" | "events"; text: string }> | null
}>

/** `endpoint` is null for a new webhook. */
type EndpointForm = Readonly<{
  accountId: number | null
  endpoint: ListedEndpoint | null
  typed: TypedEndpoint
}>

function showForm(c: PageContext, form: EndpointForm, password: PasswordPrompt) {
  const { accountId, endpoint, typed } = form
  const problem = typed.problem?.text ?? password.problem
  const back = endpoint === null ? webhooksPath(accountId) : endpointPath(endpoint)
  const page = (
    <Page title={endpoint === null ? t("Add a webhook") : t("Edit the webhook")} problem={problem}>
      <PostForm action={endpoint === null ? back : `${back}/edit`}>
        {typed.formId !== null && <input type="hidden" name="form_id" value={typed.formId} />}
        <Field
          name="url"
          label={t("URL")}
          hint={t("It must begin with https:// and be reachable from the internet.")}
          value={typed.url}
          error={typed.problem?.field === "url" ? typed.problem.text : null}
          isRequired
        />
        <EventChoices {...{ accountId, typed }} />
        <ConfirmActions
          {...{ password, back }}
          submit={endpoint === null ? t("Add a webhook") : t("Save")}
        />
      </PostForm>
    </Page>
  )
  return c.html(page, problem === null ? 200 : 422)
}

const EventChoices = ({ accountId, typed }: Pick<EndpointForm, "accountId" | "typed">) => {
  const described = webhooksOf(currentLocale())
  return (
    <fieldset class="choices">
      <legend>{t("Events")}</legend>
      <p class="hint">{t("Leave empty to receive all events, including future ones.")}</p>
      {eventTypesFor(accountId).map((type) => (
        <label class="choice">
          <input type="checkbox" name="events" value={type} checked={typed.events.includes(type)} />
          <span>
            {type}
            <span class="hint">{described[type].post.description}</span>
          </span>
        </label>
      ))}
      {typed.problem?.field === "events" && <p class="error">{typed.problem.text}</p>}
    </fieldset>
  )
}

function readForm(
  c: PageContext,
  { findHostProblem }: Services,
  accountId: number | null,
): TypedEndpoint {
  const { form } = c.var
  const typed = { formId: findFormId(form), url: form.text("url"), events: form.list("events") }
  const types: readonly string[] = eventTypesFor(accountId)
  const problem = findUrlProblem(typed.url, accountId, findHostProblem)
  if (problem !== null) {
    return { ...typed, problem: { field: "url", text: t(urlProblemTexts[problem]) } }
  }
  if (typed.events.every((name) => types.includes(name))) return { ...typed, problem: null }
  const text = t("Unknown event. Choose from the list.")
  return { ...typed, problem: { field: "events", text } }
}

const urlProblemTexts = {
  protocol: "The URL must begin with https://",
  length: "The URL is too long.",
  password: "Remove the username and password from the URL.",
  privateAddress: "This URL cannot be reached from the internet.",
} as const

/** The page to show instead of saving; null for a valid form. */
async function rejectForm(c: PageContext, form: EndpointForm): Promise<Response | null> {
  if (form.typed.problem !== null) return showForm(c, form, await promptFor(c))
  return requirePassword(c, (password) =>
    showForm(c, form, {
      ...password,
      problem:
        password.problem ?? t("Required because you last entered it more than five minutes ago."),
    }),
  )
}

async function create(c: PageContext, services: Services, owner: Account | null) {
  const accountId = owner?.id ?? null
  const typed = readForm(c, services, accountId)
  const { formId } = typed
  if (formId === null) return c.redirect(`${webhooksPath(accountId)}/new`, 303)
  const form = { accountId, endpoint: null }
  const rejection = await rejectForm(c, { ...form, typed })
  if (rejection !== null) return rejection
  try {
    const { id, isNew } = await createEndpointOnce(services, owner, typed, formId)
    // A form that is sent twice leads to the endpoint that it created.
    const endpoint = isNew ? await services.endpoints.find(id) : null
    if (endpoint === null) return c.redirect(endpointPath({ accountId, id }), 303)
    const secret = services.endpointCipher.decrypt(endpoint.encrypted, id)
    return showEndpoint(c, endpoint, services.now(), { secret, change: "webhook_created" })
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const text = t("You have {max webhook|webhooks}, the maximum. Delete one first.", {
      max: endpointsMax,
    })
    const problem = { field: "url", text } as const
    return showForm(c, { ...form, typed: { ...typed, problem } }, await promptFor(c))
  }
}

type ConfirmedAction = "reveal" | "replace" | "remove"

function confirm(
  c: PageContext,
  endpoint: ListedEndpoint,
  action: ConfirmedAction,
  password: PasswordPrompt,
) {
  const { title, text } = describeAction(action, endpoint)
  const back = endpointPath(endpoint)
  const page = (
    <Page title={title} problem={password.problem}>
      <p>{text}</p>
      <PostForm action={`${back}/${action}`}>
        <input type="hidden" name="replaces" value={readVersion(endpoint)} />
        <ConfirmActions
          {...{ password, back }}
          submit={t(actionTexts[action])}
          isDangerous={action === "remove"}
          isFocused
        />
      </PostForm>
    </Page>
  )
  return c.html(page, c.req.method === "POST" ? 422 : 200)
}

/** Identifies a secret without revealing it: every encrypted copy begins with its own nonce. */
const readVersion = ({ encrypted }: ListedEndpoint) =>
  Buffer.from(encrypted.slice(0, 12)).toString("hex")

function describeAction(
  action: ConfirmedAction,
  { url: target, pendingMessages: pending }: Endpoint,
) {
  if (action === "reveal")
    return { title: t("Reveal the secret?"), text: t("This requires your password.") }
  if (action === "replace")
    return {
      title: t("Rotate the secret?"),
      text: t(
        "You get a new secret. Messages are signed with both secrets for a day, or until you rotate again.",
      ),
    }
  const url = isolateDirection(shownUrl(target))
  const text =
    pending === 0
      ? t(
          "Pazar stops sending events to {url} and deletes its secret and deliveries. You cannot undo this.",
          { url },
        )
      : t(
          "Pazar stops sending events to {url} and deletes its secret and deliveries, including {pending pending message|pending messages}. You cannot undo this.",
          { url, pending },
        )
  return { title: t("Delete the webhook?"), text }
}

/** A long URL wraps after a slash. */
const WrappedUrl = ({ url }: Readonly<{ url: string }>) =>
  url.split(/(?<=[^/]\/)(?=[^/])/).map((part) => (
    <>
      {part}
      <wbr />
    </>
  ))
