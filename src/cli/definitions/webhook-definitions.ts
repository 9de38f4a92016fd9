import { type CommandDefinitions, flag, jsonOnly } from "../framework/command.ts"

export const webhooks = {
  create: {
    name: "webhook create",
    positionals: ["[USERNAME]"],
    options: {
      operator: flag,
      url: { type: "string", value: "URL", isRequired: true },
      events: { type: "string", value: "a,b" },
      json: flag,
    },
    summary: "Create a webhook and print its secret.",
    help: `Pazar sends events of the author to the URL, signed as in the Standard Webhooks specification. The
receiver verifies the signature with the secret.

  --operator    send events of all authors, invitations, failed imports and overdue pulls
  --url URL     required; https. http is accepted with --operator, within PAZAR_WEBHOOK_NETWORKS
  --events a,b  send only these events: purchase.created, purchase.changed, purchase.revoked,
                purchase.restored, site.refused, key.leaked, key.called_after_stop; with --operator
                also account.invited, import.failed, pull.overdue. Default: all, including events
                of later versions
  --json        print {"id","url","secret","events"}`,
  },
  list: {
    name: "webhook list",
    positionals: ["[USERNAME]"],
    options: { operator: flag, json: flag },
    summary: "List webhooks.",
    help: `Without USERNAME, the command lists the webhooks of all authors and of the operators.

  --operator  list only the operators' webhooks`,
  },
  remove: {
    name: "webhook remove",
    positionals: ["ENDPOINT_ID"],
    options: jsonOnly,
    summary: "Delete a webhook and its pending messages.",
  },
} as const satisfies CommandDefinitions
