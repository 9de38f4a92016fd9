import { siteLimitMax, slotDays } from "../../domain/catalog/site.ts"
import { type CommandDefinitions, flag, jsonOnly } from "../framework/command.ts"

export const accounts = {
  list: {
    name: "account list",
    options: jsonOnly,
    summary: "List accounts.",
  },
  show: {
    name: "account show",
    positionals: ["USERNAME"],
    options: jsonOnly,
    summary: "Show an account.",
  },
  password: {
    name: "account password",
    positionals: ["USERNAME"],
    summary: "Set an account's password from standard input.",
    help: `The command reads the password from the first line of standard input, so that it does not appear
in the process list:

  printf '%s' "$PASSWORD" | pazar account password USERNAME

A password has 12 to 256 characters. The username, the e-mail address and the 10,000 most common
passwords are rejected. All sessions, invitations and sign-in links of the account become invalid.`,
  },
  invite: {
    name: "account invite",
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
  secondFactor: {
    name: "account second-factor",
    positionals: ["USERNAME"],
    options: { remove: flag, json: flag },
    summary: "Show or remove an author's two-factor authentication.",
    help: `Authors enable two-factor authentication in the workspace, under Settings, Security.

  --remove  disable it, for an author who lost the phone and the recovery codes; audited`,
  },
  suspend: {
    name: "account suspend",
    positionals: ["USERNAME"],
    options: { reason: { type: "string", value: "TEXT" }, json: flag },
    summary: "Suspend an account: reject its API keys and sign-ins.",
    help: `Within a second, requests with its keys return 403 account_suspended, and its sessions end. Nothing
is deleted. This operator override takes precedence over the feed until \`account resume\`.

  --reason TEXT  shown in the console and the audit log, not to the author`,
  },
  resume: {
    name: "account resume",
    positionals: ["USERNAME"],
    options: jsonOnly,
    summary: "Resume a suspended account.",
    help: `Its keys are valid again within a second. The command also ends a suspension by the feed, until the
feed sends "suspended":true again.`,
  },
} as const satisfies CommandDefinitions

export const items = {
  itemShow: {
    name: "item show",
    positionals: ["ID"],
    options: jsonOnly,
    summary: "Show an item with its author, state and number of purchases.",
  },
  itemLimit: {
    name: "item limit",
    positionals: ["ID", "[none|N]"],
    options: { license: { type: "string", value: "NAME=N", multiple: true }, json: flag },
    summary: "Show or set the site limit of an item.",
    help: `N is the number of sites per purchase, from 1 to ${siteLimitMax}. \`none\` removes the limit. Without either, the
command shows the limit. A new site beyond the limit gets 404 site_limit. A site that has not been
seen for ${slotDays} days loses its slot. Test sites do not use a slot.

  --license NAME=N  limit for one license type (case-insensitive); repeatable; requires N or none`,
  },
  purchaseShow: {
    name: "purchase show",
    positionals: ["CODE"],
    options: jsonOnly,
    summary: "Show a purchase with its author, item, state and sites.",
    help: `The code is normalized as in the API: surrounding whitespace, invisible characters, the kind of dash
and case do not matter.`,
  },
} as const satisfies CommandDefinitions
