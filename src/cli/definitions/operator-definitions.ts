import { type CommandDefinitions, flag, jsonOnly, overlapOption } from "../framework/command.ts"

export const operators = {
  create: {
    name: "operator create",
    positionals: ["NAME"],
    options: { link: flag, json: flag },
    summary: "create a console operator",
    help: `The password is the first line of standard input, so that no list of processes shows it:

  printf '%s' "$PASSWORD" | pazar operator create NAME

It has 12 to 256 characters, is not the name, and not among the 10,000 most common passwords. The console is at
/console; without an operator that path does not exist.

  --link  print a link with which the operator sets a password, once, within seven days
  --json  print {"name"}, and with --link also "url" and "expires_at"`,
  },
  list: {
    name: "operator list",
    options: jsonOnly,
    summary: "list the operators",
  },
  password: {
    name: "operator password",
    positionals: ["NAME"],
    options: { link: flag, "remove-totp": flag, json: flag },
    summary: "set an operator's password, read from standard input",
    help: `As for \`operator create\`. A new password ends every session of the operator.

  --link         print a link with which the operator sets a password. The old password is valid until then, but
                 with --remove-totp it ends immediately, and so do all sessions
  --remove-totp  also remove two-factor authentication, for an operator who lost phone and recovery codes
  --json         print {"name"}, and with --link also "url" and "expires_at"`,
  },
  remove: {
    name: "operator remove",
    positionals: ["NAME"],
    options: jsonOnly,
    summary: "remove an operator and end their sessions",
    help: `The audit keeps the operator's actions. Without operators the console does not exist.`,
  },
} as const satisfies CommandDefinitions

export const tokens = {
  create: {
    name: "token create",
    positionals: ["NAME"],
    options: { may: { type: "string", value: "feed,links", isRequired: true }, json: flag },
    summary: "create an operator token and print it",
    help: `Programs send it as Authorization: Bearer. It is printed once; the database stores its digest. The audit names it.
Without a token and without PAZAR_OPERATOR_TOKEN, /operator/* does not exist.

  --may   required: rights, separated by commas: feed (POST /operator/feed), links (POST /operator/links)
  --json  print {"name","token","may","created_at"}`,
  },
  list: {
    name: "token list",
    options: jsonOnly,
    summary: "list the operator tokens, without their secrets",
    help: `OLD ONE UNTIL is the end of the overlap period after a rotation. PAZAR_OPERATOR_TOKEN is not listed.`,
  },
  rotate: {
    name: "token rotate",
    positionals: ["NAME"],
    options: { overlap: overlapOption, json: flag },
    summary: "rotate an operator token and print the new one",
    help: `The new token has the same name and rights. The old one stays valid for the overlap period (default 1d; 0 revokes it
immediately), or until the next rotation.`,
  },
  remove: {
    name: "token remove",
    positionals: ["NAME"],
    options: jsonOnly,
    summary: "remove an operator token",
    help: "Every server rejects it within a second. The audit keeps its actions.",
  },
} as const satisfies CommandDefinitions
