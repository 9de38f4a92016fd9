import { placeDays, sitesMax } from "../../domain/catalogue/sites.ts"
import { type Declarations, flag, jsonOnly } from "../frame/command.ts"

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
    summary: "print a link by which an author chooses a password",
    help: `A link works once, for seven days. It starts with PAZAR_PUBLIC_URL, or without it with the address of
the server that runs on this machine, else of HOST and PORT, with a warning.

--all invites every account that is not suspended, and with --without-password only those that have no
password yet. Links that were made before work until a password is chosen. With --json each line is one object
with username, email (if the account has one), url and expires_at, written as the links are made.`,
  },
  secondFactor: {
    name: "account second-factor",
    positionals: ["USERNAME"],
    options: { remove: flag, json: flag },
    summary: "show whether an author signs in with a second factor, or remove it",
    help: `An author turns it on in the workspace: Settings, Security. --remove is for one who lost phone and recovery
codes: the password or a sign-in link is then enough. The audit records it.`,
  },
  suspend: {
    name: "account suspend",
    positionals: ["USERNAME"],
    options: jsonOnly,
    summary: "refuse an account's keys and sign-ins until it is resumed",
    help: `Within a second, every working key of the account is answered with 403 and the reason account_suspended,
and its sessions end. Nothing is deleted.

It stays suspended whatever a feed says, until \`account resume\`. A feed can suspend an account, too:
"suspended":true does, false takes that back, and a line without the member changes neither.`,
  },
  resume: {
    name: "account resume",
    positionals: ["USERNAME"],
    options: jsonOnly,
    summary: "end the suspension of an account",
    help: `Its keys work again within a second, and its author can sign in. A suspension by a feed ends, too, until a
feed says "suspended":true again.`,
  },
} as const satisfies Declarations

export const items = {
  itemShow: {
    name: "item show",
    positionals: ["ID"],
    options: jsonOnly,
    summary: "show one item: whose, whether it is hidden, and how often it was sold",
  },
  itemLimit: {
    name: "item limit",
    positionals: ["ID", "[none|N]"],
    options: { license: { type: "string", value: "NAME=N", multiple: true }, json: flag },
    summary: "limit on how many sites each purchase of an item may be used",
    help: `N is a number of sites from 1 to ${sitesMax}; none takes the limit away. --license sets another number for purchases of
one license type (upper and lower case are the same), and may be repeated. Without N the limit is shown, and with
--license it is an error.

A new site beyond the limit is answered with 404 and the reason site_limit. Sites that were let in stay in, but one that
was not seen for ${placeDays} days loses its place. Sites for testing use no place.`,
  },
  purchaseShow: {
    name: "purchase show",
    positionals: ["CODE"],
    options: jsonOnly,
    summary: "show one purchase: whose, of which item, its state, its sites",
    help: `The code is read as the API reads it: blanks around it, invisible characters and odd dashes do not matter, and
the case of letters only where two codes differ in it alone.`,
  },
} as const satisfies Declarations
