import { type Actor, commandLine } from "../access/actor.ts"
import type { AccountStore } from "../accounts/account.ts"
import { requireAccount } from "../accounts/account-operations.ts"
import {
  command,
  flag,
  jsonOnly,
  type OpenContext,
  option,
  UsageError,
} from "../platform/cli/command.ts"
import { toJson, writeList, writeResult } from "../platform/cli/output.ts"
import { asUsageError } from "../platform/cli/parse-options.ts"
import { UserError } from "../platform/error.ts"
import { createEndpoint, type EndpointServices, removeEndpoint } from "./endpoint-operations.ts"
import {
  disabledReasonTexts,
  type EndpointStore,
  eventTypesFor,
  type ListedEndpoint,
  parseEventTypes,
} from "./webhook.ts"

type App = Readonly<{
  store: Readonly<{ accounts: Pick<AccountStore, "findByUsername">; endpoints: EndpointStore }>
  endpointServices(actor: Actor): EndpointServices
}>

type Context = OpenContext<App>

export const commands = {
  "webhook create": command({
    positionals: ["[USERNAME]"],
    options: {
      operator: flag("send events of all authors, invitations, failed imports and overdue pulls"),
      url: {
        ...option(
          "URL",
          "required; https. http is accepted with --operator, within PAZAR_WEBHOOK_NETWORKS",
        ),
        isRequired: true,
      },
      events: option(
        "a,b",
        "send only these events: purchase.created, purchase.changed, purchase.revoked, purchase.restored, site.refused, key.leaked, key.called_after_stop; with --operator also account.invited, import.failed, pull.overdue. Default: all, including events of later versions",
      ),
      json: flag('print {"id","url","secret","events"}'),
    },
    help: `Pazar sends events of the author to the URL, signed as in the Standard Webhooks specification. The
receiver verifies the signature with the secret.`,
    async run({ positionals: [username], values }, context: Context) {
      if ((username === undefined) !== values.operator)
        throw new UsageError("exactly one of USERNAME and --operator is required")
      const { url } = values
      if (url === undefined || !/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
        throw new UsageError(
          "--url must be the URL that events are sent to, as in https://example.com/",
        )
      }
      const names = (values.events ?? "").split(",").map((each) => each.trim())
      const events = names.filter((each) => each !== "")
      if (events.length === 0 && values.events !== undefined)
        throw new UsageError("--events must be names of events, separated by commas")
      await using app = await context.openApp()
      const owner =
        username === undefined ? null : await requireAccount(app.store.accounts, username)
      asUsageError(() => parseEventTypes(owner?.id ?? null, events))
      const services = app.endpointServices(commandLine)
      const { endpoint, secret } = await createEndpoint(services, owner, { url, events })
      const created = { id: endpoint.id, url: endpoint.url, secret, events: listTypes(endpoint) }
      await context.write(values.json ? toJson(created) : `${secret}\n`)
    },
  }),
  "webhook list": command({
    positionals: ["[USERNAME]"],
    options: { operator: flag("list only the operators' webhooks"), ...jsonOnly },
    help: "Without USERNAME, the command lists the webhooks of all authors and of the operators.",
    async run({ positionals: [username], values }, context: Context) {
      if (username !== undefined && values.operator)
        throw new UsageError("USERNAME and --operator cannot be used together")
      await using app = await context.openApp()
      if (username !== undefined) await requireAccount(app.store.accounts, username)
      const all = await app.store.endpoints.listAll()
      const listed = all.filter((endpoint) =>
        values.operator
          ? endpoint.username === null
          : username === undefined || endpoint.username === username,
      )
      await writeList(context, values.json, [listed], {
        toObject: describe,
        header: ["ENDPOINT_ID", "OWNER", "URL", "STATE", "PENDING"],
        toCells(endpoint) {
          const { id, username, url, pendingMessages } = endpoint
          return [
            id,
            username ?? "operators",
            url,
            describeState(endpoint),
            String(pendingMessages),
          ]
        },
        none: "no webhooks; create one with `pazar webhook create`",
      })
    },
  }),
  "webhook remove": command({
    positionals: ["ENDPOINT_ID"],
    options: jsonOnly,
    async run({ positionals: [id], values }, context: Context) {
      await using app = await context.openApp()
      const endpoint = await app.store.endpoints.find(id)
      if (endpoint === null) throw new UserError(`webhook ${id} does not exist`)
      await removeEndpoint(app.endpointServices(commandLine), endpoint)
      await writeResult(context, values.json, { id }, `removed webhook ${id}`)
    },
  }),
}

const listTypes = ({ accountId, events }: ListedEndpoint) => events ?? eventTypesFor(accountId)

const describeState = ({ disabled, failingSince }: ListedEndpoint) => {
  if (disabled !== null) return `disabled: ${disabledReasonTexts[disabled.reason]}`
  return failingSince === null ? "enabled" : `failing since ${failingSince}`
}

function describe(endpoint: ListedEndpoint) {
  const { id, username, url, createdAt, disabled, failingSince, pendingMessages } = endpoint
  const events = listTypes(endpoint)
  const off = { offAt: disabled?.at ?? null, offReason: disabled?.reason ?? null }
  return { id, username, url, events, createdAt, ...off, failingSince, waiting: pendingMessages }
}
