/** The numbers and defaults in the documents, against those of the program. */
import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import manifest from "../../package.json"
import { type Config, readConfig } from "../../src/config/config.ts"
import type { Environment } from "../../src/config/settings.ts"
import { knownSettings } from "../../src/config/settings.ts"
import { username } from "../../src/domain/catalogue/account.ts"
import {
  newSitesEachDay,
  placeDays,
  releasesMax,
  siteDays,
  sitesMax,
} from "../../src/domain/catalogue/sites.ts"
import { endpointsMax, waitingMessagesMax } from "../../src/domain/events/endpoint.ts"
import { messageDays, retryAfterMs } from "../../src/domain/events/message.ts"
import { tombstoneMs } from "../../src/domain/feed/as-of.ts"
import { waitingRecordsMax } from "../../src/domain/feed/waiting-record.ts"
import { liveKeysMax } from "../../src/domain/keys/api-key.ts"
import { measuredCauses, requestClasses } from "../../src/domain/running/admission.ts"
import { nodeGoneSeconds } from "../../src/domain/running/node.ts"
import { limitNames } from "../../src/domain/running/rate-limits.ts"
import { auditSeconds } from "../../src/domain/sign-in/audit-event.ts"
import { invitationSeconds, signInLinkSeconds } from "../../src/domain/sign-in/invitation.ts"
import { passwordCharactersMax, passwordCharactersMin } from "../../src/domain/sign-in/password.ts"
import { recoveryCodesMade } from "../../src/domain/sign-in/second-factor.ts"
import {
  confirmationSeconds,
  sessionIdleSeconds,
  sessionLifeSeconds,
  sessionsMax,
} from "../../src/domain/sign-in/session.ts"
import { backupAgeMsMax } from "../../src/domain/store.ts"
import { failedCallDays, failedCallsMax } from "../../src/domain/usage/failed-calls.ts"
import { rejectionDays, usageDays } from "../../src/domain/usage/usage.ts"
import {
  list,
  longText,
  problemsMax,
  type Shape,
  shortText,
  url,
} from "../../src/domain/values/shape.ts"
import { lineBytesMax } from "../../src/feed/lines/lines.ts"
import { bodyBytesMax } from "../../src/http/api/request/parameters.ts"
import { guides, sections } from "../../src/http/docs/texts.ts"
import { lingerMs } from "../../src/http/listener/health.ts"
import { drainMsMax } from "../../src/http/listener/server.ts"
import { refusedListedMax } from "../../src/http/operator-api/feed.ts"
import { judgeLoad, noShedding } from "../../src/load-shedding/overload.ts"
import { secretShownSeconds } from "../../src/operations/keys/show-key.ts"
import { parsePolicy } from "../../src/rate-limits/policy.ts"
import { owaspCost } from "../../src/secrets/sign-in/password-hasher.ts"
import { primaryTimeouts } from "../../src/store/postgres/connection/database.ts"
import { feedPool } from "../../src/store/postgres/feed/feed.ts"
import { heartbeatPool } from "../../src/store/postgres/replicas/heartbeat.ts"
import { newestOf } from "../../src/store/sql/migrate.ts"
import { feedWaitMs } from "../../src/store/sqlite/connection/database.ts"
import { migrations } from "../../src/store/sqlite/migrations/migrations.ts"

const root = join(import.meta.dir, "../..")
const read = (file: string) => readFileSync(join(root, file), "utf8")
const inOneLine = (text: string) => text.replace(/\s+/g, " ")
const dayMs = 86_400_000
const days = (seconds: number) => (seconds * 1000) / dayMs
const count = (value: number) => value.toLocaleString("en")
const inWords: Readonly<Record<number, string>> = {
  0.5: "half an",
  2: "two",
  4: "four",
  5: "five",
  6: "six",
  7: "seven",
  8: "eight",
  10: "ten",
  20: "twenty",
  50: "fifty",
  1000: "thousand",
  1000000: "million",
}

/** A constant that only its own file uses: a product of numbers. */
function constant(file: string, name: string): number {
  const [, product = ""] =
    new RegExp(`\\b${name}(?: =|:) (?:\\{ triesMax: )?([\\d_]+(?: \\*+ [\\d_]+)*)`).exec(
      read(file),
    ) ?? []
  const factors = product.replaceAll("_", "").replace("1024 ** 2", "1048576").split(" * ")
  return factors.reduce((all, factor) => all * Number(factor || Number.NaN), 1)
}

/** The cells of the rows of tables whose first cell begins with this. */
const rowOf = (file: string, start: string) =>
  read(file)
    .split("\n")
    .filter((line) => line.startsWith(`| ${start}`))
    .flatMap((line) => [line.split("|").map((cell) => cell.trim())])[0] ?? []

