import { type CommandDefinitions, flag } from "../framework/command.ts"

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

const feedOptionsHelp = `  --strict         validate the whole feed first; import nothing if a line is rejected
  --dry-run        run the import without changing anything
  --timezone ZONE  time zone of timestamps without one, such as Europe/Istanbul or +03:00
  --as-of TIME     when the source was read; newer data in the database is kept
  --full           treat the feed as a complete snapshot: delete records it does not contain; a
                   file must end with an end line
  --max-deletes N  delete nothing if it would be more than N records of a type; a number, or a
                   percentage of the records in the database. Default: 1%, at least 20, at most 100
  --max-revokes N  the same limit for revoked purchases
  --report FILE    write every rejected line with its problems to FILE, as NDJSON
  --max-refused N  exit with status 0 if at most N lines are rejected; a number, or a percentage
                   of all lines
  --quiet          do not trigger purchase webhooks`

const feedResultHelp = `Rejected lines are reported on standard error. The summary is one line of JSON on standard output.
After an interruption, run the command again to complete the import.

Exit status:
  0  no line was rejected, or at most --max-refused
  1  more lines were rejected, --max-deletes or --max-revokes stopped the import, or --full could
     not delete the other records
  2  the command could not run`

export const imports = {
  import: {
    positionals: ["FILE|-"],
    options: feedOptions,
    summary: "Import accounts, items and purchases from a file.",
    help: `FILE is newline-delimited JSON, described in docs/shop-data.md. - reads standard input.

${feedOptionsHelp}

${feedResultHelp}`,
  },
  imports: {
    positionals: ["[ID]"],
    options: { limit: { type: "string", value: "N", default: "20" }, json: flag },
    summary: "List recent imports, pulls and pushes, or show one.",
    help: `  --limit N  number of rows, newest first. Default: 20

For an ID, the command prints why lines were rejected. An import without a result failed, was
interrupted, or is still running. Pending records follow the list: they refer to an account or item
that does not exist yet. Pazar keeps at least the last 1,000 imports, 1,000 pulls and 1,000 pushes.`,
  },
} as const satisfies CommandDefinitions

export const pull = {
  pull: {
    positionals: ["FILE.json"],
    options: {
      since: { type: "string", value: "TIME" },
      every: { type: "string", value: "30s" },
      ...feedOptions,
    },
    summary: "Import accounts, items and purchases from the shop's own database.",
    help: `FILE.json contains the connection to a MySQL, MariaDB, PostgreSQL or SQLite database and the SELECT
statements to run. docs/shop-data.md describes it. Each row is imported as a record of a feed.

  --since TIME     value of :since in the SELECTs. Default: the last successful pull
  --every 30s      repeat with this pause (30s, 5m, 1h) until stopped
${feedOptionsHelp}

A dry run lists fields without a column and prints the first record of each type.
${feedResultHelp}`,
  },
} as const satisfies CommandDefinitions

export const exportStore = {
  export: {
    positionals: ["[FILE|-]"],
    summary: "Export all accounts, items and purchases to a file.",
    help: `Without FILE, or with -, the export is written to standard output. A file is renamed into place when
it is complete. The same data always produces the same bytes. An export does not contain API keys,
passwords, sites or webhooks. \`pazar backup\` and \`pazar move\` copy these.`,
  },
} as const satisfies CommandDefinitions
