/** `pazar token`: the tokens by which programs of the marketplace use /operator/feed and /operator/links. */

import { commandLine } from "../../domain/sign-in/audit-event.ts"
import {
  type OperatorToken,
  type TokenRight,
  tokenRights,
} from "../../domain/sign-in/operator-token.ts"
import { formatTimestamp, type Timestamp } from "../../domain/values/time/timestamp.ts"
import {
  createToken,
  type IssuedToken,
  removeToken,
  rotateToken,
  type TokenManagement,
} from "../../operations/sign-in/operators/manage-token.ts"
import { tokens } from "../../secrets/sign-in/tokens.ts"
import type { App } from "../../server/app.ts"
import { createCommand, UsageError } from "../frame/command.ts"
import { renderTable } from "../frame/table.ts"
import { withApp } from "../frame/with-app.ts"
import { parseOverlap } from "../keys/key-rotate.ts"

const servicesOf = ({ store, now }: App): TokenManagement => ({
  ...store,
  now,
  tokens,
  actor: commandLine,
})

export const tokenCreate = createCommand({
  name: "token create",
  positionals: ["NAME"],
  options: { may: { type: "string", value: "feed,links" }, json: { type: "boolean" } },
  summary: "make an operator token and print it",
  help: `A program of yours sends it as Authorization: Bearer. It is shown once; the store keeps its digest. The audit
names it with all that it does. Without any token and without PAZAR_OPERATOR_TOKEN the paths do not exist.

  --may   what it may do, with commas between: feed for POST /operator/feed, links for POST /operator/links
  --json  print {"name","token","may","created_at"}`,
  async run({ positionals: [name], values }, context) {
    const rights = parseRights(values.may)
    await withApp(context, async (app) => {
      const issued = await createToken(servicesOf(app), name, rights)
      await context.write(values.json ? renderIssued(issued) : `${issued.secret}\n`)
    })
    return 0
  },
})

export const tokenList = createCommand({
  name: "token list",
  positionals: [],
  options: { json: { type: "boolean" } },
  summary: "list the operator tokens, without their secrets",
  help: `OLD ONE UNTIL: of a token that was replaced with an overlap. That of PAZAR_OPERATOR_TOKEN is not listed.`,
  async run({ values }, context) {
    await withApp(context, async ({ store, now }) => {
      const listed = await store.operatorTokens.list()
      const at = formatTimestamp(now())
      if (values.json) {
        const objects = listed.map((token) => ({
          ...tokenObject(token),
          old_expires_at: findOverlap(token, at),
        }))
        return context.write(`${JSON.stringify(objects)}\n`)
      }
      if (listed.length === 0) {
        return context.tell(
          "There are no operator tokens: make one with `pazar token create NAME --may feed,links`.",
        )
      }
      const rows = listed.map((token) => [
        token.name,
        token.rights.join(),
        token.createdAt,
        findOverlap(token, at) ?? "",
      ])
      const header = ["NAME", "MAY", "CREATED", "OLD ONE UNTIL"]
      return context.write(renderTable(context.terminal, header, rows))
    })
    return 0
  },
})

export const tokenRotate = createCommand({
  name: "token rotate",
  positionals: ["NAME"],
  options: {
    overlap: { type: "string", value: "0|1h|1d|7d", default: "1d" },
    json: { type: "boolean" },
  },
  summary: "replace an operator token and print the new one",
  help: `The new token has the old one's name and rights. The old one goes on working for the overlap (1d unless said
otherwise; 0 ends it at once), but not past the next replacement.`,
  async run({ positionals: [name], values }, context) {
    const overlap = parseOverlap(values.overlap)
    await withApp(context, async (app) => {
      const issued = await rotateToken(servicesOf(app), name, overlap)
      await context.write(values.json ? renderIssued(issued) : `${issued.secret}\n`)
    })
    return 0
  },
})

export const tokenRemove = createCommand({
  name: "token remove",
  positionals: ["NAME"],
  options: { json: { type: "boolean" } },
  summary: "remove an operator token, also one that it replaced",
  help: "Every server refuses it within a second. What it did stays in the audit.",
  async run({ positionals: [given], values }, context) {
    const name = await withApp(context, (app) => removeToken(servicesOf(app), given))
    if (values.json) await context.write(`${JSON.stringify({ name })}\n`)
    else context.tell(`The token ${name} is removed.`)
    return 0
  },
})

function parseRights(text: string | undefined): readonly TokenRight[] {
  const given = (text ?? "").split(",").map((right) => right.trim())
  const rights = tokenRights.filter((right) => given.includes(right))
  if (given.every((right) => rights.some((known) => known === right))) return rights
  throw new UsageError(
    `--may says what the token may do: ${tokenRights.join(", ")}, or several with commas between them`,
  )
}

const tokenObject = ({ name, rights, createdAt }: OperatorToken) => ({
  name,
  may: rights,
  created_at: createdAt,
})

const renderIssued = (issued: IssuedToken) => {
  const { name, ...rest } = tokenObject(issued)
  return `${JSON.stringify({ name, token: issued.secret, ...rest })}\n`
}

/** Null once the old one has ended. */
const findOverlap = ({ old }: OperatorToken, at: Timestamp) =>
  old !== null && old.expiresAt > at ? old.expiresAt : null