describe("docs/operating/privacy.md: how long things are kept", () => {
  test.each([
    ["sites where a code is used", `${siteDays} days after they were last seen`],
    ["releases of sites", `${placeDays} days`],
    ["failed calls:", `${failedCallDays} days, at most ${failedCallsMax} an author`],
    ["calls of a key", `by hour for a week, by day for ${usageDays} days`],
    ["rejected calls of a key", `${rejectionDays} days`],
    [
      "sessions",
      `${sessionIdleSeconds / 3600} hours without use, ${days(sessionLifeSeconds)} days in any case`,
    ],
    ["invitations", `${days(invitationSeconds)} days; links ${signInLinkSeconds / 60} minutes`],
    ["audit:", `${days(auditSeconds)} days`],
    [
      "name of a deleted record",
      `${tombstoneMs / dayMs} days; of one that an operator suspended or refunded, until it is back`,
    ],
    ["messages of webhooks", `${messageDays} days; what they say ${messageDays + 1}`],
    ["traffic of the server", `${usageDays} days`],
  ])("%s: %s", (data, kept) => {
    expect(rowOf("docs/operating/privacy.md", data).at(-2)).toBe(kept)
  })
})

describe("docs/operating/settings.md", () => {
  const file = "docs/operating/settings.md"
  const [table = ""] = read(file).split("\n## ")
  const rows = [...table.matchAll(/^\| (`[^|]*`) +\| ([^|]*?) +\|/gm)].map(
    ([, names = "", preset = ""]) => ({
      names: [...names.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name),
      values: [...preset.matchAll(/`([^`]+)`/g)].map(([, value = ""]) => value),
      isLiteral: preset.startsWith("`"),
    }),
  )
  const plain = ["HOST", "PORT", "DATABASE_URL", "DATABASE_URL_FILE", "DATABASE_REPLICA_URLS"]

  test("lists every setting, and no other", () => {
    const known = [...knownSettings, ...plain, "LOG_LEVEL"].toSorted()
    expect(rows.flatMap(({ names }) => names).toSorted()).toEqual(known)
  })

  const settingsOf = ({ settings, ...config }: Config) => config
  const withBackups = { PAZAR_BACKUP_DIR: import.meta.dir }
  const literal = rows
    .filter(({ isLiteral }) => isLiteral)
    .flatMap(({ names, values }) =>
      names
        .map((name, at) => ({ name, value: values[at] }))
        .filter(({ value }) => value !== undefined),
    )
  test.each(literal)("$name is $value by default, and the console shows it", ({ name, value }) => {
    expect(literal.length).toBeGreaterThan(8)
    const shown = readConfig(withBackups).settings.find((each) => each.name === name)
    expect(shown?.value).toBeString()
    const given: Environment = { ...withBackups, [name]: value }
    expect(settingsOf(readConfig(given))).toEqual(settingsOf(readConfig(withBackups)))
  })

  test.each([
    ["PAZAR_RECEIPT_DAYS", "from 1 to 3650", ["1", "3650"], ["0", "3651"]],
    ["PAZAR_SITE_NAME", "at most 40 characters", ["x".repeat(40)], ["x".repeat(41)]],
    ["PAZAR_METRICS_TOKEN", "At least 32 characters", ["x".repeat(32)], ["x".repeat(31)]],
    ["PAZAR_OPERATOR_TOKEN", "At least 32 characters", ["x".repeat(32)], ["x".repeat(31)]],
  ])("%s: %s", (name, said, good, bad) => {
    expect(rowOf(file, `\`${name}\``).join(" ")).toContain(said)
    for (const value of good) expect(() => readConfig({ [name]: value })).not.toThrow()
    for (const value of bad) expect(() => readConfig({ [name]: value })).toThrow(name)
  })

  test.each(limitNames)("the default of the limit %s", (name) => {
    const [, value = ""] = /`(.+)`/.exec(rowOf(file, `\`${name}\``).at(-2) ?? "") ?? []
    const problems: string[] = []
    expect(parsePolicy(`${name}=${value}`, problems)).toEqual(parsePolicy("on", problems))
    expect(problems).toEqual([])
  })
})

