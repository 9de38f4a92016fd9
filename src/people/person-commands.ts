import { operatorRoles } from "../access/actor.ts"
import { overlapOption, parseOverlap } from "../access/rotation-overlap.ts"
import { type OperatorToken, type TokenRight, tokenRights } from "../access/token.ts"
import {
  createToken,
  type IssuedToken,
  removeToken,
  rotateToken,
  type TokenManagement,
} from "../access/token-operations.ts"
import { findEmailAddress } from "../mail/email.ts"
import {
  type CommandContext,
  command,
  flag,
  jsonOnly,
  type OpenContext,
  option,
  UsageError,
} from "../platform/cli/command.ts"
import { toJson, writeList, writeResult } from "../platform/cli/output.ts"
import { parseChoice, readFirstLine } from "../platform/cli/parse-options.ts"
import { UserError } from "../platform/error.ts"
import { formatTimestamp } from "../platform/time.ts"
import type { Invited } from "./invitation-operations.ts"
import type { ListedPerson, Operator, Person, PersonStore } from "./person.ts"
import { invitationLink } from "./person-email-operations.ts"
import {
  changeOperatorRole,
  createOperator,
  removeOperator,
  removePerson,
  resetPassword,
  resetPasswordAndTwoFactor,
  withdrawInvitations,
} from "./person-operations.ts"
import { removeTwoFactor } from "./security-operations.ts"
import type { PeopleCommandServices } from "./services.ts"

type App = Readonly<{
  services: PeopleCommandServices & TokenManagement
  readLinkBaseUrl(): Promise<string>
}>

type Context = OpenContext<App>

