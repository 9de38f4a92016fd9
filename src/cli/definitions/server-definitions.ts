import { type CommandDefinition, flag, jsonOnly } from "../framework/command.ts"

export const serve = {
  name: "serve",
  removedOptions: {
    replace:
      "run two instances behind a proxy and restart one after the other; see docs/upgrading.md",
    background: "use systemd or a container",
    "pid-file": "systemd keeps track of the process",
  },
  summary: "Run the server.",
  help: `Environment variables configure the server; docs/settings.md lists them. On SIGTERM, /readyz returns
503. The server accepts requests for five more seconds, completes those in flight and exits. SIGINT
(Ctrl+C) skips the five seconds.`,
} as const satisfies CommandDefinition

export const demo = {
  name: "demo",
  summary: "Run the server with a sample marketplace.",
  help: `The database is in data/demo and keeps its changes. Delete the folder to start over. HOST and PORT
set the listen address. DATABASE_URL=postgres://… and a master key select an empty PostgreSQL database
instead.`,
} as const satisfies CommandDefinition

export const migrate = {
  name: "migrate",
  options: jsonOnly,
  summary: "Create the database, or upgrade it to this version.",
  help: `\`serve\` does not migrate. Stop all servers first if the changelog says so. A migration is one
transaction: after an interruption, run it again. On SQLite, the command first copies the database to
a file such as pazar.db.before-34. On PostgreSQL, make a backup yourself. Upgrade a database older than
0.12.3 with version 0.12.3 first.

  --json  print {"created","from","to","copy"}`,
} as const satisfies CommandDefinition

export const backup = {
  name: "backup",
  positionals: ["FILE"],
  options: { overwrite: flag, json: flag },
  summary: "Back up a SQLite database while servers run.",
  help: `The file is renamed into place after it has been verified. Only its owner can read it. A backup does
not contain the master key: store a copy of the key elsewhere. For PostgreSQL, the command prints what
to run instead.

  --overwrite  replace an existing file when the new backup is complete
  --json       print {"file","bytes","seconds","accounts","items","purchases"}`,
} as const satisfies CommandDefinition

export const restore = {
  name: "restore",
  positionals: ["FILE"],
  options: { force: flag, json: flag },
  summary: "Restore a backup of a SQLite database.",
  help: `Stop every pazar process first. The command rejects a database in use, a damaged backup, and a backup
made with another master key. It keeps the replaced database in a file such as
pazar.db.before-restore-20260131T140000Z. All sessions, invitations and sign-in links become invalid.
Keys and passwords are restored from the backup: a key that was revoked since then is valid again. For
PostgreSQL, the command prints what to run instead.

  --force  also replace a database that has newer data or is damaged, and restore a backup made
           after \`pazar move\` closed its database
  --json   print {"file","kept","version","needed","seconds","accounts","items","purchases"}`,
} as const satisfies CommandDefinition

export const move = {
  name: "move",
  options: { to: { type: "string", value: "URL" }, cancel: flag, json: flag },
  summary: "Move the database from SQLite to PostgreSQL, or back.",
  help: `URL is postgres://… or sqlite:PATH, the other engine than DATABASE_URL. The target is an empty
database, a file that does not exist, or a database that has not been used since \`pazar migrate\`.

The command makes the old database read-only: pushes and sign-ins return 503, validations continue. It
copies, counts and compares every table, and prints the settings to change. The old database stays
read-only. After an interruption, run the command again: it starts over.

  --to URL   required without --cancel: the new database; - reads the URL from standard input, so
             that the password does not appear in the process list
  --cancel   make the database of DATABASE_URL writable again
  --json     print {"from","to","accounts","items","purchases","seconds"}`,
} as const satisfies CommandDefinition

export const doctor = {
  name: "doctor",
  options: {
    quick: flag,
    backups: { type: "string", value: "FOLDER" },
    full: flag,
    json: flag,
  },
  summary: "Show the state of the database and the server, and check for problems.",
  help: `Run the command as the server's user, with the server's settings. It changes nothing and prints no
secrets.

  --quick           run only checks that take less than a second, for scripts and health checks
  --backups FOLDER  also check that the newest backup in FOLDER is recent and can be restored with
                    this master key
  --full            also compare every index of a SQLite database with its rows; takes several
                    times as long
  --json            print one object: the facts, "problems", "warnings" and "checks"

Exit status:
  0  no problems; warnings are not problems
  1  problems
  2  the database is missing, moved, older, newer or unreachable`,
} as const satisfies CommandDefinition

export const version = {
  name: "version",
  options: jsonOnly,
  summary: "Print the version.",
  help: `  --json  print {"version","build","bun","platform"}; build is "executable" or "package"`,
} as const satisfies CommandDefinition
