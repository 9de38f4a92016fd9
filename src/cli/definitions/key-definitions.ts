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
  list: {
    name: "key list",
    positionals: ["[USERNAME]"],
    options: { all: flag, json: flag },
    summary: "List API keys, masked.",
    help: `  --all  list the keys of all accounts

LAST USED lags a few seconds behind a running server. All keys of a suspended account are rejected,
whatever their STATE.`,
  },
  find: {
    name: "key find",
    options: jsonOnly,
    summary: "Find the account of an API key from standard input.",
    help: `The command reads the first line of standard input, which contains the key alone or within a line of
code:

  printf '%s' "$KEY" | pazar key find

The key is neither printed nor stored.`,
  },
  revoke: {
    name: "key revoke",
    positionals: ["KEY_ID"],
    summary: "Revoke an API key permanently.",
    help: "Running servers reject the key within a second. `pazar key list USERNAME` prints the ids.",
  },
  rotate: {
    name: "key rotate",
    positionals: ["KEY_ID"],
    options: { overlap: overlapOption, json: flag },
    summary: "Rotate an API key and print the new one.",
    help: `The new key has the same name, permissions and expiry. The old key stays valid for the overlap
period, but not past its own expiry.

  --overlap 0|1h|1d|7d  overlap period. Default: 1d; 0 revokes the old key immediately`,
  },
} as const satisfies CommandDefinitions

export const signingKeys = {
  list: {
    name: "signing-key list",
    options: jsonOnly,
    summary: "List the published keys that sign responses.",
    help: `The current key signs responses. Products pin the current key and the next key, which replaces it at
the next rotation. Retired keys stay published, so that a product that pins one can follow its
endorsement.`,
  },
  rotate: {
    name: "signing-key rotate",
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

export const masterKeyReseal = {
  name: "master-key reseal",
  options: jsonOnly,
  summary: "Re-encrypt the database with a new master key.",
  help: `Servers can keep running. First set PAZAR_MASTER_KEY_FILE to the new key and
PAZAR_MASTER_KEY_PREVIOUS_FILE to the old key, and restart all servers. After an interruption, run the
command again. At the end, remove the previous key from the settings. Earlier backups can be restored
only with the old key.

  --json  print {"rows","seconds"}`,
} as const satisfies CommandDefinition
