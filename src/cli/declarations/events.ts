import { type Declarations, flag, jsonOnly } from "../frame/command.ts"

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
    summary: "make an endpoint that events are sent to, and print its secret",
    help: `Events go to the address of --url, of one author or with --operator of all of them. The receiver checks
the signature with the secret, as the Standard Webhooks specification says; many languages have a library for it.

  --operator      events of the marketplace: those of all authors, invitations, failed imports, overdue pulls
  --url URL       required: an https address; http only with --operator, in PAZAR_WEBHOOK_NETWORKS
  --events a,b    only these: purchase.created, purchase.changed, purchase.revoked, purchase.restored,
                  site.refused, key.leaked, key.called_after_stop; with --operator also account.invited,
                  import.failed, pull.overdue. Without it all of them, also those of later versions
  --json          print {"id","url","secret","events"}`,
  },
  list: {
    name: "webhook list",
    positionals: ["[USERNAME]"],
    options: { operator: flag, json: flag },
    summary: "list the endpoints that events are sent to",
    help: `Without USERNAME those of all authors and of the operators.

  --operator  only those of the operators`,
  },
  remove: {
    name: "webhook remove",
    positionals: ["ENDPOINT_ID"],
    options: jsonOnly,
    summary: "remove an endpoint and all that waits for it",
  },
} as const satisfies Declarations
