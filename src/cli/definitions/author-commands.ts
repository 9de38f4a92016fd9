import { siteLimitMax, slotDays } from "../../domain/catalog/site.ts"
import { type CommandDefinitions, flag, jsonOnly, overlapOption } from "../framework/command.ts"

export const accounts = {
  "account list": { options: jsonOnly, summary: "List accounts." },
  "account show": { positionals: ["USERNAME"], options: jsonOnly, summary: "Show an account." },
  "account password": {
    positionals: ["USERNAME"],
    summary: "Set an account's password from standard input.",
    help: `The command reads the password from the first line of standard input, so that it does not appear
in the process list:

  printf '%s' "$PASSWORD" | pazar account password USERNAME

A password has 12 to 256 characters. The username, the e-mail address and the 10,000 most common
passwords are rejected. All sessions, invitations and sign-in links of the account become invalid.`,
  },
  "account invite": {
    positionals: ["[USERNAME]"],
    options: { all: flag, "without-password": flag, send: flag, json: flag },
    summary: "Invite an author to set a password, by a printed link or by e-mail.",
    help: `A link is valid for seven days and can be used once. Earlier links stay valid until a password is
set. The base URL is PAZAR_PUBLIC_URL. If it is not set, it is the URL of the server on this machine,
or HOST and PORT with a warning.

  --all               invite every account that is not suspended
  --without-password  with --all: only accounts without a password
  --send              send the links by e-mail (PAZAR_SMTP_URL) and print only those of accounts without an
                      e-mail address. A running server sends them
  --json              print one object per line: username, email (if known), url, expires_at; with
                      --send also "sent", without url if it is true`,
  },
  "account suspend": {
    positionals: ["USERNAME"],
    options: { reason: { type: "string", value: "TEXT" }, json: flag },
    summary: "Suspend an account: reject its API keys and sign-ins.",
    help: `Within a second, requests with its keys return 403 account_suspended, and its sessions end. Nothing
is deleted. This operator override takes precedence over the feed until \`account resume\`.

  --reason TEXT  shown in the console and the audit log, not to the author`,
  },
  "account resume": {
    positionals: ["USERNAME"],
    options: jsonOnly,
    summary: "Resume a suspended account.",
    help: `Its keys are valid again within a second. The command also ends a suspension by the feed, until the
feed sends "suspended":true again.`,
  },
  "account second-factor": {
    positionals: ["USERNAME"],
    options: { remove: flag, json: flag },
    summary: "Show or remove an author's two-factor authentication.",
    help: `Authors enable two-factor authentication in the workspace, under Settings, Security.

  --remove  disable it, for an author who lost the phone and the recovery codes; audited`,
  },
} as const satisfies CommandDefinitions

export const keys = {
  "key create": {
    positionals: ["USERNAME"],
    options: {
      kind: { type: "string", value: "sk|vk|tk", default: "sk" },
      name: { type: "string", value: "NAME" },
      items: { type: "string", value: "1,2" },
      "requires-site": flag,
      expires: { type: "string", value: "TIME" },
      json: flag,
    },
    summary: "Create an API key and print it.",
    help: `  --kind sk|vk|tk  sk: secret key, all operations (default)
                   vk: validation key, validates purchases and releases sites; safe to ship in a
                   product
                   tk: test key, all operations on test data
  --name NAME      name of the key
  --items 1,2      vk only: item ids the key is valid for. Default: all items of the account
  --requires-site  vk only: reject validations without a site
  --expires TIME   expiry as an ISO 8601 timestamp with a zone, such as 2027-01-01T00:00:00Z
  --json           print {"id","key","kind","name","items","expires_at"}`,
  },
  "key list": {
    positionals: ["[USERNAME]"],
    options: { all: flag, json: flag },
    summary: "List API keys, masked.",
    help: `  --all  list the keys of all accounts

LAST USED lags a few seconds behind a running server. All keys of a suspended account are rejected,
whatever their STATE.`,
  },
  "key find": {
    options: jsonOnly,
    summary: "Find the account of an API key from standard input.",
    help: `The command reads the first line of standard input, which contains the key alone or within a line of
code:

  printf '%s' "$KEY" | pazar key find

The key is neither printed nor stored.`,
  },
  "key revoke": {
    positionals: ["KEY_ID"],
    summary: "Revoke an API key permanently.",
    help: "Running servers reject the key within a second. `pazar key list USERNAME` prints the ids.",
  },
  "key rotate": {
    positionals: ["KEY_ID"],
    options: { overlap: overlapOption, json: flag },
    summary: "Rotate an API key and print the new one.",
    help: `The new key has the same name, permissions and expiry. The old key stays valid for the overlap
period, but not past its own expiry.

  --overlap 0|1h|1d|7d  overlap period. Default: 1d; 0 revokes the old key immediately`,
  },
  "signing-key list": {
    options: jsonOnly,
    summary: "List the published keys that sign responses.",
    help: `The current key signs responses. Products pin the current key and the next key, which replaces it at
the next rotation. Retired keys stay published, so that a product that pins one can follow its
endorsement.`,
  },
  "signing-key rotate": {
    options: { compromised: { type: "string", value: "=KEY_ID" }, json: flag },
    summary: "Rotate the key that signs responses.",
    help: `The next key becomes the current key, which endorses a new next key. The old key is retired and stays
published.

  --compromised=KEY_ID  delete this key immediately, with every endorsement it gave. If it is the
                        current key, the next key replaces it. Products that pin it accept its
                        signatures until they are updated. The = is required, because an id can
                        begin with a dash`,
  },
} as const satisfies CommandDefinitions

export const items = {
  "item show": {
    positionals: ["ID"],
    options: jsonOnly,
    summary: "Show an item with its author, state and number of purchases.",
  },
  "item limit": {
    positionals: ["ID", "[none|N]"],
    options: { license: { type: "string", value: "NAME=N", multiple: true }, json: flag },
    summary: "Show or set the site limit of an item.",
    help: `N is the number of sites per purchase, from 1 to ${siteLimitMax}. \`none\` removes the limit. Without either, the
command shows the limit. A new site beyond the limit gets 404 site_limit. A site that has not been
seen for ${slotDays} days loses its slot. Test sites do not use a slot.

  --license NAME=N  limit for one license type (case-insensitive); repeatable; requires N or none`,
  },
  "purchase show": {
    positionals: ["CODE"],
    options: jsonOnly,
    summary: "Show a purchase with its author, item, state and sites.",
    help: `The code is normalized as in the API: surrounding whitespace, invisible characters, the kind of dash
and case do not matter.`,
  },
} as const satisfies CommandDefinitions

export const webhooks = {
  "webhook create": {
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
  "webhook list": {
    positionals: ["[USERNAME]"],
    options: { operator: flag, json: flag },
    summary: "List webhooks.",
    help: `Without USERNAME, the command lists the webhooks of all authors and of the operators.

  --operator  list only the operators' webhooks`,
  },
  "webhook remove": {
    positionals: ["ENDPOINT_ID"],
    options: jsonOnly,
    summary: "Delete a webhook and its pending messages.",
  },
} as const satisfies CommandDefinitions
