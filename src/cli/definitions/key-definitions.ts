import {
  type CommandDefinition,
  type CommandDefinitions,
  flag,
  jsonOnly,
  overlapOption,
} from "../framework/command.ts"

export const keys = {
  create: {
    name: "key create",
    positionals: ["USERNAME"],
    options: {
      kind: { type: "string", value: "sk|vk|tk", default: "sk" },
      name: { type: "string", value: "NAME" },
      items: { type: "string", value: "1,2" },
      "requires-site": flag,
      expires: { type: "string", value: "TIME" },
      json: flag,
    },
    summary: "create an API key and print it",
    help: `  --kind           sk: all operations (the default)
                   vk: validates purchases and releases sites, safe to ship inside a product
                   tk: all operations on test data
  --name           a name for the key
  --items          vk only: the items it is valid for; without it, all of the account
  --requires-site  vk only: reject validations without a site
  --expires        an ISO 8601 time with a zone, as in 2027-01-01T00:00:00Z`,
  },
  list: {
    name: "key list",
    positionals: ["[USERNAME]"],
    options: { all: flag, json: flag },
    summary: "list the keys of an account, or of all, masked",
    help: `  --all   the keys of every account

LAST USED is a few seconds behind a running server. All keys of a suspended account are rejected, whatever their STATE.`,
  },
  find: {
    name: "key find",
    options: jsonOnly,
    summary: "find the account of a key, read from standard input",
    help: `The key is in the first line of standard input, alone or in a line of a program:

  printf '%s' "$KEY" | pazar key find

The key is neither printed nor stored.`,
  },
  revoke: {
    name: "key revoke",
    positionals: ["KEY_ID"],
    summary: "revoke a key permanently",
    help: "Running servers reject the key within a second. `pazar key list USERNAME` lists the ids.",
  },
  rotate: {
    name: "key rotate",
    positionals: ["KEY_ID"],
    options: { overlap: overlapOption, json: flag },
    summary: "rotate a key and print the new one",
    help: `The new key has the same name, rights and expiry. The old key stays valid for the overlap period (default 1d; 0 revokes
it immediately), but not past its own expiry.`,
  },
} as const satisfies CommandDefinitions

export const signingKeys = {
  list: {
    name: "signing-key list",
    options: jsonOnly,
    summary: "list the keys that sign responses, as they are published",
    help: `The current key signs. Products pin it and the next one, which takes its place at the next rotation.
Retired keys stay published: a product that pins one can follow its endorsement to the current key.`,
  },
  rotate: {
    name: "signing-key rotate",
    options: { compromised: { type: "string", value: "=KEY_ID" }, json: flag },
    summary: "sign responses with the next key from now on",
    help: `The next key becomes the current one and endorses a new next key. The old key is retired and stays published.

  --compromised=KEY_ID  remove this key now, with its endorsements. If it was the current key, the next key replaces it.
                        Products that pin the removed key accept its signatures until they are updated. The = is
                        required: an id may begin with a dash.`,
  },
} as const satisfies CommandDefinitions

export const masterKeyReseal = {
  name: "master-key reseal",
  options: jsonOnly,
  summary: "re-encrypt everything after the master key was changed, also while servers run",
  help: `Set the new key as PAZAR_MASTER_KEY_FILE and the old one as PAZAR_MASTER_KEY_PREVIOUS_FILE, and restart all
servers first. After an interruption, run it again. At the end remove the previous key from the settings.
Backups from before can be restored only with the old key.

  --json  print {"rows","seconds"}`,
} as const satisfies CommandDefinition
