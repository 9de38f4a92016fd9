/**
 * The routes for endpoints of an author or of the operators. An id of another owner is treated as unknown.
 */
import type { Hono } from "hono"
import type { Account } from "../../../domain/catalog/account.ts"
import {
  endpointsMax,
  eventTypesFor,
  findUrlProblem,
  type ListedEndpoint,
  shownUrl,
} from "../../../domain/events/endpoint.ts"
import { testEventsMax } from "../../../domain/events/message.ts"
import { UserError } from "../../../domain/values/error.ts"
import { formatTimestamp } from "../../../domain/values/time/timestamp.ts"
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
} from "../../../operations/events/endpoint-operations.ts"
import { PostForm } from "../components/form-fields.tsx"
import { isolateDirection } from "../components/formatted-values.tsx"
import { SiteSignIn } from "../components/layout.tsx"
import { ConfirmActions } from "../components/password-fields.tsx"
import { checkPassword, type PasswordPrompt, passwordPromptOf } from "../confirm-password.ts"
import {
  findFormId,
  noticeOf,
  type PageArea,
  type PageContext,
  type PageEnv,
} from "../page-context.ts"
import type { PageServices } from "../page-services.ts"
import type { View } from "../view.ts"
import { DeliveryPage, pathOfDelivery } from "./webhook-deliveries.tsx"
import {
  EndpointForm,
  type EndpointFormValues,
  EndpointList,
  EndpointPage,
  pathOfEndpoint,
} from "./webhook-pages.tsx"

type WebhookRouteOptions<Visitor, V extends View> = PageArea<Visitor, V> &
  Readonly<{
    path: string
    /** The owner of the endpoints; null for the operators. */
    ownerOf(c: PageContext<Visitor>): Pick<Account, "id" | "username"> | null
  }>

const deliveriesShown = 25

/** Identifies a secret without revealing it: every encrypted copy begins with its own nonce. */
const versionOf = ({ encrypted }: ListedEndpoint) =>
  Buffer.from(encrypted.slice(0, 12)).toString("hex")

