import {
  type OperatorToken,
  operatorRoles,
  parseOperatorRole,
  type TokenRight,
  tokenRights,
} from "../../domain/sign-in/operator.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import { type Invited, operatorLink } from "../../operations/sign-in/invitation-operations.ts"
import {
  changeOperatorRole,
  createOperator,
  createToken,
  type IssuedToken,
  parseOperatorEmail,
  removeOperator,
  removeToken,
  requireOperator,
  resetOperatorPassword,
  resetPasswordAndTwoFactor,
  rotateToken,
} from "../../operations/sign-in/operator-operations.ts"
import type { App } from "../../server/app.ts"
import type { operators } from "../definitions/server-commands.ts"
import { type CommandActions, type CommandContext, UsageError } from "../framework/command.ts"
import { openApp, readLinkBaseUrl } from "../framework/open-app.ts"
import { toJson, writeList, writeResult } from "../framework/output.ts"
import { parseChoice, parseOverlap, readFirstLine } from "../framework/parse-options.ts"

export const commands: CommandActions<typeof operators> = {
  async "operator create"({ positionals: [name], values }, context) {
    const role = parseChoice("role", operatorRoles, values.role)
    const password = values.link ? null : await readFirstLine(context)
    await using app = await openApp(context)
    const email = parseOperatorEmail(values.email ?? "")
    const invited = await createOperator(app.services, { name, email, role }, password)
    await report(context, app, values.json, name, invited, `created operator ${name}`)
  },
  async "operator list"({ values }, context) {
    await using app = await openApp(context)
    await writeList(context, values.json, [await app.store.operators.list()], {
      toObject({ hasPassword: password, hasTwoFactor: totp, lastSeenAt, ...operator }) {
        const { name, email, role, createdAt } = operator
        return { name, email, role, createdAt, password, totp, lastSeenAt }
      },
      header: ["NAME", "E-MAIL", "ROLE", "CREATED", "PASSWORD", "TWO-FACTOR", "LAST SEEN"],
      toCells({ name, email, role, createdAt, hasPassword, hasTwoFactor, lastSeenAt }) {
        const password = hasPassword ? "set" : "not set"
        const twoFactor = hasTwoFactor ? "enabled" : "disabled"
        const lastSeen = lastSeenAt ?? "no open session"
        return [name, email ?? "", role, createdAt, password, twoFactor, lastSeen]
      },
      none: "no operators; create one with `pazar operator create NAME`",
    })
  },
  async "operator password"({ positionals: [name], values }, context) {
    const password = values.link ? null : await readFirstLine(context)
    await using app = await openApp(context)
    const operator = await requireOperator(app.store.operators, name)
    const reset = values["remove-totp"] ? resetPasswordAndTwoFactor : resetOperatorPassword
    const invited = await reset(app.services, operator, password)
    const action = invited === null ? "set password of" : "created a link for"
    await report(context, app, values.json, name, invited, `${action} operator ${name}`)
  },
  async "operator role"({ positionals: [name, text], values }, context) {
    const role = parseOperatorRole(text)
    await using app = await openApp(context)
    await changeOperatorRole(app.services, await requireOperator(app.store.operators, name), role)
    await writeResult(context, values.json, { name, role }, `changed operator ${name} to ${role}`)
  },
  async "operator remove"({ positionals: [name], values }, context) {
    await using app = await openApp(context)
    await removeOperator(app.services, await requireOperator(app.store.operators, name))
    await writeResult(context, values.json, { name }, `removed operator ${name}`)
  },
  async "token create"({ positionals: [name], values }, context) {
    const rights = parseRights(values.may)
    await using app = await openApp(context)
    const issued = await createToken(app.services, name, rights)
    await context.write(renderToken(issued, values.json))
  },
  async "token list"({ values }, context) {
    await using app = await openApp(context)
    const at = formatTimestamp(app.now())
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
  async "token rotate"({ positionals: [name], values }, context) {
    const overlap = parseOverlap(values.overlap)
    await using app = await openApp(context)
    const issued = await rotateToken(app.services, name, overlap)
    await context.write(renderToken(issued, values.json))
  },
  async "token remove"({ positionals: [given], values }, context) {
    await using app = await openApp(context)
    const name = await removeToken(app.services, given)
    await writeResult(context, values.json, { name }, `removed token ${name}`)
  },
}

async function report(
  context: CommandContext,
  app: App,
  isJson: boolean,
  name: string,
  invited: Invited | null,
  done: string,
): Promise<void> {
  if (invited === null) return writeResult(context, isJson, { name }, done)
  const url = operatorLink(await readLinkBaseUrl(context, app), invited.token)
  if (!isJson) await context.write(`${url}\n`)
  await writeResult(context, isJson, { name, url, expiresAt: invited.expiresAt }, done)
}

function parseRights(text: string | undefined): readonly TokenRight[] {
  const names = (text ?? "").split(",").map((name) => name.trim())
  const rights = tokenRights.filter((right) => names.includes(right))
  if (names.every((name) => rights.some((right) => right === name))) return rights
  throw new UsageError(
    `--may must be one or more of ${tokenRights.join(", ")}, separated by commas`,
  )
}

const renderToken = ({ name, secret, rights, createdAt }: IssuedToken, isJson: boolean) =>
  isJson ? toJson({ name, token: secret, may: rights, createdAt }) : `${secret}\n`
