/** Webhooks of an author or of the operators, and an author's for operators. An id of another owner is unknown. */
import type { Child } from "hono/jsx"
import { type Actor, rightToSecretOf } from "../access/actor.ts"
import { may } from "../access/page-view.ts"
import type { TokenMaker } from "../access/token.ts"
import type { Account } from "../accounts/account.ts"
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
import { DataTable } from "../platform/pages/data-table.tsx"
import { ButtonLink, isolateDirection, PostForm, WrappedUrl } from "../platform/pages/elements.tsx"
import { noticeTexts } from "../platform/pages/layout.tsx"
import { addList, cutPage, FilterSelect } from "../platform/pages/list.tsx"
import { t } from "../platform/t.ts"
import { formatTimestamp } from "../platform/time.ts"
import {
  DeliveryPage,
  deliveryColumns,
  deliveryStateTexts,
  EndpointForm,
  type EndpointFormValues,
  EndpointPage,
  endpointColumns,
  pathOfDelivery,
  pathOfEndpoint,
  webhookActionTexts,
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
import { type Delivery, deliveryStates, type MessageStore, testEventsMax } from "./message.ts"
import {
  type EndpointStore,
  type EventCipher,
  endpointsMax,
  eventTypesFor,
  findUrlProblem,
  type ListedEndpoint,
  shownUrl,
  testEventType,
} from "./webhook.ts"

type WebhookRouteOptions = Readonly<{
  listRoute: string
  pathOf(): string
  /** Null for the operators. */
  accountOf(c: PageContext): Account | null
}>

/** Identifies a secret without revealing it: every encrypted copy begins with its own nonce. */
const versionOf = ({ encrypted }: ListedEndpoint) =>
  Buffer.from(encrypted.slice(0, 12)).toString("hex")

export type WebhookPageServices = Readonly<{
  endpoints: EndpointStore
  messages: MessageStore
  eventCipher: EventCipher
  tokens: TokenMaker
  endpointServices(actor: Actor): EndpointServices
  now: () => Date
}>

export function addWebhookRoutes(
  app: PageApp,
  services: WebhookPageServices,
  { listRoute, pathOf, accountOf }: WebhookRouteOptions,
): void {
  const { endpoints, messages, tokens, now } = services
  type C = PageContext
  const route = `${listRoute}/:webhook`
  const accountIdOf = (c: C) => accountOf(c)?.id ?? null
  const servicesOf = (c: C) => services.endpointServices(c.var.actor)
  const listPath = () => pathOf()
  const ownPath = ({ id }: Pick<ListedEndpoint, "id">) => pathOfEndpoint(pathOf(), id)

  const done = (c: C, to: string, name: keyof typeof noticeTexts) =>
    c.redirect(`${to}?done=${name}`, 303)
  const find = (c: C) => findOwnEndpoint(services, accountIdOf(c), c.req.param("webhook") ?? "")
  type Act = (c: C, endpoint: ListedEndpoint) => Promise<Response>
  const ifFound = (act: Act) => async (c: C) => {
    const endpoint = await find(c)
    return endpoint === null ? c.notFound() : act(c, endpoint)
  }
  const get = (suffix: string, show: Act) => app.get(`${route}${suffix}`, ifFound(show))
  const post = (suffix: string, act: Act) => app.post(`${route}${suffix}`, ifFound(act))

  type Shown = Readonly<{
    endpoint: ListedEndpoint
    problem?: string
    /** After creation, rotation or reveal. */
    secret?: string
    deliveries?: Child
  }>

  const Webhook = ({ endpoint, problem, secret, deliveries }: Shown) => {
    const { url, oldSecret } = endpoint
    const isSigning = oldSecret !== null && oldSecret.until > formatTimestamp(now())
    return (
      <Page title={shownUrl(url)} heading={<WrappedUrl url={shownUrl(url)} />} problem={problem}>
        {problem !== undefined && (
          <p class="notice warning" role="alert">
            {problem}
          </p>
        )}
        <EndpointPage
          {...{ secret, deliveries }}
          webhookPath={ownPath(endpoint)}
          endpoint={isSigning ? endpoint : { ...endpoint, oldSecret: null }}
        />
      </Page>
    )
  }

  /** A form may have another path; a change of language must open this page. */
  function showWebhook(c: C, shown: Shown, status: 200 | 429 = 200, notice?: string) {
    const view = { ...currentView(), path: ownPath(shown.endpoint), ...(notice && { notice }) }
    return inView(view, () => c.html(<Webhook {...shown} />, status))
  }

  app.get(`${listRoute}/new`, async (c) => {
    const typed = { formId: tokens.create(), url: "", events: [], problem: null }
    return showForm(c, null, typed, await promptFor(c))
  })

  // After /new, which is not an id.
  addList<Delivery, "state" | "type">(app, {
    path: route,
    file: null,
    filterNames: ["state", "type"],
    async open(c, { filters }) {
      const endpoint = await find(c)
      if (endpoint === null) return c.notFound()
      const types = [...eventTypesFor(endpoint.accountId), testEventType]
      const filter = {
        state: deliveryStates.find((each) => each === filters.state) ?? null,
        type: filters.type || null,
      }
      return {
        columns: deliveryColumns(now(), endpoint.disabled !== null),
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
              options={deliveryStates.map((each) => [each, t(deliveryStateTexts[each])])}
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
        linkOf: ({ id }) => pathOfDelivery(ownPath(endpoint), id),
        empty:
          (filter.state ?? filter.type)
            ? t("No results match this filter.")
            : t("No deliveries yet."),
        page: (list) => <Webhook endpoint={endpoint} deliveries={list} />,
      }
    },
  })

  post("/turn-on", async (c, endpoint) => {
    await enableEndpoint(servicesOf(c), endpoint)
    return done(c, ownPath(endpoint), "webhook_enabled")
  })
  post("/turn-off", async (c, endpoint) => {
    await disableEndpoint(servicesOf(c), endpoint)
    return done(c, ownPath(endpoint), "webhook_disabled")
  })

  /** Shows the delivery, or the webhook if it is disabled. */
  async function redirectToDelivery(c: C, endpoint: ListedEndpoint, sending: Promise<string>) {
    try {
      return c.redirect(pathOfDelivery(ownPath(endpoint), await sending), 303)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      if (!(error instanceof TestEventsLimited)) return c.redirect(ownPath(endpoint), 303)
      const problem = t(
        "The limit is {max test event|test events} per minute. Wait a minute, then try again.",
        { max: testEventsMax },
      )
      return showWebhook(c, { endpoint, problem }, 429)
    }
  }
  post("/test", (c, endpoint) =>
    redirectToDelivery(c, endpoint, sendTestEvent(servicesOf(c), endpoint)),
  )

  const findMessage = (c: C, endpoint: ListedEndpoint) =>
    findDelivery(services, endpoint, c.req.param("message") ?? "")

  get("/messages/:message", async (c, endpoint) => {
    const found = await findMessage(c, endpoint)
    if (found === null) return c.notFound()
    return c.html(
      <Page title={found.delivery.type}>
        <DeliveryPage {...{ ...found, endpoint, now: now() }} webhookPath={ownPath(endpoint)} />
      </Page>,
    )
  })
  post("/messages/:message/resend", async (c, endpoint) => {
    const found = await findMessage(c, endpoint)
    if (found === null) return c.notFound()
    const sending = redeliverMessage(servicesOf(c), endpoint, found.delivery.id)
    return redirectToDelivery(c, endpoint, sending)
  })

  app.get(listRoute, async (c) => {
    const own = await endpoints.list(accountIdOf(c))
    const add = may(rightToSecretOf(accountIdOf(c))) && (
      <ButtonLink href={`${listPath()}/new`}>{t("Add a webhook")}</ButtonLink>
    )
    return c.html(
      <Page title={t("Webhooks")} action={add}>
        <p>
          {accountIdOf(c) === null
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
          <DataTable columns={endpointColumns()} rows={own} linkOf={(each) => ownPath(each)} />
        )}
      </Page>,
    )
  })

  function showForm(
    c: C,
    endpoint: ListedEndpoint | null,
    typed: EndpointFormValues,
    password: PasswordPrompt,
  ) {
    const problem = typed.problem?.text ?? password.problem
    return c.html(
      <Page
        title={endpoint === null ? t("Add a webhook") : t("Edit the webhook")}
        problem={problem}
      >
        <EndpointForm
          {...{ accountId: accountIdOf(c), typed, password }}
          action={endpoint === null ? listPath() : `${ownPath(endpoint)}/edit`}
          submit={endpoint === null ? t("Add a webhook") : t("Save")}
          back={endpoint === null ? listPath() : ownPath(endpoint)}
        />
      </Page>,
      problem === null ? 200 : 422,
    )
  }

  function readTyped(c: C): EndpointFormValues {
    const { form } = c.var
    const [formId, url, events] = [findFormId(form), form.text("url"), form.list("events")]
    const types: readonly string[] = eventTypesFor(accountIdOf(c))
    const problem = findUrlProblem(url, accountIdOf(c), servicesOf(c).findHostProblem)
    if (problem !== null) {
      return { formId, url, events, problem: { field: "url", text: t(urlProblemTexts[problem]) } }
    }
    const areValid = events.every((name) => types.includes(name))
    const unknown = { field: "events", text: t("Unknown event. Choose from the list.") } as const
    return { formId, url, events, problem: areValid ? null : unknown }
  }

  /** The page to show instead of saving; null for a valid form. */
  async function rejectForm(c: C, endpoint: ListedEndpoint | null, typed: EndpointFormValues) {
    if (typed.problem !== null) return showForm(c, endpoint, typed, await promptFor(c))
    return requirePassword(c, (password) =>
      showForm(c, endpoint, typed, {
        ...password,
        problem:
          password.problem ?? t("Required because you last entered it more than five minutes ago."),
      }),
    )
  }

  /** After the creation or rotation of the secret, which is shown once. */
  function showSecret(
    c: C,
    endpoint: ListedEndpoint,
    secret: string,
    change: "webhook_created" | "webhook_rotated",
  ) {
    return showWebhook(c, { endpoint, secret }, 200, t(noticeTexts[change]))
  }

  app.post(listRoute, async (c) => {
    const typed = readTyped(c)
    const { formId } = typed
    if (formId === null) return c.redirect(`${listPath()}/new`, 303)
    const rejection = await rejectForm(c, null, typed)
    if (rejection !== null) return rejection
    try {
      const { id, isNew } = await createEndpointOnce(servicesOf(c), accountOf(c), typed, formId)
      // A form that is sent twice leads to the endpoint that it created.
      const endpoint = isNew ? await endpoints.find(id) : null
      if (endpoint === null) return c.redirect(ownPath({ id }), 303)
      const secret = servicesOf(c).endpointCipher.decrypt(endpoint.encrypted, id)
      return showSecret(c, endpoint, secret, "webhook_created")
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      const text = t("You have {max webhook|webhooks}, the maximum. Delete one first.", {
        max: endpointsMax,
      })
      return showForm(c, null, { ...typed, problem: { field: "url", text } }, await promptFor(c))
    }
  })

  get("/edit", async (c, endpoint) => {
    const { url, events } = endpoint
    const typed = { formId: null, url, events: events ?? [], problem: null }
    return showForm(c, endpoint, typed, await promptFor(c))
  })
  post("/edit", async (c, endpoint) => {
    const typed = readTyped(c)
    const rejection = await rejectForm(c, endpoint, typed)
    if (rejection !== null) return rejection
    await changeEndpoint(servicesOf(c), endpoint, typed)
    return done(c, ownPath(endpoint), "webhook_changed")
  })

  function addConfirmedAction(action: "reveal" | "replace" | "remove", perform: Act): void {
    function show(c: C, endpoint: ListedEndpoint, password: PasswordPrompt, status: 200 | 422) {
      const { title, text } = describeAction(action, endpoint)
      return c.html(
        <Page title={title} problem={password.problem}>
          <p>{text}</p>
          <PostForm action={`${ownPath(endpoint)}/${action}`}>
            <input type="hidden" name="replaces" value={versionOf(endpoint)} />
            <ConfirmActions
              {...{ password, back: ownPath(endpoint) }}
              submit={t(webhookActionTexts[action])}
              isDangerous={action === "remove"}
              isFocused
            />
          </PostForm>
        </Page>,
        status,
      )
    }
    get(`/${action}`, async (c, endpoint) => show(c, endpoint, await promptFor(c), 200))
    post(`/${action}`, async (c, endpoint) => {
      const ask = (password: PasswordPrompt) => show(c, endpoint, password, 422)
      return (await requirePassword(c, ask)) ?? perform(c, endpoint)
    })
  }

  addConfirmedAction("reveal", async (c, endpoint) => {
    const secret = await revealEndpointSecret(servicesOf(c), endpoint)
    return showWebhook(c, { endpoint, secret })
  })
  addConfirmedAction("replace", async (c, endpoint) => {
    // The form was sent twice: its secret has already been rotated.
    if (c.var.form.text("replaces") !== versionOf(endpoint)) {
      return c.redirect(ownPath(endpoint), 303)
    }
    const secret = await rotateEndpointSecret(servicesOf(c), endpoint)
    const replaced = await find(c)
    return secret === null || replaced === null
      ? c.notFound()
      : showSecret(c, replaced, secret, "webhook_rotated")
  })
  addConfirmedAction("remove", async (c, endpoint) => {
    await removeEndpoint(servicesOf(c), endpoint)
    return done(c, listPath(), "webhook_removed")
  })
}

const urlProblemTexts = {
  protocol: "The URL must begin with https://",
  length: "The URL is too long.",
  password: "Remove the username and password from the URL.",
  privateAddress: "This URL cannot be reached from the internet.",
} as const

function describeAction(
  action: "reveal" | "replace" | "remove",
  { url: target, pendingMessages: pending }: ListedEndpoint,
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
