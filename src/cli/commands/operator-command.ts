import { operatorRoles, parseOperatorRole } from "../../domain/sign-in/operator.ts"
import { type Invited, operatorLink } from "../../operations/sign-in/invitation-operations.ts"
import {
  changeOperatorRole,
  createOperator,
  parseOperatorEmail,
  removeOperator,
  requireOperator,
  resetOperatorPassword,
  resetPasswordAndTwoFactor,
} from "../../operations/sign-in/operator-operations.ts"
import type { App } from "../../server/app.ts"
import type { operators } from "../definitions/operator-definitions.ts"
import type { CommandActions, CommandContext } from "../framework/command.ts"
import { openApp } from "../framework/open-app.ts"
import { writeList, writeResult } from "../framework/output.ts"
import { parseChoice, readFirstLine } from "../framework/parse-options.ts"
import { readLinkBaseUrl } from "../framework/server-url.ts"

export const commands: CommandActions<typeof operators> = {
  async create({ positionals: [name], values }, context) {
    const role = parseChoice("role", operatorRoles, values.role)
    const password = values.link ? null : await readFirstLine(context)
    await using app = await openApp(context)
    const email = parseOperatorEmail(values.email ?? "")
    const invited = await createOperator(app.services, { name, email, role }, password)
    await report(context, app, values.json, name, invited, `created operator ${name}`)
  },
  async list({ values }, context) {
    await using app = await openApp(context)
    await writeList(context, values.json, [await app.store.operators.list()], {
      toObject({ name, email, role, createdAt, hasPassword, hasTwoFactor, lastSeenAt }) {
        const password = hasPassword
        return { name, email, role, createdAt, password, totp: hasTwoFactor, lastSeenAt }
      },
      header: ["NAME", "E-MAIL", "ROLE", "CREATED", "PASSWORD", "TWO-FACTOR", "LAST SEEN"],
      toCells({ name, email, role, createdAt, hasPassword, hasTwoFactor, lastSeenAt }) {
        const password = hasPassword ? "set" : "not set"
        const lastSeen = lastSeenAt ?? "no open session"
        return [
          name,
          email ?? "",
          role,
          createdAt,
          password,
          hasTwoFactor ? "enabled" : "disabled",
          lastSeen,
        ]
      },
      none: "no operators; create one with `pazar operator create NAME`",
    })
  },
  async password({ positionals: [name], values }, context) {
    const password = values.link ? null : await readFirstLine(context)
    await using app = await openApp(context)
    const operator = await requireOperator(app.store.operators, name)
    const reset = values["remove-totp"] ? resetPasswordAndTwoFactor : resetOperatorPassword
    const invited = await reset(app.services, operator, password)
    const action = invited === null ? "set password of" : "created a link for"
    await report(context, app, values.json, name, invited, `${action} operator ${name}`)
  },
  async role({ positionals: [name, text], values }, context) {
    const role = parseOperatorRole(text)
    await using app = await openApp(context)
    await changeOperatorRole(app.services, await requireOperator(app.store.operators, name), role)
    await writeResult(context, values.json, { name, role }, `changed operator ${name} to ${role}`)
  },
  async remove({ positionals: [name], values }, context) {
    await using app = await openApp(context)
    await removeOperator(app.services, await requireOperator(app.store.operators, name))
    await writeResult(context, values.json, { name }, `removed operator ${name}`)
  },
}

/** `invited` is null if a password was set instead. */
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
