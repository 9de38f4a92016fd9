/** The endpoints of an author, or of the operators: an id of another owner is answered like an unknown one. */
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

/** The workspace gives one, and the console another. */
type WebhookRouteOptions<Visitor, V extends View> = PageArea<Visitor, V> &
  Readonly<{
    path: string
    /** Whose endpoints these are; null for those of the operators. */
    ownerOf(c: PageContext<Visitor>): Pick<Account, "id" | "username"> | null
  }>

const deliveriesShown = 25

/** Names a secret without revealing it: every encrypted copy begins with a nonce of its own. */
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
  const recordingOf = (c: C) => services.endpointServices(identityOf(c).actor)
  const ownPath = ({ id }: Pick<ListedEndpoint, "id">) => pathOfEndpoint(path, id)
  /** An author who came by a link may have none. */
  const hasPassword = async (c: C) => (await passwords.find(identityOf(c).person.id)) !== null

  const viewAfter = (c: C) => viewOf(c, noticeOf(c, viewOf(c).texts.webhooks.done))
  const done = (c: C, to: string, name: keyof View["texts"]["webhooks"]["done"]) =>
    c.redirect(`${to}?done=${name}`, 303)

  async function askOf(c: C): Promise<PasswordPrompt> {
    const ask = passwordPromptOf(identityOf(c).session, now())
    return { ...ask, isRequired: ask.isRequired && (await hasPassword(c)) }
  }

  /** Null when it was given. */
  async function refuse(c: C): Promise<PasswordPrompt | null> {
    const { person, session } = identityOf(c)
    return checkPassword(c, services, person, session)
  }

  const find = (c: C) => findOwnEndpoint(services, accountIdOf(c), c.req.param("id") ?? "")

  const get = (ending: string, show: (c: C, endpoint: ListedEndpoint) => Promise<Response>) =>
    app.get(`${path}/:id${ending}`, async (c) => {
      const endpoint = await find(c)
      return endpoint === null ? c.notFound() : show(c, endpoint)
    })
  const post = (ending: string, act: (c: C, endpoint: ListedEndpoint) => Promise<Response>) =>
    app.post(`${path}/:id${ending}`, async (c) => {
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

  /** Of a new endpoint where `endpoint` is null. */
  async function showForm(
    c: C,
    endpoint: ListedEndpoint | null,
    typed: EndpointFormValues,
    password: PasswordPrompt,
  ) {
    const view = viewOf(c)
    const words = view.texts.webhooks
    const problem = typed.problem?.text ?? password.problem
    const title = endpoint === null ? words.add : words.editTitle
    const page = (
      <Layout view={view} title={title} problem={problem}>
        <EndpointForm
          view={view}
          accountId={accountIdOf(c)}
          typed={typed}
          password={password}
          action={endpoint === null ? path : `${ownPath(endpoint)}/edit`}
          submit={endpoint === null ? words.add : view.texts.save}
          back={endpoint === null ? path : ownPath(endpoint)}
        />
      </Layout>
    )
    return c.html(page, problem === null ? 200 : 422)
  }

  function readTyped(c: C): EndpointFormValues {
    const form = c.get("form")
    const words = viewOf(c).texts.webhooks
    const [formId, url, events] = [findFormId(form), form.text("url"), form.list("events")]
    const types: readonly string[] = eventTypesFor(accountIdOf(c))
    const problem = findUrlProblem(url, accountIdOf(c), recordingOf(c).findHostProblem)
    if (problem !== null) {
      return { formId, url, events, problem: { field: "url", text: words.urlProblems[problem] } }
    }
    const isKnown = events.every((name) => types.includes(name))
    const unknown = { field: "events", text: words.unknownEvent } as const
    return { formId, url, events, problem: isKnown ? null : unknown }
  }

  /** What to show instead of making the change; null when nothing stands in its way. */
  async function refuseForm(c: C, endpoint: ListedEndpoint | null, typed: EndpointFormValues) {
    if (typed.problem !== null) return showForm(c, endpoint, typed, await askOf(c))
    const password = await refuse(c)
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
    return showForm(c, null, typed, await askOf(c))
  })

  app.post(path, async (c) => {
    const typed = readTyped(c)
    const { formId } = typed
    if (formId === null) return c.redirect(`${path}/new`, 303)
    const refused = await refuseForm(c, null, typed)
    if (refused !== null) return refused
    try {
      const made = await createEndpointOnce(recordingOf(c), ownerOf(c), typed, formId)
      // A form that is sent again leads to the webhook that it made.
      const endpoint = made.isNew ? await endpoints.find(made.id) : null
      if (endpoint === null) return c.redirect(ownPath(made), 303)
      return await showEndpoint(c, endpoint, { secret: secretOf(c, endpoint), done: "made" })
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      const text = viewOf(c).texts.webhooks.tooMany(endpointsMax)
      return showForm(c, null, { ...typed, problem: { field: "url", text } }, await askOf(c))
    }
  })

  const secretOf = (c: C, { encrypted, id }: ListedEndpoint) =>
    recordingOf(c).endpointCipher.decrypt(encrypted, id)

  type Shown = Readonly<{
    /** Why no test event was sent. */
    problem?: string | null
    /** After its creation, replacement or reveal. */
    secret?: string | null
    done?: keyof View["texts"]["webhooks"]["done"]
  }>

  async function showEndpoint(
    c: C,
    endpoint: ListedEndpoint,
    { problem = null, secret = null, done: name }: Shown = {},
  ) {
    const after = name === undefined ? viewAfter(c) : viewOf(c, viewOf(c).texts.webhooks.done[name])
    // A form for this webhook was sent to another path, where another language would lead.
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
    return showForm(c, endpoint, typed, await askOf(c))
  })

  post("/edit", async (c, endpoint) => {
    const typed = readTyped(c)
    const refused = await refuseForm(c, endpoint, typed)
    if (refused !== null) return refused
    await changeEndpoint(recordingOf(c), endpoint, typed)
    return done(c, ownPath(endpoint), "changed")
  })

  type Question = Readonly<{ title: string; text: string; submit: string }>

  /** A change that is asked for on a page of its own, with the password. */
  function addQuestion(
    action: "reveal" | "replace" | "remove",
    ask: (words: View["texts"]["webhooks"], endpoint: ListedEndpoint) => Question,
    make: (c: C, endpoint: ListedEndpoint) => Promise<Response>,
  ): void {
    function show(c: C, endpoint: ListedEndpoint, password: PasswordPrompt, status: 200 | 422) {
      const view = viewOf(c)
      const { title, text, submit } = ask(view.texts.webhooks, endpoint)
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
    get(`/${action}`, async (c, endpoint) => show(c, endpoint, await askOf(c), 200))
    post(`/${action}`, async (c, endpoint) => {
      const password = await refuse(c)
      if (password === null) return make(c, endpoint)
      return (await hasPassword(c)) ? show(c, endpoint, password, 422) : showNoPassword(c)
    })
  }

  addQuestion(
    "reveal",
    (words) => ({ title: words.revealTitle, text: words.revealText, submit: words.reveal }),
    async (c, endpoint) => {
      const secret = await revealEndpointSecret(recordingOf(c), endpoint)
      return showEndpoint(c, endpoint, { secret })
    },
  )
  addQuestion(
    "replace",
    (words) => ({ title: words.rotateTitle, text: words.rotateText, submit: words.rotate }),
    async (c, endpoint) => {
      // The form was sent again: the secret that it replaced is gone.
      if (c.get("form").text("replaces") !== versionOf(endpoint)) {
        return c.redirect(ownPath(endpoint), 303)
      }
      const secret = await rotateEndpointSecret(recordingOf(c), endpoint)
      const replaced = await find(c)
      if (replaced === null) return c.notFound()
      return showEndpoint(c, replaced, { secret, done: "replaced" })
    },
  )
  addQuestion(
    "remove",
    (words, { url, pendingMessages: waiting }) => ({
      title: words.removeTitle,
      text: words.removeText(isolateDirection(shownUrl(url)), waiting),
      submit: words.remove,
    }),
    async (c, endpoint) => {
      await removeEndpoint(recordingOf(c), endpoint)
      return done(c, path, "removed")
    },
  )

  post("/turn-on", async (c, endpoint) => {
    await enableEndpoint(recordingOf(c), endpoint)
    return done(c, ownPath(endpoint), "turnedOn")
  })
  post("/turn-off", async (c, endpoint) => {
    await disableEndpoint(recordingOf(c), endpoint)
    return done(c, ownPath(endpoint), "turnedOff")
  })
  /** The page of one that is off says so. */
  async function sent(c: C, to: string, name: "tested" | "resent", sending: Promise<unknown>) {
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
      return await sent(c, ownPath(endpoint), "tested", sendTestEvent(services, endpoint))
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
          isOff={endpoint.disabled !== null}
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
    return sent(c, to, "resent", redeliverMessage(services, endpoint, id))
  })
}
