import { placeDays, sitesMax } from "../../domain/catalogue/sites.ts"
import { type CommandDefinitions, flag, jsonOnly } from "../framework/command.ts"

export const accounts = {
  list: {
    name: "account list",
    options: jsonOnly,
    summary: "list the accounts",
  },
  show: {
    name: "account show",
    positionals: ["USERNAME"],
    options: jsonOnly,
    summary: "show one account",
  },
  password: {
    name: "account password",
    positionals: ["USERNAME"],
    summary: "set an account's password, read from standard input",
    help: `The password is the first line of standard input, so that no list of processes shows it:

  printf '%s' "$PASSWORD" | pazar account password USERNAME

It has 12 to 256 characters, is not the name, and not among the 10,000 most common passwords.
All sessions and links of the account end.`,
  },
  invite: {
    name: "account invite",
    positionals: ["[USERNAME]"],
    options: { all: flag, "without-password": flag, json: flag },
    summary: "print a link with which an author sets a password",
    help: `A link is valid once, for seven days. It begins with PAZAR_PUBLIC_URL, else with the URL of the server on this
machine, else with HOST and PORT, with a warning. Earlier links stay valid until a password is set.

  --all               invite every account that is not suspended
  --without-password  with --all: only accounts without a password
  --json              print one object per line: username, email (if there is one), url and expires_at`,
  },
  secondFactor: {
    name: "account second-factor",
    positionals: ["USERNAME"],
    options: { remove: flag, json: flag },
    summary: "show whether an author uses two-factor authentication, or remove it",
    help: `Authors enable it in the workspace: Settings, Security.

  --remove  for an author who lost phone and recovery codes; recorded in the audit`,
  },
  suspend: {
    name: "account suspend",
    positionals: ["USERNAME"],
    options: jsonOnly,
    summary: "reject an account's keys and sign-ins until it is resumed",
    help: `Within a second, requests with its keys get 403 account_suspended, and its sessions end. Nothing is deleted.
This operator override wins over the feed until \`account resume\`.`,
  },
  resume: {
    name: "account resume",
    positionals: ["USERNAME"],
    options: jsonOnly,
    summary: "end the suspension of an account",
    help: `Its keys work again within a second. A suspension by the feed ends, too, until the feed sends
"suspended":true again.`,
  },
} as const satisfies CommandDefinitions

export const items = {
  itemShow: {
    name: "item show",
    positionals: ["ID"],
    options: jsonOnly,
    summary: "show one item with its author, state and number of purchases",
  },
  itemLimit: {
    name: "item limit",
    positionals: ["ID", "[none|N]"],
    options: { license: { type: "string", value: "NAME=N", multiple: true }, json: flag },
    summary: "show or set the site limit of an item",
    help: `N is the number of sites per purchase, from 1 to ${sitesMax}; none removes the limit. Without N the limit is shown.
A new site beyond the limit gets 404 site_limit. A site that was not seen for ${placeDays} days loses its slot. Test sites use none.

  --license NAME=N  another number for one license type (case-insensitive); can be repeated; needs N or none`,
  },
  purchaseShow: {
    name: "purchase show",
    positionals: ["CODE"],
    options: jsonOnly,
    summary: "show one purchase with its author, item, state and sites",
    help: `The code is normalized as by the API: whitespace, invisible characters, dashes and case do not matter.`,
  },
} as const satisfies CommandDefinitions
