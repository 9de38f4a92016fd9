/** `pazar token`: the tokens by which programs of the marketplace use /operator/feed and /operator/links. */
import { type OperatorToken, type TokenRight, tokenRights } from "../../domain/sign-in/operator.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import {
  createToken,
  type IssuedToken,
  removeToken,
  rotateToken,
} from "../../operations/sign-in/operators/manage-token.ts"
import { createCommand, flag, jsonOnly, openApp, UsageError } from "../frame/command.ts"
import { overlapOption, parseOverlap } from "../frame/input.ts"
import { report, toJson, writeList } from "../frame/output.ts"

const create = createCommand({
  name: "token create",
  positionals: ["NAME"],
  options: { may: { type: "string", value: "feed,links" }, json: flag },
  summary: "make an operator token and print it",
  help: `A program of yours sends it as Authorization: Bearer. It is shown once; the store keeps its digest. The audit
names it with all that it does. Without any token and without PAZAR_OPERATOR_TOKEN the paths do not exist.

  --may   what it may do, with commas between: feed for POST /operator/feed, links for POST /operator/links
  --json  print {"name","token","may","created_at"}`,
  async run({ positionals: [name], values }, context) {
    const rights = parseRights(values.may)
    await using app = await openApp(context)
    const issued = await createToken(app.services, name, rights)
    await context.write(renderIssued(issued, values.json))
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

const renderIssued = ({ name, secret, rights, createdAt }: IssuedToken, isJson: boolean) =>
  isJson ? toJson({ name, token: secret, may: rights, createdAt }) : `${secret}\n`

const list = createCommand({
  name: "token list",
  options: jsonOnly,
  summary: "list the operator tokens, without their secrets",
  help: `OLD ONE UNTIL: of a token that was replaced with an overlap. That of PAZAR_OPERATOR_TOKEN is not listed.`,
  async run({ values }, context) {
    await using app = await openApp(context)
    const at = formatTimestamp(app.now())
    /** Null once the old one has ended. */
    const overlapOf = ({ old }: OperatorToken) =>
      old !== null && old.expiresAt > at ? old.expiresAt : null
    await writeList(context, values.json, [await app.store.operatorTokens.list()], {
      toObject(token) {
        const { name, rights, createdAt } = token
        return { name, may: rights, createdAt, oldExpiresAt: overlapOf(token) }
      },
      header: ["NAME", "MAY", "CREATED", "OLD ONE UNTIL"],
      toCells(token) {
        const { name, rights, createdAt } = token
        return [name, rights.join(), createdAt, overlapOf(token) ?? ""]
      },
      none: "There are no operator tokens: make one with `pazar token create NAME --may feed,links`.",
    })
  },
})

const rotate = createCommand({
  name: "token rotate",
  positionals: ["NAME"],
  options: { overlap: overlapOption, json: flag },
  summary: "replace an operator token and print the new one",
  help: `The new token has the old one's name and rights. The old one goes on working for the overlap (1d unless said
otherwise; 0 ends it at once), but not past the next replacement.`,
  async run({ positionals: [name], values }, context) {
    const overlap = parseOverlap(values.overlap)
    await using app = await openApp(context)
    const issued = await rotateToken(app.services, name, overlap)
    await context.write(renderIssued(issued, values.json))
  },
})

const remove = createCommand({
  name: "token remove",
  positionals: ["NAME"],
  options: jsonOnly,
  summary: "remove an operator token, also one that it replaced",
  help: "Every server refuses it within a second. What it did stays in the audit.",
  async run({ positionals: [given], values }, context) {
    await using app = await openApp(context)
    const name = await removeToken(app.services, given)
    await report(context, values.json, { name }, `The token ${name} is removed.`)
  },
})

export const tokenCommands = [create, list, rotate, remove]
