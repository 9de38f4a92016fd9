import { type Declarations, flag, jsonOnly, overlapOption } from "../frame/command.ts"

export const operators = {
  create: {
    name: "operator create",
    positionals: ["NAME"],
    options: { link: flag, json: flag },
    summary: "make an operator, who signs in to the console",
    help: `The password is the first line of standard input, so that no list of processes shows it:

  printf '%s' "$PASSWORD" | pazar operator create NAME

It has 12 to 256 characters, is not the name, and not among the 10,000 most common passwords. The console is at
/console; without an operator that path does not exist.

  --link  read no password; print a link by which the operator chooses one, once, within seven days
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

  --link         read no password; print a link by which the operator chooses one. The old password works
                 until the link is used, but with --remove-totp it ends at once, and with it every session
  --remove-totp  also take the second factor away, for an operator who lost phone and recovery codes
  --json         print {"name"}, and with --link also "url" and "expires_at"`,
  },
  remove: {
    name: "operator remove",
    positionals: ["NAME"],
    options: jsonOnly,
    summary: "remove an operator and end their sessions",
    help: `The operator's actions stay in the audit. Without any operator the console does not exist.`,
  },
} as const satisfies Declarations

export const tokens = {
  create: {
    name: "token create",
    positionals: ["NAME"],
    options: { may: { type: "string", value: "feed,links", isRequired: true }, json: flag },
    summary: "make an operator token and print it",
    help: `A program of yours sends it as Authorization: Bearer. It is shown once; the store keeps its digest. The audit
names it with all that it does. Without any token and without PAZAR_OPERATOR_TOKEN the paths do not exist.

  --may   required: what it may do, with commas between: feed for POST /operator/feed, links for POST /operator/links
  --json  print {"name","token","may","created_at"}`,
  },
  list: {
    name: "token list",
    options: jsonOnly,
    summary: "list the operator tokens, without their secrets",
    help: `OLD ONE UNTIL: of a token that was replaced with an overlap. That of PAZAR_OPERATOR_TOKEN is not listed.`,
  },
  rotate: {
    name: "token rotate",
    positionals: ["NAME"],
    options: { overlap: overlapOption, json: flag },
    summary: "replace an operator token and print the new one",
    help: `The new token has the old one's name and rights. The old one goes on working for the overlap (1d unless said
otherwise; 0 ends it at once), but not past the next replacement.`,
  },
  remove: {
    name: "token remove",
    positionals: ["NAME"],
    options: jsonOnly,
    summary: "remove an operator token, also one that it replaced",
    help: "Every server refuses it within a second. What it did stays in the audit.",
  },
} as const satisfies Declarations
