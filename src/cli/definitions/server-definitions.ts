import { type CommandDefinition, flag, jsonOnly } from "../framework/command.ts"

export const serve = {
  name: "serve",
  removedOptions: {
    replace:
      "run two instances behind a proxy and restart one after the other; see docs/upgrading.md",
    background: "use systemd or a container",
    "pid-file": "systemd keeps track of the process",
  },
  summary: "run the server until it is stopped",
  help: `Configured by environment variables; docs/settings.md lists them all. On SIGTERM, /readyz returns 503,
the server accepts requests for five more seconds, finishes those in flight and exits. SIGINT (Ctrl+C) skips the five
seconds.`,
} as const satisfies CommandDefinition

export const demo = {
  name: "demo",
  summary: "run the server on a sample marketplace",
  help: `The sample is in data/demo and keeps its changes; delete the folder to start again.
With DATABASE_URL=postgres://… and a master key it is in that database, which must be empty.
HOST and PORT choose where to listen.`,
} as const satisfies CommandDefinition

export const migrate = {
  name: "migrate",
  options: jsonOnly,
  summary: "create the database, or upgrade it to this version",
  help: `\`serve\` never does this. Stop servers before it if the changelog says so. If it is interrupted, nothing has
changed: run it again. An embedded database is first copied to a file beside it, as in pazar.db.before-34; for
PostgreSQL, make a backup yourself. A database of a version before 0.12.3 is upgraded with 0.12.3 first.

  --json  print {"created","from","to","copy"} on standard output`,
} as const satisfies CommandDefinition

export const backup = {
  name: "backup",
  positionals: ["FILE"],
  options: { overwrite: flag, json: flag },
  summary: "back up an embedded database, also while a server uses it",
  help: `The file is renamed into place after it has been verified. Only its owner can read it. It does not contain the master
key: keep a copy of that elsewhere. For PostgreSQL the command prints what to run instead.

  --overwrite  replace a file of this name, once the new one is complete
  --json       print {"file","bytes","seconds","accounts","items","purchases"}`,
} as const satisfies CommandDefinition

export const restore = {
  name: "restore",
  positionals: ["FILE"],
  options: { force: flag, json: flag },
  summary: "restore a backup of an embedded database",
  help: `Stop every pazar first. A database in use, a damaged backup and one of another master key are rejected. The replaced
database is kept beside the new one, as in pazar.db.before-restore-20260131T140000Z. All sessions and links end. Keys and
passwords are those of the backup: a key that was revoked since then works again. For PostgreSQL the command prints
what to run instead.

  --force  also replace a database that has newer data or is damaged, and restore a backup that was made after
           \`pazar move\` closed its database
  --json   print {"file","kept","version","needed","seconds","accounts","items","purchases"}`,
} as const satisfies CommandDefinition

export const move = {
  name: "move",
  options: { to: { type: "string", value: "URL" }, cancel: flag, json: flag },
  summary: "move the database from SQLite to PostgreSQL, or back",
  help: `URL is postgres://… or sqlite:PATH, of the other kind than DATABASE_URL: an empty database, a file that is
missing, or a database that nobody has used since \`pazar migrate\`. --to - reads the URL from standard input, so
that no password is in the list of processes. The database is closed for writes first: pushes and sign-ins get 503,
validations go on. Then every table is copied, counted and compared, and the settings to change are printed. The old
database stays closed. After an interruption run it again: it copies everything again.

  --to URL   the new database; required, unless --cancel is given
  --cancel   reopen the database of DATABASE_URL for writes
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
  summary: "print the state of database and server, and check for problems",
  help: `Run it with the settings and as the user of the server. It changes nothing and prints no secrets. Exit status: 0 no
problems (warnings are not problems), 1 problems, 2 the database is missing, moved, older, newer or unreachable.

  --quick           only the checks that take less than a second, for scripts and health checks
  --backups FOLDER  also check that the newest backup in this folder is recent and can be restored with this
                    master key
  --full            also compare every index of an embedded database with its rows, which takes several times as long
  --json            print one object: the facts, "problems", "warnings" and "checks"`,
} as const satisfies CommandDefinition

export const version = {
  name: "version",
  options: jsonOnly,
  summary: "print the version",
  help: `  --json  print {"version","build","bun","platform"}; build is "executable" or "package"`,
} as const satisfies CommandDefinition
