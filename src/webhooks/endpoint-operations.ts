import { requireRight, rightToSecretOf } from "../access/actor.ts"
import type { AuditAction, Recording } from "../access/audit-event.ts"
import { createEvent, tallyPerMinute } from "../access/audit-operations.ts"
import type { Account } from "../accounts/account.ts"
import { UserError } from "../platform/error.ts"
import { formatTimestamp, secondsAfter } from "../platform/time.ts"
import { type DeliveryDetails, type MessageStore, testEventsMax } from "./delivery.ts"
import {
  disabledReasonTexts,
  type Endpoint,
  type EndpointCipher,
  type EndpointStore,
  type EventCipher,
  endpointsMax,
  type FindHostProblem,
  isFull,
  type ListedEndpoint,
  oldSecretSeconds,
  ownerOf,
  parseEndpointUrl,
  parseEventTypes,
  renderEvent,
  shownUrl,
} from "./webhook.ts"

type WebhookServices = Readonly<{
  endpoints: EndpointStore
  messages: MessageStore
  endpointCipher: EndpointCipher
  eventCipher: EventCipher
  findHostProblem: FindHostProblem
}>
export type EndpointServices = Recording & Omit<WebhookServices, "eventCipher">

type Owner = Pick<Account, "id" | "username"> | null

/** As a person enters them. An empty list means all event types. */
export type EndpointForm = Readonly<{ url: string; events: readonly string[] }>
type CreatedEndpoint = Readonly<{ endpoint: ListedEndpoint; secret: string }>

export async function createEndpoint(
  services: EndpointServices,
  owner: Owner,
  form: EndpointForm,
): Promise<CreatedEndpoint> {
  const id = services.endpointCipher.createEndpointId()
  const created = await insertEndpoint(services, owner, form, id)
  if (created === null) throw new Error("a random id exists already")
  return created
}

/** The form's id and the owner give the id: one form creates one endpoint. Throws UserError. */
export async function createEndpointOnce(
  services: EndpointServices,
  owner: Owner,
  form: EndpointForm,
  formId: string,
): Promise<Readonly<{ id: string; isNew: boolean }>> {
  const id = services.endpointCipher.deriveEndpointId(`${owner?.id ?? "operators"} ${formId}`)
  return { id, isNew: (await insertEndpoint(services, owner, form, id)) !== null }
}

async function insertEndpoint(
  services: EndpointServices,
  owner: Owner,
  { url, events }: EndpointForm,
  id: string,
): Promise<CreatedEndpoint | null> {
  const { actor, endpoints, endpointCipher, now } = services
  const accountId = owner?.id ?? null
  requireRight(actor, rightToSecretOf(accountId))
  const secret = endpointCipher.createSecret()
  const endpoint: Endpoint = {
    id,
    accountId,
    url: parseEndpointUrl(url, accountId, services.findHostProblem),
    events: parseEventTypes(accountId, events),
    createdAt: formatTimestamp(now()),
    encrypted: endpointCipher.encrypt(secret, id),
    oldSecret: null,
    disabled: null,
    pendingMessages: 0,
    failingSince: null,
    attemptedAt: null,
  }
  const outcome = await endpoints.insert(endpoint)
  if (outcome === "known") return null
  if (outcome === "full")
    throw new UserError(`too many webhooks (${endpointsMax}); remove one first`)
  const listed = { ...endpoint, username: owner?.username ?? null }
  await recordEndpointEvent(services, listed, "created")
  return { endpoint: listed, secret }
}

export async function findOwnEndpoint(
  { endpoints }: Pick<WebhookServices, "endpoints">,
  accountId: number | null,
  id: string,
): Promise<ListedEndpoint | null> {
  const found = await endpoints.find(id)
  return found?.accountId === accountId ? found : null
}

/** Does nothing if the endpoint was removed, here and below. Throws UserError. */
export async function changeEndpoint(
  services: EndpointServices,
  endpoint: ListedEndpoint,
  { url, events }: EndpointForm,
): Promise<void> {
  requireRight(services.actor, rightToSecretOf(endpoint.accountId))
  const changed = {
    url: parseEndpointUrl(url, endpoint.accountId, services.findHostProblem),
    events: parseEventTypes(endpoint.accountId, events),
  }
  if (!(await services.endpoints.change(endpoint.id, changed))) return
  await recordEndpointEvent(services, { ...endpoint, ...changed }, "changed")
}

/** Recorded first, so that no reveal goes unrecorded. */
export async function revealEndpointSecret(
  services: EndpointServices,
  endpoint: ListedEndpoint,
): Promise<string> {
  requireRight(services.actor, rightToSecretOf(endpoint.accountId))
  await recordEndpointEvent(services, endpoint, "revealed")
  return services.endpointCipher.decrypt(endpoint.encrypted, endpoint.id)
}

/** Both secrets sign for a day. Returns null if the endpoint was removed. */
export async function rotateEndpointSecret(
  services: EndpointServices,
  endpoint: ListedEndpoint,
): Promise<string | null> {
  const { actor, endpoints, endpointCipher, now } = services
  requireRight(actor, rightToSecretOf(endpoint.accountId))
  const secret = endpointCipher.createSecret()
  const until = secondsAfter(now(), oldSecretSeconds)
  const encrypted = endpointCipher.encrypt(secret, endpoint.id)
  if (!(await endpoints.rotateSecret(endpoint.id, encrypted, until))) return null
  await recordEndpointEvent(services, endpoint, "replaced")
  return secret
}

