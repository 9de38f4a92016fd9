import type { Account } from "../../domain/catalogue/account.ts"
import {
  type Endpoint,
  type EndpointStore,
  type EndpointVault,
  endpointsMax,
  type FindHostProblem,
  type ListedEndpoint,
  oldSecretSeconds,
  parseEndpointUrl,
  parseEventTypes,
  whyOff,
} from "../../domain/events/endpoint.ts"
import { type EventVault, renderEvent } from "../../domain/events/event.ts"
import { type Delivery, type MessageStore, testEventsMax } from "../../domain/events/message.ts"
import { RefusedError } from "../../domain/values/error.ts"
import { formatTimestamp, secondsAfter } from "../../domain/values/time/timestamp.ts"
import { recordEndpointEvent, type Tally } from "../record-event.ts"

export type EndpointServices = Tally &
  Readonly<{
    endpoints: EndpointStore
    endpointVault: EndpointVault
    messages: MessageStore
    findHostProblem: FindHostProblem
  }>

/** The author whose endpoint it is; null for one of the operators. */
type Owner = Pick<Account, "id" | "username"> | null

/** As a person writes them. No event means all of them. */
export type EndpointForm = Readonly<{ url: string; events: readonly string[] }>

type Made = Readonly<{ endpoint: ListedEndpoint; secret: string }>

/** Throws RefusedError. */
export async function createEndpoint(
  services: EndpointServices,
  owner: Owner,
  form: EndpointForm,
): Promise<Made> {
  const id = services.endpointVault.createEndpointId()
  const made = await insertEndpoint(services, owner, form, id)
  if (made === null) throw new Error("a random id was known")
  return made
}

/**
 * The id comes from the form's id and the owner, so that one form means one endpoint. `isNew` is false if the form made
 * it before. Throws RefusedError.
 */
export async function createEndpointOnce(
  services: EndpointServices,
  owner: Owner,
  form: EndpointForm,
  formId: string,
): Promise<Readonly<{ id: string; isNew: boolean }>> {
  const id = services.endpointVault.deriveEndpointId(`${owner?.id ?? "operators"} ${formId}`)
  return { id, isNew: (await insertEndpoint(services, owner, form, id)) !== null }
}

/** Null if the id is known. */
async function insertEndpoint(
  services: EndpointServices,
  owner: Owner,
  { url, events }: EndpointForm,
  id: string,
): Promise<Made | null> {
  const { endpoints, endpointVault, now } = services
  const secret = endpointVault.createSecret()
  const accountId = owner?.id ?? null
  const endpoint: Endpoint = {
    id,
    accountId,
    url: parseEndpointUrl(url, accountId, services.findHostProblem),
    events: parseEventTypes(accountId, events),
    createdAt: formatTimestamp(now()),
    sealed: endpointVault.seal(secret, id),
    oldSecret: null,
    off: null,
    waiting: 0,
    failingSince: null,
  }
  const outcome = await endpoints.insert(endpoint)
  if (outcome === "known") return null
  if (outcome === "full") {
    throw new RefusedError(`there are ${endpointsMax} endpoints already: remove one first`)
  }
  const listed = { ...endpoint, username: owner?.username ?? null }
  await recordEndpointEvent(services, listed, "created")
  return { endpoint: listed, secret }
}

/** Null if there is none, or it is another owner's. */
export async function findOwnEndpoint(
  { endpoints }: Readonly<{ endpoints: Pick<EndpointStore, "find"> }>,
  accountId: number | null,
  id: string,
): Promise<ListedEndpoint | null> {
  const found = await endpoints.find(id)
  return found?.accountId === accountId ? found : null
}

/** Does nothing if it is gone, here and below. Throws RefusedError. */
export async function changeEndpoint(
  services: EndpointServices,
  endpoint: ListedEndpoint,
  { url, events }: EndpointForm,
): Promise<void> {
  const changed = {
    url: parseEndpointUrl(url, endpoint.accountId, services.findHostProblem),
    events: parseEventTypes(endpoint.accountId, events),
  }
  if (!(await services.endpoints.change(endpoint.id, changed))) return
  await recordEndpointEvent(services, { ...endpoint, ...changed }, "changed")
}

/** Recorded before it is shown, so that no reveal goes unrecorded. */
export async function revealEndpointSecret(
  services: EndpointServices,
  endpoint: ListedEndpoint,
): Promise<string> {
  await recordEndpointEvent(services, endpoint, "revealed")
  return services.endpointVault.unseal(endpoint.sealed, endpoint.id)
}