describe("docs/operating/sizes.md: from where on each class is refused", () => {
  const calm = { event_loop: 0, memory: 0, pool: 0 }
  test.each(requestClasses.map((name, at) => [name, at + 1] as const))("%s", (name, level) => {
    const cells = rowOf("docs/operating/sizes.md", `\`${name}\``).slice(2, 5)
    const begins = cells.map((cell) => Number.parseInt(cell, 10) / (cell.endsWith("%") ? 100 : 1))
    for (const [at, cause] of measuredCauses.entries()) {
      const begin = begins[at] ?? Number.NaN
      const levels = [begin, begin * 1.001].map(
        (value) => judgeLoad(noShedding, { ...calm, [cause]: value }).level,
      )
      expect(levels).toEqual([level - 1, level])
    }
  })
})

describe.each(["en", "tr"] as const)("the pages of /docs in %s", (language) => {
  const page = (name: string) =>
    [...guides, ...sections].find(({ id }) => id === name)?.markdown[language] ?? ""
  const inEnglish = language === "en"

  test("have the default rate limits", () => {
    const policy = parsePolicy("on", [])
    const rows = (["reads", "lists", "misses", "bad-keys"] as const).map((name) => {
      const { burst = 0, intervalMs = 0, inFlightMax = null } = policy[name] ?? {}
      const each = 1000 / intervalMs
      const rate = inEnglish
        ? each < 1
          ? `one every ${1 / each} seconds`
          : `${each} a second`
        : each < 1
          ? `her ${1 / each} saniyede bir`
          : `saniyede ${each}`
      const atOnce =
        inFlightMax === null
          ? ""
          : inEnglish
            ? `; ${inFlightMax} in flight`
            : `; aynı anda ${inFlightMax}`
      return inEnglish
        ? `${burst} at once, then ${rate}${atOnce}`
        : `bir anda ${burst}, sonra ${rate}${atOnce}`
    })
    const text = page("limits")
    expect(rows.filter((row) => !text.includes(`| ${row} `))).toEqual([])
    expect(text).toContain(`${bodyBytesMax / 1024} KB`)
  })

  test("say which names `boot()` takes", () => {
    const form = /\^\[a-z\]\[a-z0-9_\]\{(\d+),(\d+)\}\$/
    const [, least, most] = form.exec(read("clients/php/src/wordpress.php")) ?? []
    const [from, to] = [Number(least) + 1, Number(most) + 1]
    expect(page("clients")).toContain(
      inEnglish ? ` ${from} to ${to} of ` : ` ${from}–${to} karakter`,
    )
  })

  test("say when a webhook is tried again", () => {
    const pauses = [...Array(20).keys()]
      .map((tries) => retryAfterMs(tries + 1, 0.5))
      .filter((ms) => ms !== null)
    const seconds = pauses.map((ms) => ms / 1000)
    const hours = seconds.slice(3).map((each) => each / 3600)
    const [first = 0, second = 0, third = 0] = seconds
    const list = `${hours.slice(0, -1).join(", ")} ${inEnglish ? "and" : "ve"} ${hours.at(-1)}`
    expect(inOneLine(page("webhooks"))).toContain(
      inEnglish
        ? `${first} seconds, ${second / 60} minutes, ${third / 60} minutes, then ${list} hours`
        : `${first} saniye, ${second / 60} dakika, ${third / 60} dakika, sonra ${list} saat`,
    )
  })
})

