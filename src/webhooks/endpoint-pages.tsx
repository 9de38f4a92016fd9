/** Webhooks of an author or of the operators, and an author's for operators. An id of another owner is unknown. */
import type { Child, FC } from "hono/jsx"
import { rightToSecretOf } from "../access/rights.ts"
import type { Account } from "../accounts/account.ts"
import { ConfirmActions, type PasswordPrompt, passwordsOf } from "../people/password-pages.tsx"
import { UserError } from "../platform/error.ts"
import {
  findFormId,
  may,
  type PageApp,
  type PageContext,
  type PageProps,
  type View,
} from "../platform/pages/context.ts"
import { DataTable } from "../platform/pages/data-table.tsx"
import { ButtonLink, isolateDirection, WrappedUrl } from "../platform/pages/elements.tsx"
import { PostForm } from "../platform/pages/form-fields.tsx"
import { addList, cutPage, FilterSelect } from "../platform/pages/list.tsx"
import { formatTimestamp } from "../platform/time.ts"
import type { PageServices } from "../workspace/services.ts"
import {
  DeliveryPage,
  deliveryColumns,
  EndpointForm,
  type EndpointFormValues,
  EndpointPage,
  endpointColumns,
  pathOfDelivery,
  pathOfEndpoint,
} from "./delivery-pages.tsx"
import {
  endpointsMax,
  eventTypesFor,
  findUrlProblem,
  type ListedEndpoint,
  shownUrl,
} from "./endpoint.ts"
import {
  changeEndpoint,
  createEndpointOnce,
  disableEndpoint,
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
import { testEventType } from "./event.ts"
import { type Delivery, deliveryStates, testEventsMax } from "./message.ts"

type WebhookRouteOptions = Readonly<{
  Layout: FC<PageProps>
  listRoute: string
  pathOf(view: View): string
  /** Null for the operators. */
  accountOf(c: PageContext): Account | null
}>

/** Identifies a secret without revealing it: every encrypted copy begins with its own nonce. */
const versionOf = ({ encrypted }: ListedEndpoint) =>
  Buffer.from(encrypted.slice(0, 12)).toString("hex")

export function addWebhookRoutes(
  app: PageApp,
  services: PageServices,
  { listRoute, pathOf, Layout, accountOf }: WebhookRouteOptions,
): void {
  const { endpoints, messages, tokens, now } = services
  const { promptFor, requirePassword } = passwordsOf(services)
  type C = PageContext
  const route = `${listRoute}/:webhook`
  const accountIdOf = (c: C) => accountOf(c)?.id ?? null
  const servicesOf = (c: C) => services.endpointServices(c.var.actor)
  const listPath = (c: C) => pathOf(c.var.view)
  const ownPath = (c: C, { id }: Pick<ListedEndpoint, "id">) => pathOfEndpoint(listPath(c), id)

  const done = (c: C, to: string, name: keyof View["texts"]["notices"]) =>
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
    view: View
    endpoint: ListedEndpoint
    problem?: string
    /** After creation, rotation or reveal. */
    secret?: string
    deliveries?: Child
  }>

  const Webhook = ({ view, endpoint, problem, secret, deliveries }: Shown) => {
    const { url, oldSecret } = endpoint
    const webhookPath = pathOfEndpoint(pathOf(view), endpoint.id)
    const isSigning = oldSecret !== null && oldSecret.until > formatTimestamp(now())
    return (
      <Layout
        // A form may have another path; a change of language must open this page.
        view={{ ...view, path: webhookPath }}
        title={shownUrl(url)}
        heading={<WrappedUrl url={shownUrl(url)} />}
        problem={problem}
      >
        {problem !== undefined && (
          <p class="notice warning" role="alert">
            {problem}
          </p>
        )}
        <EndpointPage
          {...{ view, secret, deliveries }}
          webhookPath={webhookPath}
          endpoint={isSigning ? endpoint : { ...endpoint, oldSecret: null }}
        />
      </Layout>
    )
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
      const { view } = c.var
      const { texts } = view
      const types = [...eventTypesFor(endpoint.accountId), testEventType]
      const filter = {
        state: deliveryStates.find((each) => each === filters.state) ?? null,
        type: filters.type || null,
      }
      return {
        columns: deliveryColumns(view, now(), endpoint.disabled !== null),
        async read(after, rowsMax) {
          const rows = await messages.list(endpoint.id, after, rowsMax + 1, filter)
          return cutPage(rows, rowsMax, ({ id }) => id)
        },
        filters: (
          <>
            <FilterSelect
              name="state"
              label={texts.columns.state}
              every={texts.lists.allStates}
              options={deliveryStates.map((each) => [each, texts.webhooks.states[each]])}
              chosen={filters.state}
            />
            <FilterSelect
              name="type"
              label={texts.webhooks.event}
              every={texts.webhooks.allEvents}
              options={types.map((type) => [type, type])}
              chosen={filters.type}
            />
          </>
        ),
        linkOf: ({ id }) => pathOfDelivery(ownPath(c, endpoint), id),
        empty: (filter.state ?? filter.type) ? texts.lists.none : texts.webhooks.noDeliveries,
        page: (list) => <Webhook view={view} endpoint={endpoint} deliveries={list} />,
      }
    },
  })

  post("/turn-on", async (c, endpoint) => {
    await enableEndpoint(servicesOf(c), endpoint)
    return done(c, ownPath(c, endpoint), "webhook_enabled")
  })
  post("/turn-off", async (c, endpoint) => {
    await disableEndpoint(servicesOf(c), endpoint)
    return done(c, ownPath(c, endpoint), "webhook_disabled")
  })

  /** Shows the delivery, or the webhook if it is disabled. */
  async function redirectToDelivery(c: C, endpoint: ListedEndpoint, sending: Promise<string>) {
    try {
      return c.redirect(pathOfDelivery(ownPath(c, endpoint), await sending), 303)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      if (!(error instanceof TestEventsLimited)) return c.redirect(ownPath(c, endpoint), 303)
      const problem = c.var.view.texts.webhooks.tooManyTests(testEventsMax)
      return c.html(<Webhook view={c.var.view} endpoint={endpoint} problem={problem} />, 429)
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
    const { view } = c.var
    return c.html(
      <Layout view={view} title={found.delivery.type}>
        <DeliveryPage
          {...{ ...found, view, endpoint, now: now() }}
          webhookPath={ownPath(c, endpoint)}
        />
      </Layout>,
    )
  })
  post("/messages/:message/resend", async (c, endpoint) => {
    const found = await findMessage(c, endpoint)
    if (found === null) return c.notFound()
    const sending = redeliverMessage(servicesOf(c), endpoint, found.delivery.id)
    return redirectToDelivery(c, endpoint, sending)
  })

  app.get(listRoute, async (c) => {
    const { view } = c.var
    const texts = view.texts.webhooks
    const own = await endpoints.list(accountIdOf(c))
    const add = may(view, rightToSecretOf(accountIdOf(c))) && (
      <ButtonLink href={`${listPath(c)}/new`}>{texts.add}</ButtonLink>
    )
    return c.html(
      <Layout view={view} title={texts.title} action={add}>
        <p>
          {accountIdOf(c) === null ? texts.introOperator : texts.intro}{" "}
          <a href="/docs/webhooks">{texts.docs}</a>
        </p>
        {own.length === 0 ? (
          <p class="empty">{texts.none}</p>
        ) : (
          <DataTable
            view={view}
            columns={endpointColumns(view)}
            rows={own}
            linkOf={(each) => ownPath(c, each)}
          />
        )}
      </Layout>,
    )
  })

  function showForm(
    c: C,
    endpoint: ListedEndpoint | null,
    typed: EndpointFormValues,
    password: PasswordPrompt,
  ) {
    const { view } = c.var
    const texts = view.texts.webhooks
    const problem = typed.problem?.text ?? password.problem
    return c.html(
      <Layout view={view} title={endpoint === null ? texts.add : texts.editTitle} problem={problem}>
        <EndpointForm
          {...{ view, accountId: accountIdOf(c), typed, password }}
          action={endpoint === null ? listPath(c) : `${ownPath(c, endpoint)}/edit`}
          submit={endpoint === null ? texts.add : view.texts.words.save}
          back={endpoint === null ? listPath(c) : ownPath(c, endpoint)}
        />
      </Layout>,
      problem === null ? 200 : 422,
    )
  }

  function readTyped(c: C): EndpointFormValues {
    const { form, view } = c.var
    const texts = view.texts.webhooks
    const [formId, url, events] = [findFormId(form), form.text("url"), form.list("events")]
    const types: readonly string[] = eventTypesFor(accountIdOf(c))
    const problem = findUrlProblem(url, accountIdOf(c), servicesOf(c).findHostProblem)
    if (problem !== null) {
      return { formId, url, events, problem: { field: "url", text: texts.urlProblems[problem] } }
    }
    const areValid = events.every((name) => types.includes(name))
    const unknown = { field: "events", text: texts.unknownEvent } as const
    return { formId, url, events, problem: areValid ? null : unknown }
  }

  /** The page to show instead of saving; null for a valid form. */
  async function rejectForm(c: C, endpoint: ListedEndpoint | null, typed: EndpointFormValues) {
    if (typed.problem !== null) return showForm(c, endpoint, typed, await promptFor(c))
    const { passwordAgain } = c.var.view.texts.signIn
    return requirePassword(c, Layout, (password) =>
      showForm(c, endpoint, typed, { ...password, problem: password.problem ?? passwordAgain }),
    )
  }

  /** After the creation or rotation of the secret, which is shown once. */
  function showSecret(
    c: C,
    endpoint: ListedEndpoint,
    secret: string,
    change: "webhook_created" | "webhook_rotated",
  ) {
    const view = { ...c.var.view, notice: c.var.view.texts.notices[change] }
    return c.html(<Webhook view={view} endpoint={endpoint} secret={secret} />)
  }

  app.post(listRoute, async (c) => {
    const typed = readTyped(c)
    const { formId } = typed
    if (formId === null) return c.redirect(`${listPath(c)}/new`, 303)
    const rejection = await rejectForm(c, null, typed)
    if (rejection !== null) return rejection
    try {
      const { id, isNew } = await createEndpointOnce(servicesOf(c), accountOf(c), typed, formId)
      // A form that is sent twice leads to the endpoint that it created.
      const endpoint = isNew ? await endpoints.find(id) : null
      if (endpoint === null) return c.redirect(ownPath(c, { id }), 303)
      const secret = servicesOf(c).endpointCipher.decrypt(endpoint.encrypted, id)
      return showSecret(c, endpoint, secret, "webhook_created")
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      const text = c.var.view.texts.webhooks.tooMany(endpointsMax)
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
    return done(c, ownPath(c, endpoint), "webhook_changed")
  })

  function addConfirmedAction(action: "reveal" | "replace" | "remove", perform: Act): void {
    function show(c: C, endpoint: ListedEndpoint, password: PasswordPrompt, status: 200 | 422) {
      const { view } = c.var
      const { title, text } = view.texts.webhooks.confirm[action]
      const { url, pendingMessages } = endpoint
      return c.html(
        <Layout view={view} title={title} problem={password.problem}>
          <p>{text(isolateDirection(shownUrl(url)), pendingMessages)}</p>
          <PostForm view={view} action={`${ownPath(c, endpoint)}/${action}`}>
            <input type="hidden" name="replaces" value={versionOf(endpoint)} />
            <ConfirmActions
              {...{ view, password, back: ownPath(c, endpoint) }}
              submit={view.texts.webhooks.actions[action]}
              isDangerous={action === "remove"}
              isFocused
            />
          </PostForm>
        </Layout>,
        status,
      )
    }
    get(`/${action}`, async (c, endpoint) => show(c, endpoint, await promptFor(c), 200))
    post(`/${action}`, async (c, endpoint) => {
      const ask = (password: PasswordPrompt) => show(c, endpoint, password, 422)
      return (await requirePassword(c, Layout, ask)) ?? perform(c, endpoint)
    })
  }

  addConfirmedAction("reveal", async (c, endpoint) => {
    const secret = await revealEndpointSecret(servicesOf(c), endpoint)
    return c.html(<Webhook view={c.var.view} endpoint={endpoint} secret={secret} />)
  })
  addConfirmedAction("replace", async (c, endpoint) => {
    // The form was sent twice: its secret has already been rotated.
    if (c.var.form.text("replaces") !== versionOf(endpoint)) {
      return c.redirect(ownPath(c, endpoint), 303)
    }
    const secret = await rotateEndpointSecret(servicesOf(c), endpoint)
    const replaced = await find(c)
    return secret === null || replaced === null
      ? c.notFound()
      : showSecret(c, replaced, secret, "webhook_rotated")
  })
  addConfirmedAction("remove", async (c, endpoint) => {
    await removeEndpoint(servicesOf(c), endpoint)
    return done(c, listPath(c), "webhook_removed")
  })
}