export const commands = {
  "person list": command({
    options: jsonOnly,
    help: "People sign in: members of an author's team, and operators.",
    async run({ values }, context: Context) {
      await using app = await context.openApp()
      await writeList(context, values.json, readPages(app.services.people), {
        toObject({ name, email, locale, role, accounts, ...person }) {
          const { createdAt, lastSeenAt, hasPassword: password, hasTwoFactor: totp } = person
          const secrets = { password, totp, passkeys: person.passkeys }
          return { name, email, locale, role, accounts, createdAt, ...secrets, lastSeenAt }
        },
        header: [
          ...["NAME", "E-MAIL", "OPERATOR", "ACCOUNTS"],
          ...["PASSWORD", "TWO-FACTOR", "PASSKEYS", "LAST SEEN"],
        ],
        toCells: (person) => [
          person.name,
          person.email ?? "",
          person.role ?? "",
          String(person.accounts),
          person.hasPassword ? "set" : "not set",
          person.hasTwoFactor ? "enabled" : "disabled",
          String(person.passkeys),
          person.lastSeenAt ?? "no open session",
        ],
        none: "nobody can sign in; invite an author with `pazar account invite USERNAME`",
      })
    },
  }),
  "person second-factor": command({
    positionals: ["NAME"],
    options: {
      remove: flag(
        "disable it and remove all passkeys, for somebody who lost the phone and the recovery codes; audited",
      ),
      ...jsonOnly,
    },
    help: "People enable two-factor authentication under Settings, Security.",
    async run({ positionals: [name], values }, context: Context) {
      await using app = await context.openApp()
      const person = await requirePerson(app, name)
      const subject = `two-factor authentication of ${name}`
      const report = (isEnabled: boolean, passkeys: number, text: string) =>
        writeResult(context, values.json, { name, secondFactor: isEnabled, passkeys }, text)
      if (!values.remove) {
        const isEnabled = (await app.services.twoFactor.find(person.id)) !== null
        const { length } = await app.services.passkeys.list(person.id)
        const state = `${isEnabled ? "enabled" : "disabled"}; passkeys: ${length}`
        return report(isEnabled, length, `${subject} is ${state}`)
      }
      const isRemoved = await removeTwoFactor(app.services, person)
      const done = isRemoved
        ? `disabled ${subject}, no passkeys left`
        : `${subject} was already disabled`
      await report(false, 0, done)
    },
  }),
  "person remove": command({
    positionals: ["NAME"],
    options: jsonOnly,
    help: "The person leaves all teams and the operators. The last admin cannot be deleted. Accounts stay.",
    async run({ positionals: [name], values }, context: Context) {
      await using app = await context.openApp()
      await removePerson(app.services, await requirePerson(app, name))
      await writeResult(context, values.json, { name }, `removed ${name}`)
    },
  }),
  "operator create": command({
    positionals: ["NAME"],
    options: {
      role: {
        ...option(
          "admin|support|viewer",
          "admin: everything. support: read, invite authors, release sites, redeliver webhooks. viewer: read only. Default: admin",
        ),
        default: "admin",
      },
      email: option("ADDRESS", "for password resets and alerts (PAZAR_SMTP_URL)"),
      link: flag(
        "print a link instead, valid for seven days, can be used once: a new person sets a password with it; somebody who is signed in takes the role",
      ),
      json: flag('print {"name"}, and with --link also "url" and "expires_at"'),
    },
    help: `The command reads the password from the first line of standard input, so that it does not appear
in the process list:

  printf '%s' "$PASSWORD" | pazar operator create NAME

A password has 12 to 256 characters. The operator's name and the 10,000 most common passwords are
rejected. The console is at /console, which returns 404 until an operator exists.`,
    async run({ positionals: [name], values }, context: Context) {
      const role = parseChoice("role", operatorRoles, values.role)
      const password = values.link ? null : await readFirstLine(context)
      await using app = await context.openApp()
      const typed = values.email ?? ""
      const email = findEmailAddress(typed)
      if (email === null && typed.trim() !== "")
        throw new UserError(`"${typed}" is not an e-mail address`)
      const invited = await createOperator(app.services, { name, email, role }, password)
      await report(context, app, values.json, { name, invited, done: `created operator ${name}` })
    },
  }),
  "operator list": command({
    options: jsonOnly,
    async run({ values }, context: Context) {
      await using app = await context.openApp()
      const { operators, invitations, now } = app.services
      const invited = (await invitations.list("operators", formatTimestamp(now()))).flatMap(
        ({ name, email, operatorRole: role }) =>
          role === null ? [] : [{ ...noPerson, name, email, role }],
      )
      const rows = [...(await operators.list()), ...invited]
      await writeList(context, values.json, [rows], {
        toObject({ hasPassword: password, hasTwoFactor: totp, lastSeenAt, ...operator }) {
          const { name, email, role, createdAt } = operator
          return { name, email, role, createdAt, password, totp, lastSeenAt }
        },
        header: ["NAME", "E-MAIL", "ROLE", "CREATED", "PASSWORD", "TWO-FACTOR", "LAST SEEN"],
        toCells({ name, email, role, createdAt, hasPassword, hasTwoFactor, lastSeenAt }) {
          const password = hasPassword ? "set" : createdAt === null ? "invited" : "not set"
          const twoFactor = hasTwoFactor ? "enabled" : "disabled"
          const lastSeen = lastSeenAt ?? "no open session"
          return [name, email ?? "", role, createdAt ?? "", password, twoFactor, lastSeen]
        },
        none: "no operators; create one with `pazar operator create NAME`",
      })
    },
  }),
  "operator password": command({
    positionals: ["NAME"],
    options: {
      link: flag(
        "print a link to set the password instead. The old password stays valid until then",
      ),
      "remove-totp": flag(
        "also disable two-factor authentication, remove all passkeys and disconnect single sign-on, for an operator who lost the phone and the recovery codes. Together with --link, it ends the old password and all sessions",
      ),
      json: flag('print {"name"}, and with --link also "url" and "expires_at"'),
    },
    help: "The rules of `operator create` apply. A new password ends all sessions of the operator.",
    async run({ positionals: [name], values }, context: Context) {
      const password = values.link ? null : await readFirstLine(context)
      await using app = await context.openApp()
      const operator = await requireOperator(app, name)
      const reset = values["remove-totp"] ? resetPasswordAndTwoFactor : resetPassword
      const invited = await reset(app.services, operator, password)
      const action = invited === null ? "set password of" : "created a link for"
      await report(context, app, values.json, { name, invited, done: `${action} operator ${name}` })
    },
  }),
  "operator role": command({
    positionals: ["NAME", "ROLE"],
    options: jsonOnly,
    help: `Roles: admin, support, viewer. The role applies from the operator's next request. The last admin keeps
the role.`,
    async run({ positionals: [name, text], values }, context: Context) {
      const role = operatorRoles.find((each) => each === text)
      if (role === undefined)
        throw new UserError(`unknown role ${text}; use ${operatorRoles.join(", ")}`)
      await using app = await context.openApp()
      await changeOperatorRole(app.services, await requireOperator(app, name), role)
      await writeResult(context, values.json, { name, role }, `changed operator ${name} to ${role}`)
    },
  }),
  "operator remove": command({
    positionals: ["NAME"],
    options: jsonOnly,
    help: `Also withdraws the invitation of an operator who has not accepted it. A person who belongs to an
author's team stays. The audit log keeps the operator's actions. The last admin cannot be deleted.`,
    async run({ positionals: [name], values }, context: Context) {
      await using app = await context.openApp()
      if ((await withdrawInvitations(app.services, name)) === 0)
        await removeOperator(app.services, await requireOperator(app, name))
      await writeResult(context, values.json, { name }, `removed operator ${name}`)
    },
  }),
  "token create": command({
    positionals: ["NAME"],
    options: {
      may: {
        ...option(
          "feed,links",
          "required: permissions, separated by commas: feed (POST /operator/feed), links (POST /operator/links), purchases (GET /operator/purchases)",
        ),
        isRequired: true,
      },
      json: flag('print {"name","token","may","created_at"}'),
    },
    help: `Programs send the token as Authorization: Bearer. It is printed once; the database stores its digest.
The audit log records the token's name. Without a token and without PAZAR_OPERATOR_TOKEN, /operator/*
returns 404.`,
    async run({ positionals: [name], values }, context: Context) {
      const rights = parseRights(values.may)
      await using app = await context.openApp()
      const issued = await createToken(app.services, name, rights)
      await context.write(renderToken(issued, values.json))
    },
  }),
  "token list": command({
    options: jsonOnly,
    help: "OLD TOKEN UNTIL is the end of the overlap period after a rotation. PAZAR_OPERATOR_TOKEN is not listed.",
    async run({ values }, context: Context) {
      await using app = await context.openApp()
      const at = formatTimestamp(app.services.now())
      const findOverlapEnd = ({ old }: OperatorToken) =>
        old !== null && old.expiresAt > at ? old.expiresAt : null
      await writeList(context, values.json, [await app.services.operatorTokens.list()], {
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
  }),
  "token rotate": command({
    positionals: ["NAME"],
    options: { overlap: overlapOption, ...jsonOnly },
    help: `The new token has the same name and permissions. The old token stays valid for the overlap period or
until the next rotation.`,
    async run({ positionals: [name], values }, context: Context) {
      const overlap = parseOverlap(values.overlap)
      await using app = await context.openApp()
      const issued = await rotateToken(app.services, name, overlap)
      await context.write(renderToken(issued, values.json))
    },
  }),
  "token remove": command({
    positionals: ["NAME"],
    options: jsonOnly,
    help: "Every server rejects the token within a second. The audit log keeps its actions.",
    async run({ positionals: [given], values }, context: Context) {
      await using app = await context.openApp()
      const name = await removeToken(app.services, given)
      await writeResult(context, values.json, { name }, `removed token ${name}`)
    },
  }),
}

const noPerson = { createdAt: null, lastSeenAt: null, hasPassword: false, hasTwoFactor: false }

async function report(
  context: CommandContext,
  app: App,
  isJson: boolean,
  { name, invited, done }: Readonly<{ name: string; invited: Invited | null; done: string }>,
): Promise<void> {
  if (invited === null) return writeResult(context, isJson, { name }, done)
  const url = invitationLink(await app.readLinkBaseUrl(), invited.token)
  if (!isJson) await context.write(`${url}\n`)
  await writeResult(context, isJson, { name, url, expiresAt: invited.expiresAt }, done)
}

async function requireOperator(app: App, name: string): Promise<Operator> {
  const operator = await app.services.operators.findByName(name)
  if (operator === null) throw new UserError(`operator ${name} does not exist`)
  return operator
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

async function requirePerson(app: App, name: string): Promise<Person> {
  const person = await app.services.people.findByName(name)
  if (person === null) throw new UserError(`nobody is named ${name}`)
  return person
}

const pagePeople = 500

async function* readPages(people: PersonStore): AsyncGenerator<readonly ListedPerson[]> {
  let after = 0
  for (;;) {
    const page = await people.list(after, pagePeople)
    const last = page.at(-1)
    if (last === undefined) return
    yield page
    after = last.id
  }
}