const throttle = "src/sign-in-throttles/sign-in-throttle.ts"
const explained = inWords[constant("src/cli/feed/explain-refusals.ts", "explainedMax")]
const lengthOf = ({ schema }: Shape<unknown>) => count(Number(schema.maxLength))
const runsShown = constant("src/http/console/imports.tsx", "runsShown")
/** Of a thread, to one server of PostgreSQL. */
function connectionsOf(threads: number): number {
  const { store } = readConfig({
    PAZAR_THREADS: `${threads}`,
    DATABASE_URL: "postgres://db/pazar",
    PAZAR_MASTER_KEY: `${"A".repeat(43)}=`,
  })
  return store.kind === "postgres" ? store.connectionsMax : 0
}
const connectionsOfNode = 2 * (connectionsOf(2) + heartbeatPool.connectionsMax)
const sentences: Readonly<Record<string, readonly string[]>> = {
  "SECURITY.md": [
    `it works once, for ${inWords[days(invitationSeconds)]} days and for ${inWords[signInLinkSeconds / 60]} minutes.`,
    `are read up to ${bodyBytesMax / 1024} KB under`,
    `${inWords[Object.keys(manifest.dependencies).length]} direct dependencies at run time`,
    `at most ${sitesMax} sites of a purchase and ${newSitesEachDay} new ones a day`,
    `stay on their own page for ${inWords[secretShownSeconds / 60]} minutes`,
  ],
  "docs/operating/install.md": [
    `requests for ${inWords[lingerMs / 1000]} more seconds`,
    `finishes open requests, for at most ${inWords[drainMsMax / 1000]} seconds`,
    `in PostgreSQL (${constant("src/store/postgres/connection/opening.ts", "oldestServer")} or newer)`,
    `statement_timeout = '${primaryTimeouts.statementMsMax}ms'`,
    `lock_timeout = '${constant("src/store/postgres/connection/connection.ts", "lockMsMax") / 1000}s'`,
    `connected to the primary (the newest ${count(constant("src/store/postgres/replicas/warm-keys.ts", "keysMax"))})`,
  ],
  "docs/operating/upgrading.md": [
    `waits for a lock for ${constant("src/store/postgres/migrate.ts", "lockMsMax")} ms at most`,
    `lets a push wait for up to ${feedWaitMs / 1000} seconds`,
    `waits for ${inWords[constant("src/store/sqlite/connection/database.ts", "writeWaitMs") / 1000]} seconds at most`,
    `as in \`pazar.db.before-${newestOf(migrations)}\``,
    `pazar restore data/pazar.db.before-${newestOf(migrations)} --force`,
    `answers for ${inWords[lingerMs / 1000]} more seconds`,
  ],
  "docs/operating/incidents.md": [
    `names one that has not after ${inWords[constant("src/secrets/replace-master-key.ts", "waitMsMax") / 60_000]} minutes`,
    `that was killed counts for up to ${nodeGoneSeconds} seconds`,
  ],
  "docs/operating/backup-and-moving.md": [
    `tried again after ${inWords[constant("src/server/backups.ts", "retryAfterMs") / 60_000]} minutes`,
    `overdue ${inWords[backupAgeMsMax(0) / 3_600_000]} hours after its period`,
  ],
  "docs/scaling.md": [
    `Each thread may open ${connectionsOf(1)} connections to each server divided by the number of threads, but at least ${inWords[connectionsOf(256)]}`,
    `takes up to ${inWords[feedPool.connectionsMax]} more to the primary`,
    `${count(100 * (connectionsOfNode + 1))} connections to the primary and ${count(100 * connectionsOfNode)} to each replica`,
    `a heartbeat every ${constant("src/store/postgres/replicas/heartbeat.ts", "everyMs")} ms`,
  ],
  "docs/operating/authors-and-sign-in.md": [
    `a link that works once, for ${inWords[days(invitationSeconds)]} days.`,
    `The link works once, for ${inWords[signInLinkSeconds / 60]} minutes.`,
    `A password has ${passwordCharactersMin} to ${passwordCharactersMax} characters.`,
    `for the password again when it was given more than ${inWords[confirmationSeconds / 60]} minutes ago.`,
    `A session ends after ${sessionIdleSeconds / 3600} hours without use, and after ${days(sessionLifeSeconds)} days in any case.`,
    `An account has at most ${sessionsMax} sessions`,
    `| failures from one network, for all names | ${constant(throttle, "networkBudget: Budget")} |`,
    `| failures from one network, for one name | ${constant(throttle, "nameAtNetworkBudget: Budget")} |`,
    `from all networks the author never signed in from | ${constant(throttle, "nameBudget: Budget")} |`,
    `| right passwords for one name, from all networks | ${constant(throttle, "successBudget: Budget")} |`,
    `Changes of keys are recorded for ${days(auditSeconds)} days`,
    `at most ${sitesMax}, each until ${siteDays} days after it was last seen. Releases by products are kept for ${placeDays} days.`,
    `one of the ${inWords[releasesMax]} releases in ${placeDays} days`,
    `the author sees the last ${constant("src/http/workspace/settings.tsx", "eventsShown")} under Settings, Activity`,
    `up to ${constant("src/http/pages/parts/date-range.tsx", "chartDaysMax")} of the last ${usageDays} days; the keys and accounts with the most rejections of the last ${inWords[rejectionDays]} days`,
    `the last ${runsShown} files, ${runsShown} pulls and ${runsShown} pushes`,
    `After ${inWords[constant("src/sign-in-throttles/code-throttle.ts", "codeBudget: Budget")]} wrong codes within ten minutes`,
    `${inWords[recoveryCodesMade]} recovery codes`,
    `at most ${inWords[constant(throttle, "atOnceMax = { name")]} sign-ins of one name and ${inWords[constant(throttle, "network")]} of one network`,
    `some ${count(Math.round(read("src/domain/sign-in/common-words.txt").split(/\s+/).length / 1000) * 1000)} English and Turkish words`,
  ],
  "docs/operating/sizes.md": [
    `at most ${count(constant("src/load-shedding/watch-overload.ts", "inFlightMax"))} requests in flight; validations are accepted up to ${count(2 * constant("src/load-shedding/watch-overload.ts", "inFlightMax"))}`,
    `Sign-ins take ${owaspCost.memoryCost / 1024} MB each, ${inWords[constant("src/secrets/sign-in/password-hasher.ts", "atOnceMax")]} of authors`,
    `a body of ${bodyBytesMax / 1024} KB (413)`,
    `${constant("src/http/listener/routes.ts", "readingSeconds")} seconds for the reader of a list`,
  ],
  "docs/operating/privacy.md": [
    `Messages of webhooks hold the purchase for up to ${messageDays + 1} days.`,
    `An account has at most ${liveKeysMax} live keys.`,
    `there may be ${2 * liveKeysMax} live keys`,
    `Of each key, the first ${constant("src/usage/failure-log.ts", "notedOfKeyMax")} failed calls`,
    `An author has at most ${failedCallsMax} entries`,
  ],
  "docs/operating/monitoring.md": [
    `at most ${backupAgeMsMax(null) / 3_600_000} hours old`,
    `less than ${constant("src/doctor/check-machine.ts", "freeBytesMin") / 1_000_000} MB free`,
    `fewer than ${count(constant("src/doctor/check-machine.ts", "openFilesMin"))} open files`,
    `guesses from ${count(constant("src/domain/running/code-guessing.ts", "guessers"))} addresses`,
    `beyond ${constant("src/log/log.ts", "kindsMax")} kinds they count as`,
    `every ${inWords[constant("src/log/log.ts", "reportEveryMs") / 1000]} seconds one line`,
    `for ${constant("src/domain/usage/measures.ts", "failureHeldMs") / 1000} seconds after the last that did`,
    `within two intervals and ${inWords[constant("src/domain/feed/pull.ts", "roundSeconds") / 60]} minutes`,
    `killed is listed for up to ${nodeGoneSeconds} seconds`,
  ],
  "docs/operating/settings.md": [
    `For ${inWords[constant("src/rate-limits/budgets.ts", "rememberedForMs") / dayMs]} days after a key was first found good`,
    `tells the others ${inWords[1000 / constant("src/rate-limits/budgets.ts", "tellEveryMs")]} times a second`,
  ],
  "docs/operating/webhooks.md": [
    `Each may have ${endpointsMax}.`,
    `because ${count(waitingMessagesMax)} messages waited`,
  ],
  "docs/feed.md": [
    `At most a ${inWords[waitingRecordsMax]} wait.`,
    `A removed record is remembered for ${tombstoneMs / dayMs} days`,
    `A moment more than ${inWords[constant("src/feed/records/record.ts", "aheadMsMax") / 3_600_000]} hour ahead`,
    `Descriptions have at most ${lengthOf(longText)} characters, links ${lengthOf(url)}, \`username\`, \`purchase_code\` and \`api_key\` ${lengthOf(username)}, all other texts ${lengthOf(shortText)}.`,
    `A list or map has at most ${count(Number(list(url).schema.maxItems))} entries.`,
    `at most ${lineBytesMax / 1024 ** 2} MiB`,
    `every problem it has (the first ${inWords[problemsMax]}, one for each member)`,
    `The first ${explained} are told line by line.`,
    `in batches of at most a ${inWords[constant("src/cli/feed/load-feed.ts", "batchRecords")]}.`,
    `the refused lines, the first ${inWords[refusedListedMax]} of them`,
    `within ${inWords[constant("src/store/postgres/feed/feed.ts", "serve") / 1000]} seconds on PostgreSQL, or ${feedWaitMs / 1000} on SQLite`,
  ],
  "docs/first-hour.md": [`the first ${explained} one by one`],
  "docs/pull.md": [
    `within two intervals and ${inWords[constant("src/domain/feed/pull.ts", "roundSeconds") / 60]} minutes`,
    `\`90s\`, \`${constant("src/pull/pull-file.ts", "silenceMsMaxByDefault") / 60_000}m\` (if left out)`,
    `\`${constant("src/pull/pull-file.ts", "overlapMsByDefault") / 60_000}m\` (if left out)`,
  ],
  "docs/api.md": [
    `(at most ${bodyBytesMax / 1024} KB)`,
    `a body over ${bodyBytesMax / 1024} KB`,
    `A purchase keeps at most ${sitesMax} sites, and takes at most ${newSitesEachDay} new ones a day`,
    `A site that was not seen for ${siteDays} days is deleted.`,
    `a site that was not seen for ${placeDays} days`,
  ],
}

test.each(Object.entries(sentences))("%s has the numbers of the program", (file, expected) => {
  const text = inOneLine(read(file))
  expect(expected.filter((sentence) => !text.includes(sentence))).toEqual([])
})
