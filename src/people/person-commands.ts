import { command, flag, jsonOnly, type OpenContext } from "../platform/cli/command.ts"
import { writeList, writeResult } from "../platform/cli/output.ts"
import { UserError } from "../platform/error.ts"
import { removePerson } from "./operator-operations.ts"
import type { ListedPerson, Person, PersonStore } from "./person.ts"
import type { PeopleCommandServices, PeopleServices } from "./services.ts"
import { removeTwoFactor } from "./sign-in-operations.ts"

type App = Readonly<{
  store: Pick<PeopleServices, "people" | "twoFactor" | "passkeys">
  services: PeopleCommandServices
}>

type Context = OpenContext<App>

export const commands = {
  "person list": command({
    options: jsonOnly,
    help: "People sign in: members of an author's team, and operators.",
    async run({ values }, context: Context) {
      await using app = await context.openApp()
      await writeList(context, values.json, readPages(app.store.people), {
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
      const person = await requirePerson(app.store.people, name)
      const subject = `two-factor authentication of ${name}`
      const report = (isEnabled: boolean, passkeys: number, text: string) =>
        writeResult(context, values.json, { name, secondFactor: isEnabled, passkeys }, text)
      if (!values.remove) {
        const isEnabled = (await app.store.twoFactor.find(person.id)) !== null
        const { length } = await app.store.passkeys.list(person.id)
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
      await removePerson(app.services, await requirePerson(app.store.people, name))
      await writeResult(context, values.json, { name }, `removed ${name}`)
    },
  }),
}

async function requirePerson(
  people: Pick<PersonStore, "findByName">,
  name: string,
): Promise<Person> {
  const person = await people.findByName(name)
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
