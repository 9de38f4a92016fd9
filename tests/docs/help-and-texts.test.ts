/** Compares lists and numbers in the help of commands and in the texts of pages with the program. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { commands } from "../../src/cli/commands.ts"
import { placeDays, releasesMax, sitesMax } from "../../src/domain/catalogue/sites.ts"
import { waitingMessagesMax } from "../../src/domain/events/endpoint.ts"
import { authorEventTypes, operatorEventTypes } from "../../src/domain/events/event.ts"
import { messageDays } from "../../src/domain/events/message.ts"
import { auditSeconds } from "../../src/domain/sign-in/audit-event.ts"
import { invitationSeconds, signInLinkSeconds } from "../../src/domain/sign-in/invitation.ts"
import { passwordCharactersMax, passwordCharactersMin } from "../../src/domain/sign-in/password.ts"
import { confirmationSeconds } from "../../src/domain/sign-in/session.ts"
import { failedCallDays, failedCallsMax } from "../../src/domain/usage/failed-calls.ts"
import { daySeconds } from "../../src/domain/values/time/timestamp.ts"
import { temporaryFolder } from "../harness/program.ts"
import { runInProcess } from "../harness/run-in-process.ts"

const root = join(import.meta.dir, "../..")
const read = (file: string) => readFileSync(join(root, file), "utf8").replace(/\s+/g, " ")
const helpOf = (name: string) =>
  (commands.find((command) => command.name === name)?.help ?? "").replace(/\s+/g, " ")

test("the help of `webhook create` lists the events of authors and of operators", () => {
  const listed = helpOf("webhook create").match(/\b[a-z]+\.[a-z_]+\b/g) ?? []
  expect(listed).toEqual([...operatorEventTypes])
  const [ofAuthors = ""] = helpOf("webhook create").split("; with --operator also")
  expect(authorEventTypes.filter((type) => !ofAuthors.includes(type))).toEqual([])
})

test.each([
  ["docs/operating/webhooks.md", "and"],
  ["src/http/docs/text/en/webhooks.md", "and"],
  ["src/http/docs/text/tr/webhooks.md", "ve"],
])("%s lists the events that only operators get", (file, and) => {
  const types = operatorEventTypes
    .filter((type) => !authorEventTypes.some((each) => each === type))
    .map((type) => `\`${type}\``)
  expect(types.length).toBeGreaterThan(1)
  expect(read(file)).toContain(`${types.slice(0, -1).join(", ")} ${and} ${types.at(-1)}`)
})

const constant = (file: string, name: string) =>
  Number(new RegExp(`${name} = ([\\d_]+)`).exec(read(file))?.[1]?.replaceAll("_", ""))
const shown = constant("src/cli/events/webhooks.ts", "deliveriesShown")
const kept = constant("src/store/sql/feed/import-runs.ts", "runsKeptOfEachWay").toLocaleString("en")

test.each<[name: string, said: string]>([
  ["account password", `It has ${passwordCharactersMin} to ${passwordCharactersMax} characters`],
  ["operator create", `It has ${passwordCharactersMin} to ${passwordCharactersMax} characters`],
  ["account invite", "A link works once, for seven days."],
  ["webhook show", `Deliveries are kept for ${messageDays} days; the latest ${shown} are shown`],
  ["item limit", `from 1 to ${sitesMax};`],
  ["item limit", `not seen for ${placeDays} days`],
  ["imports", `At least the last ${kept} files, ${kept} pulls and ${kept} pushes are kept.`],
])("the help of `%s` says: %s", (name, said) => {
  expect(helpOf(name)).toContain(said)
})

describe("the members that help names are those of --json", () => {
  let folder = ""
  beforeAll(() => {
    folder = temporaryFolder()
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  /** In the order in which they run; `migrate` first. */
  test.each<[name: string, ...args: string[]]>([
    ["migrate"],
    ["operator create", "deniz", "--link"],
    ["operator password", "deniz", "--link"],
    ["token create", "shop", "--may", "feed"],
    ["webhook create", "--operator", "--url", "https://example.com/"],
    ["backup", "FOLDER/backup.db"],
    ["restore", "FOLDER/backup.db", "--force"],
    ["doctor"],
    ["version"],
  ])("%s", async (name, ...args) => {
    const [, listed = "", more = ""] =
      /\{("[^}[]+?)(?::\[.*?)?\}(?:, and with --link also ("\w+" and "\w+"))?/.exec(helpOf(name)) ??
      []
    const named = `${listed} ${more}`.match(/(?<=")\w+(?=")/g)
    const given = args.map((arg) => arg.replace("FOLDER", folder))
    const env = { DATABASE_URL: `sqlite:${join(folder, "data/pazar.db")}`, PAZAR_MASTER_KEY: "" }
    const { stdout } = await runInProcess(folder, [...name.split(" "), ...given, "--json"], { env })
    expect(named).not.toBeNull()
    expect(Object.keys(JSON.parse(stdout))).toEqual([...(named ?? [])])
  })
})

const minutes = (seconds: number) => ({ 120: "two", 300: "five" })[seconds]
const pages = "src/http/pages/translations"
const ofConsole = "src/http/console/translations"
test.each<[file: string, ...said: string[]]>([
  [
    `${pages}/en-sites.ts`,
    `from 1 to ${sitesMax},`,
    `not seen for ${placeDays} days`,
    `were seen in the last ${placeDays} days`,
  ],
  [
    `${pages}/tr-sites.ts`,
    `1 ile ${sitesMax} arasında`,
    `${placeDays} gündür görülmediği`,
    `Son ${placeDays} günde görülen`,
  ],
  [`${pages}/en-activation.ts`, `not seen for ${placeDays} days`],
  [`${pages}/tr-activation.ts`, `${placeDays} gün boyunca görülmeyen`],
  [
    `${pages}/en-log.ts`,
    `Failed calls of the last ${failedCallDays} days, at most ${failedCallsMax} entries.`,
    `${releasesMax === 5 ? "five" : releasesMax} times in ${placeDays} days`,
  ],
  [
    `${pages}/tr-log.ts`,
    `Son ${failedCallDays} günün başarısız istekleri, en çok ${failedCallsMax} kayıt.`,
    `${placeDays} günde ${releasesMax === 5 ? "beş" : releasesMax} kez`,
  ],
  [
    `${pages}/en-webhooks.ts`,
    `${waitingMessagesMax.toLocaleString("en")} messages waited`,
    `Deliveries of the last ${messageDays} days`,
  ],
  [
    `${pages}/tr-webhooks.ts`,
    `${waitingMessagesMax.toLocaleString("tr")} ileti beklerken`,
    `Son ${messageDays} günün gönderileri`,
  ],
  [`${pages}/en.ts`, `more than ${minutes(confirmationSeconds)} minutes ago`],
  [
    `${ofConsole}/en-authors.ts`,
    `kept for ${auditSeconds / daySeconds} days`,
    `once, within ${minutes(signInLinkSeconds)} minutes`,
    `It works once, for ${invitationSeconds === 7 * daySeconds ? "seven" : ""} days.`,
  ],
  [`${ofConsole}/tr-authors.ts`, `${auditSeconds / daySeconds} gün saklanır`],
])("%s has the numbers of the program", (file, ...said) => {
  const text = read(file)
  expect(said.filter((sentence) => !text.includes(sentence))).toEqual([])
})
