import { type CommandDefinitions, flag, jsonOnly, overlapOption } from "../framework/command.ts"

export const operators = {
  create: {
    name: "operator create",
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
  list: {
    name: "operator list",
    options: jsonOnly,
    summary: "List console operators.",
  },
  password: {
    name: "operator password",
    positionals: ["NAME"],
    options: { link: flag, "remove-totp": flag, json: flag },
    summary: "Set an operator's password from standard input.",
    help: `The rules of \`operator create\` apply. A new password ends all sessions of the operator.

  --link         print a link to set the password instead. The old password stays valid until then
  --remove-totp  also disable two-factor authentication, for an operator who lost the phone and the
                 recovery codes. Together with --link, it ends the old password and all sessions
  --json         print {"name"}, and with --link also "url" and "expires_at"`,
  },
  role: {
    name: "operator role",
    positionals: ["NAME", "ROLE"],
    options: jsonOnly,
    summary: "Change the role of an operator.",
    help: `Roles: admin, support, viewer. The role applies from the operator's next request. The last admin keeps
the role.`,
  },
  remove: {
    name: "operator remove",
    positionals: ["NAME"],
    options: jsonOnly,
    summary: "Delete an operator and end their sessions.",
    help: `The audit log keeps the operator's actions. The last admin cannot be deleted.`,
  },
} as const satisfies CommandDefinitions

export const tokens = {
  create: {
    name: "token create",
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
  list: {
    name: "token list",
    options: jsonOnly,
    summary: "List operator tokens, without their secrets.",
    help: `OLD TOKEN UNTIL is the end of the overlap period after a rotation. PAZAR_OPERATOR_TOKEN is not listed.`,
  },
  rotate: {
    name: "token rotate",
    positionals: ["NAME"],
    options: { overlap: overlapOption, json: flag },
    summary: "Rotate an operator token and print the new one.",
    help: `The new token has the same name and permissions. The old token stays valid for the overlap period or
until the next rotation.

  --overlap 0|1h|1d|7d  overlap period. Default: 1d; 0 revokes the old token immediately`,
  },
  remove: {
    name: "token remove",
    positionals: ["NAME"],
    options: jsonOnly,
    summary: "Delete an operator token.",
    help: "Every server rejects the token within a second. The audit log keeps its actions.",
  },
} as const satisfies CommandDefinitions
