import { type CommandDefinition, flag } from "../framework/command.ts"

export const feedOptions = {
  strict: flag,
  "dry-run": flag,
  timezone: { type: "string", value: "ZONE" },
  "as-of": { type: "string", value: "TIME" },
  full: flag,
  "max-deletes": { type: "string", value: "N" },
  "max-revokes": { type: "string", value: "N" },
  report: { type: "string", value: "FILE" },
  "max-refused": { type: "string", value: "N" },
  quiet: flag,
} as const

const formerFeedOptions = {
  defaults:
    "fields that a record lacks get built-in defaults; write COALESCE in the SELECTs of a pull",
  rejects: "--report FILE has every rejected line in `record`",
} as const

const feedOptionsHelp = `  --strict        check the whole feed first; write it only if no line is refused
  --dry-run       check every line, keep nothing
  --timezone ZONE read times without a zone there, as in Europe/Istanbul or +03:00
  --as-of TIME    when the source was read: newer states in the store stay
  --full          the feed is everything: remove the rest; a file ends with its end line
  --max-deletes N stop before more than N records of a type are deleted; N is a number or,
                  as in 5%, a share of those in the database. Default: 1%, but at least 20
  --max-revokes N the same for purchases that are revoked
  --report FILE   write every rejected line there with its problems, as NDJSON
  --max-refused N exit with 0 if at most N lines are refused; N is a number or, as in 0.5%,
                  a share of all lines
  --quiet         tell no webhook of its purchases`

export const importFeed = {
  name: "import",
  positionals: ["FILE|-"],
  options: feedOptions,
  removedOptions: {
    ...formerFeedOptions,
    "overwrite-passwords":
      "feeds contain no passwords; `pazar move` copies them to another database",
  },
  summary: "load accounts, items and purchases from a feed",
  help: `A feed is newline-delimited JSON; docs/shop-data.md describes it. - reads standard input.

${feedOptionsHelp}

Refused lines are explained on standard error; the summary is one line of JSON on standard
output. Exit status: 0 none refused, or no more than --max-refused allows; 1 more refused, stopped
by --max-deletes or --max-revokes, or --full may not remove the rest; 2 could not run. After an
interruption, importing again completes it.`,
} as const satisfies CommandDefinition

export const pull = {
  name: "pull",
  positionals: ["FILE.json"],
  options: {
    since: { type: "string", value: "TIME" },
    every: { type: "string", value: "30s" },
    ...feedOptions,
  },
  removedOptions: formerFeedOptions,
  summary: "load accounts, items and purchases from the shop's own database",
  help: `FILE.json names a MySQL, MariaDB, PostgreSQL or SQLite database and the SELECTs to run there;
docs/shop-data.md describes it. The rows are imported as the lines of a feed are.

  --since TIME    the value of :since in the SELECTs, instead of the last successful pull
  --every 30s     pull again and again, with this pause (30s, 5m, 1h), until it is stopped
${feedOptionsHelp}

A dry run names the members without a column and shows the first record of each kind. Refused
rows are explained on standard error; the summary is one line of JSON on standard output. Exit
status: 0 none refused, or no more than --max-refused allows; 1 more refused, stopped by --max-deletes
or --max-revokes, or --full may not remove the rest; 2 could not run. After an interruption, pulling
again completes it.`,
} as const satisfies CommandDefinition

export const exportStore = {
  name: "export",
  positionals: ["[FILE|-]"],
  removedOptions: {
    "with-keys": "`pazar move` copies keys and passwords to another database",
  },
  summary: "write all accounts, items and purchases as a feed",
  help: `Without FILE, or with -, the feed goes to standard output. A file appears when it is
complete. The same data always gives the same bytes. Nothing else is in it, such as API keys, passwords, sites
or webhooks: \`pazar move\` takes them to another store, \`pazar backup\` keeps them.`,
} as const satisfies CommandDefinition

export const imports = {
  name: "imports",
  positionals: ["[ID]"],
  options: { limit: { type: "string", value: "N", default: "20" }, json: flag },
  summary: "list the latest imports, pulls and pushes, or explain one",
  help: `  --limit   how many, the newest first; 20 unless said otherwise

With an ID from the list, it says what was refused and why. An import without a result failed, was
interrupted, or still runs. Records that wait for an account or item which is not there are told after
the list. At least the last 1,000 files, 1,000 pulls and 1,000 pushes are kept.`,
} as const satisfies CommandDefinition