export function addWebhookRoutes<Visitor, V extends View>(
  app: Hono<PageEnv<Visitor>>,
  services: PageServices,
  { path, Layout, viewOf, identityOf, ownerOf }: WebhookRouteOptions<Visitor, V>,
): void {
  const { endpoints, messages, passwords, tokens, now } = services
  type C = PageContext<Visitor>
  const accountIdOf = (c: C) => ownerOf(c)?.id ?? null
  const servicesOf = (c: C) => services.endpointServices(identityOf(c).actor)
  const ownPath = ({ id }: Pick<ListedEndpoint, "id">) => pathOfEndpoint(path, id)
  /** Authors who use sign-in links may not have a password. */
  const hasPassword = async (c: C) => (await passwords.find(identityOf(c).person.id)) !== null

  const viewAfter = (c: C) => viewOf(c, noticeOf(c, viewOf(c).texts.webhooks.done))
  const done = (c: C, to: string, name: keyof View["texts"]["webhooks"]["done"]) =>
    c.redirect(`${to}?done=${name}`, 303)

  async function promptFor(c: C): Promise<PasswordPrompt> {
    const prompt = passwordPromptOf(identityOf(c).session, now())
    return { ...prompt, isRequired: prompt.isRequired && (await hasPassword(c)) }
  }

  /** Null if the password was confirmed, else the prompt to show. */
  async function confirm(c: C): Promise<PasswordPrompt | null> {
    const { person, session } = identityOf(c)
    return checkPassword(c, services, person, session)
  }

  const find = (c: C) => findOwnEndpoint(services, accountIdOf(c), c.req.param("id") ?? "")

  const get = (suffix: string, show: (c: C, endpoint: ListedEndpoint) => Promise<Response>) =>
    app.get(`${path}/:id${suffix}`, async (c) => {
      const endpoint = await find(c)
      return endpoint === null ? c.notFound() : show(c, endpoint)
    })
  const post = (suffix: string, act: (c: C, endpoint: ListedEndpoint) => Promise<Response>) =>
    app.post(`${path}/:id${suffix}`, async (c) => {
      const endpoint = await find(c)
      return endpoint === null ? c.notFound() : act(c, endpoint)
    })

  app.get(path, async (c) => {
    const view = viewAfter(c)
    return c.html(
      <Layout view={view} title={view.texts.webhooks.title}>
        <EndpointList
          view={view}
          path={path}
          endpoints={await endpoints.list(accountIdOf(c))}
          isOperators={accountIdOf(c) === null}
        />
      </Layout>,
    )
  })

  /** `endpoint` is null for a new one. */
  async function showForm(
    c: C,
    endpoint: ListedEndpoint | null,
    typed: EndpointFormValues,
    password: PasswordPrompt,
  ) {
    const view = viewOf(c)
    const texts = view.texts.webhooks
    const problem = typed.problem?.text ?? password.problem
    const title = endpoint === null ? texts.add : texts.editTitle
    const page = (
      <Layout view={view} title={title} problem={problem}>
        <EndpointForm
          view={view}
          accountId={accountIdOf(c)}
          typed={typed}
          password={password}
          action={endpoint === null ? path : `${ownPath(endpoint)}/edit`}
          submit={endpoint === null ? texts.add : view.texts.words.save}
          back={endpoint === null ? path : ownPath(endpoint)}
        />
      </Layout>
    )
    return c.html(page, problem === null ? 200 : 422)
  }

  function readTyped(c: C): EndpointFormValues {
    const form = c.get("form")
    const texts = viewOf(c).texts.webhooks
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
    const password = await confirm(c)
    if (password === null) return null
    if (!(await hasPassword(c))) return showNoPassword(c)
    const { passwordAgain } = viewOf(c).texts.signIn
    return showForm(c, endpoint, typed, { ...password, problem: password.problem ?? passwordAgain })
  }

  function showNoPassword(c: C) {
    const view = viewOf(c)
    const { signInAgain, noPassword } = view.texts.keys.confirm
    return c.html(
      <Layout view={view} title={signInAgain}>
        <p>{noPassword}</p>
        <SiteSignIn view={view} />
      </Layout>,
      422,
    )
  }

  app.get(`${path}/new`, async (c) => {
    const typed = { formId: tokens.create(), url: "", events: [], problem: null }
    return showForm(c, null, typed, await promptFor(c))
  })

  app.post(path, async (c) => {
    const typed = readTyped(c)
    const { formId } = typed
    if (formId === null) return c.redirect(`${path}/new`, 303)
    const rejection = await rejectForm(c, null, typed)
    if (rejection !== null) return rejection
    try {
      const created = await createEndpointOnce(servicesOf(c), ownerOf(c), typed, formId)
      // A form that is sent twice leads to the endpoint that it created.
      const endpoint = created.isNew ? await endpoints.find(created.id) : null
      if (endpoint === null) return c.redirect(ownPath(created), 303)
      return await showEndpoint(c, endpoint, { secret: secretOf(c, endpoint), done: "created" })
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      const text = viewOf(c).texts.webhooks.tooMany(endpointsMax)
      return showForm(c, null, { ...typed, problem: { field: "url", text } }, await promptFor(c))
    }
  })

  const secretOf = (c: C, { encrypted, id }: ListedEndpoint) =>
    servicesOf(c).endpointCipher.decrypt(encrypted, id)

  type Shown = Readonly<{
    /** The reason why no test event was sent. */
    problem?: string | null
    /** Set after creation, rotation or reveal. */
    secret?: string | null
    done?: keyof View["texts"]["webhooks"]["done"]
  }>

  async function showEndpoint(
    c: C,
    endpoint: ListedEndpoint,
    { problem = null, secret = null, done: name }: Shown = {},
  ) {
    const after = name === undefined ? viewAfter(c) : viewOf(c, viewOf(c).texts.webhooks.done[name])
    // The form was sent to another path; language links must lead to this page.
    const view = { ...after, path: ownPath(endpoint) }
    const before = c.req.query("before") ?? null
    const rows = await messages.list(endpoint.id, before, deliveriesShown + 1)
    const at = formatTimestamp(now())
    const { oldSecret } = endpoint
    return c.html(
      <Layout view={view} title={shownUrl(endpoint.url)} problem={problem}>
        {problem !== null && (
          <p class="notice warning" role="alert">
            {problem}
          </p>
        )}
        <EndpointPage
          view={view}
          path={path}
          endpoint={{
            ...endpoint,
            oldSecret: oldSecret && oldSecret.until > at ? oldSecret : null,
          }}
          secret={secret}
          deliveries={rows.slice(0, deliveriesShown)}
          hasOlder={rows.length > deliveriesShown}
        />
      </Layout>,
      problem === null ? 200 : 429,
    )
  }
  get("", (c, endpoint) => showEndpoint(c, endpoint))

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
    return done(c, ownPath(endpoint), "changed")
  })

  type Confirmation = Readonly<{ title: string; text: string; submit: string }>

  /** An action with a confirmation page that requires the password. */
  function addConfirmedAction(
    action: "reveal" | "replace" | "remove",
    describe: (texts: View["texts"]["webhooks"], endpoint: ListedEndpoint) => Confirmation,
    perform: (c: C, endpoint: ListedEndpoint) => Promise<Response>,
  ): void {
    function show(c: C, endpoint: ListedEndpoint, password: PasswordPrompt, status: 200 | 422) {
      const view = viewOf(c)
      const { title, text, submit } = describe(view.texts.webhooks, endpoint)
      return c.html(
        <Layout view={view} title={title} problem={password.problem}>
          <p>{text}</p>
          <PostForm view={view} action={`${ownPath(endpoint)}/${action}`}>
            {action === "replace" && (
              <input type="hidden" name="replaces" value={versionOf(endpoint)} />
            )}
            <ConfirmActions
              view={view}
              password={password}
              submit={submit}
              isDangerous={action === "remove"}
              back={ownPath(endpoint)}
              isFocused
            />
          </PostForm>
        </Layout>,
        status,
      )
    }
    get(`/${action}`, async (c, endpoint) => show(c, endpoint, await promptFor(c), 200))
    post(`/${action}`, async (c, endpoint) => {
      const password = await confirm(c)
      if (password === null) return perform(c, endpoint)
      return (await hasPassword(c)) ? show(c, endpoint, password, 422) : showNoPassword(c)
    })
  }

  addConfirmedAction(
    "reveal",
    (texts) => ({ title: texts.revealTitle, text: texts.revealText, submit: texts.reveal }),
    async (c, endpoint) => {
      const secret = await revealEndpointSecret(servicesOf(c), endpoint)
      return showEndpoint(c, endpoint, { secret })
    },
  )
  addConfirmedAction(
    "replace",
    (texts) => ({ title: texts.rotateTitle, text: texts.rotateText, submit: texts.rotate }),
    async (c, endpoint) => {
      // The form was sent twice: its secret has already been rotated.
      if (c.get("form").text("replaces") !== versionOf(endpoint)) {
        return c.redirect(ownPath(endpoint), 303)
      }
      const secret = await rotateEndpointSecret(servicesOf(c), endpoint)
      const replaced = await find(c)
      if (replaced === null) return c.notFound()
      return showEndpoint(c, replaced, { secret, done: "rotated" })
    },
  )
  addConfirmedAction(
    "remove",
    (texts, { url, pendingMessages: pending }) => ({
      title: texts.removeTitle,
      text: texts.removeText(isolateDirection(shownUrl(url)), pending),
      submit: texts.remove,
    }),
    async (c, endpoint) => {
      await removeEndpoint(servicesOf(c), endpoint)
      return done(c, path, "removed")
    },
  )

  post("/turn-on", async (c, endpoint) => {
    await enableEndpoint(servicesOf(c), endpoint)
    return done(c, ownPath(endpoint), "enabled")
  })
  post("/turn-off", async (c, endpoint) => {
    await disableEndpoint(servicesOf(c), endpoint)
    return done(c, ownPath(endpoint), "disabled")
  })
  /** Redirects without a notice if the endpoint is disabled: its page says so. */
  async function redirectAfter(
    c: C,
    to: string,
    name: "tested" | "redelivered",
    sending: Promise<unknown>,
  ) {
    try {
      await sending
      return done(c, to, name)
    } catch (error) {
      if (!(error instanceof UserError) || error instanceof TestEventsLimited) throw error
      return c.redirect(to, 303)
    }
  }
  post("/test", async (c, endpoint) => {
    try {
      return await redirectAfter(c, ownPath(endpoint), "tested", sendTestEvent(services, endpoint))
    } catch (error) {
      if (!(error instanceof TestEventsLimited)) throw error
      const problem = viewOf(c).texts.webhooks.tooManyTests(testEventsMax)
      return showEndpoint(c, endpoint, { problem })
    }
  })

  const findMessage = (c: C, endpoint: ListedEndpoint) =>
    findDelivery(services, endpoint, c.req.param("message") ?? "")

  get("/messages/:message", async (c, endpoint) => {
    const found = await findMessage(c, endpoint)
    if (found === null) return c.notFound()
    const view = viewAfter(c)
    return c.html(
      <Layout view={view} title={view.texts.webhooks.delivery}>
        <p class="crumb">
          ‹ <a href={ownPath(endpoint)}>{shownUrl(endpoint.url)}</a>
        </p>
        <DeliveryPage
          view={view}
          webhookPath={ownPath(endpoint)}
          isDisabled={endpoint.disabled !== null}
          delivery={found.delivery}
          body={found.body}
        />
      </Layout>,
    )
  })
  post("/messages/:message/resend", async (c, endpoint) => {
    const found = await findMessage(c, endpoint)
    if (found === null) return c.notFound()
    const { id } = found.delivery
    const to = pathOfDelivery(ownPath(endpoint), id)
    return redirectAfter(c, to, "redelivered", redeliverMessage(services, endpoint, id))
  })
}