/** Pending messages are sent when the endpoint is enabled again. */
export async function disableEndpoint(services: EndpointServices, endpoint: ListedEndpoint) {
  requireRight(services.actor, "manage")
  const at = formatTimestamp(services.now())
  if (!(await services.endpoints.disable(endpoint.id, at, "owner"))) return
  if (endpoint.disabled === null) await recordEndpointEvent(services, endpoint, "turned_off")
}

const failedRows = 500

/** Pending messages of a full endpoint fail: otherwise it would be full again immediately. */
export async function enableEndpoint(services: EndpointServices, endpoint: ListedEndpoint) {
  const { actor, endpoints, messages, now } = services
  requireRight(actor, "manage")
  if (endpoint.disabled?.reason === "full") {
    while ((await messages.failPending(endpoint.id, failedRows)) >= failedRows);
  }
  if (!(await endpoints.enable(endpoint.id, now().getTime()))) return
  if (endpoint.disabled !== null) await recordEndpointEvent(services, endpoint, "turned_on")
}

export async function removeEndpoint(services: EndpointServices, endpoint: ListedEndpoint) {
  requireRight(services.actor, "manage")
  if (!(await services.endpoints.remove(endpoint.id, formatTimestamp(services.now())))) return
  await recordEndpointEvent(services, endpoint, "removed")
}

type Sending = Recording & Pick<WebhookServices, "endpoints" | "messages">

export class TestEventsLimited extends UserError {
  override name = "TestEventsLimited"
  constructor() {
    super(`too many test events (${testEventsMax} per minute); wait a minute`)
  }
}

/** Returns the message's id. Throws TestEventsLimited, and UserError for a disabled or removed endpoint. */
export async function sendTestEvent(services: Sending, endpoint: ListedEndpoint): Promise<string> {
  const { actor, messages, now } = services
  requireRight(actor, "manage")
  assertEnabled(endpoint)
  const inserted = await messages.insertTest(endpoint.id, formatTimestamp(now()))
  if (inserted === "limited") throw new TestEventsLimited()
  return inserted?.messageId ?? explainNotSent(services, endpoint)
}

export async function redeliverMessage(
  services: Sending,
  endpoint: ListedEndpoint,
  messageId: string,
): Promise<string> {
  const { actor, messages, now } = services
  requireRight(actor, "redeliver")
  assertEnabled(endpoint)
  const isQueued = await messages.redeliver(messageId, now().getTime())
  if (!isQueued) return explainNotSent(services, endpoint)
  await recordEndpointEvent(services, endpoint, "redelivered")
  return messageId
}

async function explainNotSent(
  { endpoints }: Pick<WebhookServices, "endpoints">,
  { id }: Endpoint,
): Promise<never> {
  const found = await endpoints.find(id)
  if (found === null) throw new UserError(`webhook ${id} does not exist`)
  assertEnabled(found)
  throw new UserError("the message does not exist or was deleted")
}

function assertEnabled({ id, disabled }: Endpoint): void {
  if (disabled === null) return
  const reason = disabledReasonTexts[disabled.reason]
  throw new UserError(`webhook ${id} is disabled: ${reason}; enable it first`)
}

/** Null for a message of another endpoint. `body` is null if it contains a secret, which only its receiver sees. */
export async function findDelivery(
  { messages, eventCipher }: Pick<WebhookServices, "messages" | "eventCipher">,
  endpoint: ListedEndpoint,
  messageId: string,
): Promise<(Omit<DeliveryDetails, "event"> & Readonly<{ body: string | null }>) | null> {
  const found = await messages.find(messageId)
  if (found === null || found.delivery.endpointId !== endpoint.id) return null
  const { event, ...details } = found
  return { ...details, body: event.isEncrypted ? null : bodyOf(eventCipher, endpoint, event) }
}

export function bodyOf(
  keyCipher: Pick<EventCipher, "decrypt">,
  { accountId }: Pick<Endpoint, "accountId">,
  event: Parameters<typeof renderEvent>[0] & Readonly<{ isEncrypted: boolean }>,
): string {
  const data = event.isEncrypted
    ? keyCipher.decrypt(Buffer.from(event.data, "base64"), event.type)
    : event.data
  return renderEvent({ ...event, data }, accountId === null ? "operator" : "author")
}

/** Disables full endpoints. Returns the pending messages of the others, except those of suspended authors. */
export async function disableFull({
  endpoints,
  messages,
  now,
}: Pick<WebhookServices, "endpoints" | "messages"> & Pick<Recording, "now">): Promise<number> {
  const at = now()
  let pending = 0
  for (const count of await messages.countPending()) {
    if (isFull(count, at.getTime())) {
      await endpoints.disable(count.endpointId, formatTimestamp(at), "full")
    } else if (!count.isSuspended) pending += count.pendingMessages
  }
  return pending
}

/** Excludes endpoints that their owner disabled. */
export const listAutoDisabled = <Listed extends Endpoint>(endpoints: readonly Listed[]) =>
  endpoints.filter(({ disabled }) => disabled !== null && disabled.reason !== "owner")

export function recordEndpointEvent(
  recording: Recording,
  endpoint: ListedEndpoint,
  action: AuditAction<"webhook">,
): Promise<void> {
  const subjectName = shownUrl(endpoint.url)
  const subject = { account: ownerOf(endpoint), subjectId: endpoint.id, subjectName }
  const event = { ...createEvent(recording, { kind: "webhook", action }), ...subject }
  return tallyPerMinute(recording, event)
}