/** For a day messages are signed with both. Null if the endpoint is gone. */
export async function replaceEndpointSecret(
  services: EndpointServices,
  endpoint: ListedEndpoint,
): Promise<string | null> {
  const { endpoints, endpointVault, now } = services
  const secret = endpointVault.createSecret()
  const until = secondsAfter(now(), oldSecretSeconds)
  const sealed = endpointVault.seal(secret, endpoint.id)
  if (!(await endpoints.replaceSecret(endpoint.id, sealed, until))) return null
  await recordEndpointEvent(services, endpoint, "replaced")
  return secret
}

/** What waits stays, and is sent when the endpoint is turned on. */
export async function turnEndpointOff(
  services: EndpointServices,
  endpoint: ListedEndpoint,
): Promise<void> {
  const at = formatTimestamp(services.now())
  if (!(await services.endpoints.turnOff(endpoint.id, at, "owner"))) return
  if (endpoint.off === null) await recordEndpointEvent(services, endpoint, "turned_off")
}

/** An embedded store gives up so many in about 5 ms. */
const givenUpRows = 500

/** One that was full gives up what waits: it would be full again at once. */
export async function turnEndpointOn(
  services: EndpointServices,
  endpoint: ListedEndpoint,
): Promise<void> {
  const { endpoints, messages, now } = services
  if (endpoint.off?.reason === "full") {
    while ((await messages.giveUp(endpoint.id, givenUpRows)) >= givenUpRows);
  }
  if (!(await endpoints.turnOn(endpoint.id, now().getTime()))) return
  if (endpoint.off !== null) await recordEndpointEvent(services, endpoint, "turned_on")
}

export async function removeEndpoint(
  services: EndpointServices,
  endpoint: ListedEndpoint,
): Promise<void> {
  if (!(await services.endpoints.remove(endpoint.id, formatTimestamp(services.now())))) return
  await recordEndpointEvent(services, endpoint, "removed")
}

type Sending = Readonly<{
  endpoints: Pick<EndpointStore, "find">
  messages: MessageStore
  now: () => Date
}>

/** The author has sent as many test events as a minute allows. */
export class TestEventsLimited extends RefusedError {
  override name = "TestEventsLimited"
  constructor() {
    super(`an author can send ${testEventsMax} test events a minute; wait a minute`)
  }
}

/**
 * The id of its message. Throws TestEventsLimited, and RefusedError for an endpoint that is off, full or gone, here and
 * below.
 */
export async function sendTestEvent(services: Sending, endpoint: ListedEndpoint): Promise<string> {
  const { messages, now } = services
  assertOn(endpoint)
  const inserted = await messages.insertTest(endpoint.id, formatTimestamp(now()))
  if (inserted === "limited") throw new TestEventsLimited()
  return inserted?.messageId ?? explainNotSent(services, endpoint)
}

/** With the same id. */
export async function resendMessage(
  services: Sending,
  endpoint: ListedEndpoint,
  messageId: string,
): Promise<void> {
  const { messages, now } = services
  assertOn(endpoint)
  if (!(await messages.resend(messageId, now().getTime()))) {
    await explainNotSent(services, endpoint)
  }
}

/** It may have been full: then it is off since. */
async function explainNotSent({ endpoints }: Sending, { id }: Endpoint): Promise<never> {
  const found = await endpoints.find(id)
  if (found === null) throw new RefusedError(`there is no endpoint ${id}`)
  assertOn(found)
  throw new RefusedError("the message is gone")
}

function assertOn({ id, off }: Endpoint): void {
  if (off !== null)
    throw new RefusedError(`endpoint ${id} is off (${whyOff[off.reason]}): turn it on first`)
}

/** A delivery of this endpoint; null if there is none. A body that holds a secret, which only its receiver sees, is null. */
export async function findDelivery(
  { messages, eventVault }: Readonly<{ messages: MessageStore; eventVault: EventVault }>,
  endpoint: ListedEndpoint,
  messageId: string,
): Promise<Readonly<{ delivery: Delivery; body: string | null }> | null> {
  const found = await messages.find(messageId)
  if (found === null || found.delivery.endpointId !== endpoint.id) return null
  const { delivery, event } = found
  return { delivery, body: event.isSealed ? null : bodyOf(eventVault, endpoint, event) }
}

/** What is sent to the endpoint. */
export function bodyOf(
  vault: Pick<EventVault, "unseal">,
  { accountId }: Pick<Endpoint, "accountId">,
  event: Parameters<typeof renderEvent>[0] & Readonly<{ isSealed: boolean }>,
): string {
  const data = event.isSealed
    ? vault.unseal(Buffer.from(event.data, "base64"), event.type)
    : event.data
  return renderEvent({ ...event, data }, accountId === null ? "operator" : "author")
}

/** Those that were turned off for another reason than their owner's wish. */
export const listTurnedOff = <Listed extends Endpoint>(endpoints: readonly Listed[]) =>
  endpoints.filter(({ off }) => off !== null && off.reason !== "owner")
