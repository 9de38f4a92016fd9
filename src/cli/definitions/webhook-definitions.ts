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
    summary: "create a webhook and print its secret",
    help: `Events of one author, or with --operator of all, are sent to the URL. The receiver verifies the signature with
the secret, as in the Standard Webhooks specification.

  --operator      events of all authors, invitations, failed imports and overdue pulls
  --url URL       required: an https URL; http only with --operator, in PAZAR_WEBHOOK_NETWORKS
  --events a,b    only these: purchase.created, purchase.changed, purchase.revoked, purchase.restored,
                  site.refused, key.leaked, key.called_after_stop; with --operator also account.invited,
                  import.failed, pull.overdue. Without it all of them, also those of later versions
  --json          print {"id","url","secret","events"}`,
  },
  list: {
    name: "webhook list",
    positionals: ["[USERNAME]"],
    options: { operator: flag, json: flag },
    summary: "list webhooks",
    help: `Without USERNAME those of all authors and operators.

  --operator  only those of the operators`,
  },
  remove: {
    name: "webhook remove",
    positionals: ["ENDPOINT_ID"],
    options: jsonOnly,
    summary: "remove a webhook and its pending messages",
  },
} as const satisfies CommandDefinitions
