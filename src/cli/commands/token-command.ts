import { type OperatorToken, type TokenRight, tokenRights } from "../../domain/sign-in/operator.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import {
  createToken,
  type IssuedToken,
  removeToken,
  rotateToken,
} from "../../operations/sign-in/operator-operations.ts"
import type { tokens } from "../definitions/operator-definitions.ts"
import { type CommandActions, UsageError } from "../framework/command.ts"
import { openApp } from "../framework/open-app.ts"
import { toJson, writeList, writeResult } from "../framework/output.ts"
import { parseOverlap } from "../framework/parse-options.ts"

export const commands: CommandActions<typeof tokens> = {
  async create({ positionals: [name], values }, context) {
    const rights = parseRights(values.may)
    await using app = await openApp(context)
    const issued = await createToken(app.services, name, rights)
    await context.write(renderIssued(issued, values.json))
  },
  async list({ values }, context) {
    await using app = await openApp(context)
    const at = formatTimestamp(app.now())
    /** The end of the overlap period; null after it. */
    const findOverlapEnd = ({ old }: OperatorToken) =>
      old !== null && old.expiresAt > at ? old.expiresAt : null
    await writeList(context, values.json, [await app.store.operatorTokens.list()], {
      toObject(token) {
        const { name, rights, createdAt } = token
        return { name, may: rights, createdAt, oldExpiresAt: findOverlapEnd(token) }
      },
      header: ["NAME", "MAY", "CREATED", "OLD TOKEN UNTIL"],
      toCells(token) {
        const { name, rights, createdAt } = token
        return [name, rights.join(), createdAt, findOverlapEnd(token) ?? ""]
      },
      none: "no operator tokens; create one with `pazar token create NAME --may feed,links`",
    })
  },
  async rotate({ positionals: [name], values }, context) {
    const overlap = parseOverlap(values.overlap)
    await using app = await openApp(context)
    const issued = await rotateToken(app.services, name, overlap)
    await context.write(renderIssued(issued, values.json))
  },
  async remove({ positionals: [given], values }, context) {
    await using app = await openApp(context)
    const name = await removeToken(app.services, given)
    await writeResult(context, values.json, { name }, `removed token ${name}`)
  },
}

function parseRights(text: string | undefined): readonly TokenRight[] {
  const names = (text ?? "").split(",").map((name) => name.trim())
  const rights = tokenRights.filter((right) => names.includes(right))
  if (names.every((name) => rights.some((right) => right === name))) return rights
  throw new UsageError(
    `--may must be one or more of ${tokenRights.join(", ")}, separated by commas`,
  )
}

const renderIssued = ({ name, secret, rights, createdAt }: IssuedToken, isJson: boolean) =>
  isJson ? toJson({ name, token: secret, may: rights, createdAt }) : `${secret}\n`
