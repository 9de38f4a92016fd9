import { type CommandDefinitions, flag, jsonOnly, overlapOption } from "../framework/command.ts"

export const serve = {
  serve: {
    summary: "Run the server.",
    help: `Environment variables configure the server; docs/settings.md lists them. On SIGTERM, /readyz returns
503. The server accepts requests for five more seconds, completes those in flight and exits. SIGINT
(Ctrl+C) skips the five seconds.`,
  },
} as const satisfies CommandDefinitions

export const demo = {
  demo: {
    summary: "Run the server with a sample marketplace.",
    help: `The database is in data/demo and keeps its changes. Delete the folder to start over. HOST and PORT
set the listen address. DATABASE_URL=postgres://… and a master key select an empty PostgreSQL database
instead.`,
  },
} as const satisfies CommandDefinitions

export const doctor = {
  doctor: {
    options: {
      quick: flag,
      backups: { type: "string", value: "FOLDER" },
      outside: { type: "string", value: "URL" },
      full: flag,
      json: flag,
    },
    summary: "Show the state of the database and the server, and check for problems.",
    help: `Run the command as the server's user, with the server's settings. It changes nothing and prints no
secrets.

  --quick           run only checks that take less than a second, for scripts and health checks
  --backups FOLDER  also check that the newest backup in FOLDER is recent and can be restored with
                    this master key
  --outside URL     also check the public address as products and strangers see it: certificate, TLS
                    versions, PAZAR_TRUSTED_PROXIES, that /operator and /metrics are closed, and
                    that responses arrive unchanged
  --full            also compare every index of a SQLite database with its rows; takes several
                    times as long
  --json            print one object: the facts, "problems", "warnings" and "checks"

Exit status:
  0  no problems; warnings are not problems
  1  problems
  2  the database is missing, moved, older, newer or unreachable`,
  },
} as const satisfies CommandDefinitions

export const version = {
  version: {
    options: jsonOnly,
    summary: "Print the version.",
    help: `  --json  print {"version","build","bun","platform"}; build is "executable" or "package"`,
  },
} as const satisfies CommandDefinitions

export const database = {
  "master-key reseal": {
    options: jsonOnly,
    summary: "Re-encrypt the database with a new master key.",
    help: `Servers can keep running. First set PAZAR_MASTER_KEY_FILE to the new key and
PAZAR_MASTER_KEY_PREVIOUS_FILE to the old key, and restart all servers. After an interruption, run the
command again. At the end, remove the previous key from the settings. Earlier backups can be restored
only with the old key.

  --json  print {"rows","seconds"}`,
  },
  migrate: {
    options: jsonOnly,
    summary: "Create the database, or upgrade it to this version.",
    help: `\`serve\` does not migrate. Stop all servers first if the changelog says so. A migration is one
transaction: after an interruption, run it again. On SQLite, the command first copies the database to
a file such as pazar.db.before-34. On PostgreSQL, make a backup yourself. Upgrade a database older than
0.12.3 with version 0.12.3 first.

  --json  print {"created","from","to","copy"}`,
  },
  backup: {
    positionals: ["FILE"],
    options: { overwrite: flag, json: flag },
    summary: "Back up a SQLite database while servers run.",
    help: `The file is renamed into place after it has been verified. Only its owner can read it. A backup does
not contain the master key: store a copy of the key elsewhere. For PostgreSQL, the command prints what
to run instead.

  --overwrite  replace an existing file when the new backup is complete
  --json       print {"file","bytes","seconds","accounts","items","purchases"}`,
  },
  restore: {
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
  },
  move: {
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
  },
} as const satisfies CommandDefinitions

export const operators = {
  "operator create": {
    positionals: ["NAME"],
    options: {
      role: { type: "string", value: "admin|support|viewer", default: "admin" },
      email: { type: "string", value: "ADDRESS" },
      link: flag,
      json: flag,
    },
    summary: "Create a console operator.",
    help: `The command reads the password from the first line of standard input, so that it does not appear
in the process list:

  printf '%s' "$PASSWORD" | pazar operator create NAME

A password has 12 to 256 characters. The operator's name and the 10,000 most common passwords are
rejected. The console is at /console, which returns 404 until an operator exists.

  --role admin|support|viewer
                   admin: everything. support: read, invite authors, release sites, redeliver
                   webhooks. viewer: read only. Default: admin
  --email ADDRESS  for password resets and alerts (PAZAR_SMTP_URL)
  --link           print a link to set the password instead; valid for seven days, can be used once
  --json           print {"name"}, and with --link also "url" and "expires_at"`,
  },
  "operator list": { options: jsonOnly, summary: "List console operators." },
  "operator password": {
    positionals: ["NAME"],
    options: { link: flag, "remove-totp": flag, json: flag },
    summary: "Set an operator's password from standard input.",
    help: `The rules of \`operator create\` apply. A new password ends all sessions of the operator.

  --link         print a link to set the password instead. The old password stays valid until then
  --remove-totp  also disable two-factor authentication, for an operator who lost the phone and the
                 recovery codes. Together with --link, it ends the old password and all sessions
  --json         print {"name"}, and with --link also "url" and "expires_at"`,
  },
  "operator role": {
    positionals: ["NAME", "ROLE"],
    options: jsonOnly,
    summary: "Change the role of an operator.",
    help: `Roles: admin, support, viewer. The role applies from the operator's next request. The last admin keeps
the role.`,
  },
  "operator remove": {
    positionals: ["NAME"],
    options: jsonOnly,
    summary: "Delete an operator and end their sessions.",
    help: `The audit log keeps the operator's actions. The last admin cannot be deleted.`,
  },
  "token create": {
    positionals: ["NAME"],
    options: { may: { type: "string", value: "feed,links", isRequired: true }, json: flag },
    summary: "Create an operator token and print it.",
    help: `Programs send the token as Authorization: Bearer. It is printed once; the database stores its digest.
The audit log records the token's name. Without a token and without PAZAR_OPERATOR_TOKEN, /operator/*
returns 404.

  --may feed,links  required: permissions, separated by commas: feed (POST /operator/feed), links
                    (POST /operator/links), purchases (GET /operator/purchases)
  --json            print {"name","token","may","created_at"}`,
  },
  "token list": {
    options: jsonOnly,
    summary: "List operator tokens, without their secrets.",
    help: `OLD TOKEN UNTIL is the end of the overlap period after a rotation. PAZAR_OPERATOR_TOKEN is not listed.`,
  },
  "token rotate": {
    positionals: ["NAME"],
    options: { overlap: overlapOption, json: flag },
    summary: "Rotate an operator token and print the new one.",
    help: `The new token has the same name and permissions. The old token stays valid for the overlap period or
until the next rotation.

  --overlap 0|1h|1d|7d  overlap period. Default: 1d; 0 revokes the old token immediately`,
  },
  "token remove": {
    positionals: ["NAME"],
    options: jsonOnly,
    summary: "Delete an operator token.",
    help: "Every server rejects the token within a second. The audit log keeps its actions.",
  },
} as const satisfies CommandDefinitions
