/** How long docs/operating/privacy.md says that things are kept, against the program. */
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { siteDays } from "../../src/domain/catalogue/sites.ts"
import { messageDays } from "../../src/domain/events/message.ts"
import { tombstoneMs } from "../../src/domain/feed/as-of.ts"
import { auditSeconds } from "../../src/domain/sign-in/audit-event.ts"
import { sessionIdleSeconds, sessionLifeSeconds } from "../../src/domain/sign-in/session.ts"
import { failedCallDays, failedCallsMax } from "../../src/domain/usage/failed-calls.ts"

const page = readFileSync(join(import.meta.dir, "../../docs/operating/privacy.md"), "utf8")
const dayMs = 86_400_000

test.each([
  ["sites where a code is used", `${siteDays} days after they were last seen`],
  ["failed calls:", `${failedCallDays} days, at most ${failedCallsMax} an author`],
  [
    "sessions",
    `${sessionIdleSeconds / 3600} hours without use, ${(sessionLifeSeconds * 1000) / dayMs} days in any case`,
  ],
  ["audit:", `${(auditSeconds * 1000) / dayMs} days`],
  ["name of a deleted record", `${tombstoneMs / dayMs} days`],
  ["messages of webhooks", `${messageDays} days`],
])("%s: %s", (data, kept) => {
  const [row = ""] = page.split("\n").filter((line) => line.startsWith(`| ${data}`))
  expect(row.split("|").at(-2)?.trim()).toBe(kept)
})
